import { coinsOf, differenceOf, sumsOf } from '../../engine/orders/coin-sums.js'
import type { CoinDocument } from '../../operations/document-schema.js'
import { coinDocument } from '../../operations/route-document.js'
import type { Intent, OrderRecord } from '../journal/intent.js'
import { executedOf, headOf, type ReportHead } from './report-head.js'

/** The answer of commands that sign orders. Amounts are atomics. */
export type OrderReport = ReportHead & {
  /** The messages, in order of execution. */
  readonly orders: readonly (OrderRecord & {
    /** What the message paid the account; `null` while it is not executed. */
    readonly paid: readonly CoinDocument[] | null
    readonly tx_hash: string | null
  })[]
  /** Coins that all executed messages took from the account, less what they paid it in the same denom. */
  readonly spent: readonly CoinDocument[]
  /** Coins that they paid it, less what they took in the same denom. */
  readonly received: readonly CoinDocument[]
}

/** @param orders of the intent */
export function orderReportOf(intent: Intent, orders: readonly OrderRecord[]): OrderReport {
  const executed = executedOf(intent)
  const { txs, verified, ...head } = headOf(intent, executed)
  const spent = sumsOf(executed.flatMap(({ fill }) => fill.spent))
  const paid = sumsOf(executed.flatMap(({ fill }) => (fill.paid ?? []).flat()))
  return {
    ...head,
    orders: orders.map((order, i) => {
      const done = executed.find(({ tx }) => tx.legs.includes(i))
      const coins = done?.fill.paid?.[done.tx.legs.indexOf(i)]
      return {
        ...order,
        paid: coins?.map(coinDocument) ?? null,
        tx_hash: intent.txs.findLast(({ legs }) => legs.includes(i))?.hash ?? null,
      }
    }),
    spent: coinsOf(differenceOf(spent, paid)).map(coinDocument),
    received: coinsOf(differenceOf(paid, spent)).map(coinDocument),
    txs,
    verified,
  }
}
