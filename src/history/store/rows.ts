import { decimal } from '../../engine/math/decimal.js'
import { ORDER_VERBS, parsePriceText, priceText } from '../../engine/orders/order-price.js'
import type { OrderAction, OrderChange } from '../../operations/history/history-port.js'
import { fromHex, toUpperHex } from '../../platform/encoding.js'
import { hopsIn, pathIn } from './cells.js'
import type { IndexedOrder, IndexedSwap, StoredSwap } from './history-store.js'
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

export type StoredSwapRow = SwapRow & { readonly time: string }

/** The position of a row on the chain. */
const placeOf = (
  row: Pick<
    StoredSwapRow,
    'height' | 'time' | 'tx_index' | 'msg_index' | 'event_index' | 'tx_hash'
  >,
) => ({
  height: row.height,
  time: row.time,
  txIndex: row.tx_index,
  msgIndex: row.msg_index,
  eventIndex: row.event_index,
  txHash: toUpperHex(row.tx_hash),
})

/** A row as a leg. @throws SyntaxError, StoreFault for a row that was changed */
export const storedSwapOf = (row: StoredSwapRow): StoredSwap => ({
  ...placeOf(row),
  type: row.type as StoredSwap['type'],
  sender: row.sender,
  recipient: row.recipient,
  affiliate:
    row.affiliate_code === null || row.affiliate_address === null
      ? undefined
      : { code: row.affiliate_code, address: row.affiliate_address },
  input: { denom: row.input_denom, amount: BigInt(row.input_amount) },
  output: { denom: row.output_denom, amount: BigInt(row.output_amount) },
  path: pathIn(row.path),
  hops: hopsIn(row.hops),
  fees: {
    protocol: BigInt(row.fee_protocol),
    referral: BigInt(row.fee_referral),
    affiliate: BigInt(row.fee_affiliate),
  },
  volumeUsd: row.volume_usd === null ? undefined : decimal(BigInt(row.volume_usd)),
})

export type StoredOrderRow = OrderRow & { readonly time: string }

export const storedOrderOf = (row: StoredOrderRow): OrderChange => ({
  ...placeOf(row),
  pair: row.pair,
  owner: row.owner,
  action: row.action as OrderAction,
  side: row.side === ORDER_VERBS.ask ? 'ask' : 'bid',
  price: parsePriceText(row.price)!,
  offerDenom: row.offer_denom,
  receiveDenom: row.receive_denom,
  sold: BigInt(row.sold),
  added: BigInt(row.added),
  returned: BigInt(row.returned),
  received: BigInt(row.received),
  fee: BigInt(row.fee),
})
