import type { Json } from '../../../engine/errors.js'
import { decimal } from '../../../engine/math/decimal.js'
import { toUpperHex } from '../../../platform/encoding.js'
import type { SwapRow } from '../schema.js'
import type { StoredSwap, SwapType } from '../swap-row.js'

export type StoredSwapRow = SwapRow & { readonly time: string }

/** A row as the leg that it was. */
export const storedSwapOf = (row: StoredSwapRow): StoredSwap => ({
  height: row.height,
  time: row.time,
  txIndex: row.tx_index,
  msgIndex: row.msg_index,
  eventIndex: row.event_index,
  txHash: toUpperHex(row.tx_hash),
  type: row.type as SwapType,
  sender: row.sender,
  recipient: row.recipient,
  affiliate:
    row.affiliate_code === null || row.affiliate_address === null
      ? undefined
      : { code: row.affiliate_code, address: row.affiliate_address },
  input: { denom: row.input_denom, amount: BigInt(row.input_amount) },
  output: { denom: row.output_denom, amount: BigInt(row.output_amount) },
  path: JSON.parse(row.path) as readonly string[],
  hops: JSON.parse(row.hops) as readonly Json[],
  fees: {
    protocol: BigInt(row.fee_protocol),
    referral: BigInt(row.fee_referral),
    affiliate: BigInt(row.fee_affiliate),
  },
  volumeUsd: row.volume_usd === null ? undefined : decimal(BigInt(row.volume_usd)),
})
