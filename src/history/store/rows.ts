import { ORDER_VERBS, priceText } from '../../engine/orders/order-price.js'
import { fromHex } from '../../platform/encoding.js'
import type { IndexedOrder, IndexedSwap } from './history-store.js'
import type { OrderRow, SwapRow } from './schema.js'

/** Digits of `numeric(60,0)`: text padded to this width sorts in SQLite as numbers do. */
const VOLUME_DIGITS = 60

export const paddedVolume = (volume: bigint): string =>
  volume.toString().padStart(VOLUME_DIGITS, '0')

/** A leg as a row. It must have passed `validate`. */
export const rowOf = (chainId: string, height: number, swap: IndexedSwap): SwapRow => ({
  chain_id: chainId,
  height,
  tx_index: swap.txIndex,
  msg_index: swap.msgIndex,
  event_index: swap.eventIndex,
  tx_hash: fromHex(swap.txHash),
  type: swap.type,
  sender: swap.sender,
  recipient: swap.recipient,
  affiliate_code: swap.affiliate?.code ?? null,
  affiliate_address: swap.affiliate?.address ?? null,
  input_denom: swap.input.denom,
  input_amount: swap.input.amount.toString(),
  output_denom: swap.output.denom,
  output_amount: swap.output.amount.toString(),
  path: JSON.stringify(swap.path),
  hops: JSON.stringify(swap.hops),
  fee_protocol: swap.fees.protocol.toString(),
  fee_referral: swap.fees.referral.toString(),
  fee_affiliate: swap.fees.affiliate.toString(),
  volume_usd: swap.volumeUsd?.toString() ?? null,
})

export const orderRowOf = (chainId: string, height: number, order: IndexedOrder): OrderRow => ({
  chain_id: chainId,
  height,
  tx_index: order.txIndex,
  msg_index: order.msgIndex,
  event_index: order.eventIndex,
  tx_hash: fromHex(order.txHash),
  pair: order.pair,
  owner: order.owner,
  action: order.action,
  side: ORDER_VERBS[order.side],
  price: priceText(order.price),
  offer_denom: order.offerDenom,
  receive_denom: order.receiveDenom,
  sold: order.sold.toString(),
  added: order.added.toString(),
  returned: order.returned.toString(),
  received: order.received.toString(),
  fee: order.fee.toString(),
})
