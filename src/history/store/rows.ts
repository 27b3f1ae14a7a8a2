import type { SwapRow } from './schema.js'
import type { SwapFact } from './swap-row.js'

/** Digits of `numeric(60,0)`: so padded, text in SQLite is ordered as the numbers are. */
export const VOLUME_DIGITS = 60

export const paddedVolume = (volume: bigint): string =>
  volume.toString().padStart(VOLUME_DIGITS, '0')

export const bytesOf = (hex: string): Uint8Array => Buffer.from(hex, 'hex')

/** Upper case, as the chain writes its hashes. */
export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase()

/** A leg as a row. It must be `keepable`. */
export const rowOf = (chainId: string, height: number, fact: SwapFact): SwapRow => ({
  chain_id: chainId,
  height,
  tx_index: fact.txIndex,
  msg_index: fact.msgIndex,
  event_index: fact.eventIndex,
  tx_hash: bytesOf(fact.txHash),
  type: fact.type,
  sender: fact.sender,
  recipient: fact.recipient,
  affiliate_code: fact.affiliate?.code ?? null,
  affiliate_address: fact.affiliate?.address ?? null,
  input_denom: fact.input.denom,
  input_amount: fact.input.amount.toString(),
  output_denom: fact.output.denom,
  output_amount: fact.output.amount.toString(),
  path: JSON.stringify(fact.path),
  hops: JSON.stringify(fact.hops),
  fee_protocol: fact.fees.protocol.toString(),
  fee_referral: fact.fees.referral.toString(),
  fee_affiliate: fact.fees.affiliate.toString(),
  volume_usd: fact.volumeUsd?.toString() ?? null,
})
