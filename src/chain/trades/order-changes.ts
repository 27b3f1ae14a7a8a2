import type { PairDenoms } from '../../engine/market/pair.js'
import { amountIn } from '../../engine/market/token.js'
import { type Decimal, mulCeil } from '../../engine/math/decimal.js'
import type { OrderChange } from '../../operations/history/history-port.js'
import { MalformedEvent } from './events.js'
import type { GrossChange, OrderRun } from './order-runs.js'

/** A change of a resting order with its payment after fees. */
type NetChange = Omit<GrossChange, 'gross'> & Pick<OrderChange, 'received' | 'fee'>

const UNEQUAL = 'its payments do not add up to what its events say'

/** Shares that a pair deducts from the output of takers and from claimed proceeds. */
export type PairFees = { readonly takerFee: Decimal; readonly makerFee: Decimal }

/**
 * The changes of a run with their fees. Fees follow from the bank's transfers; only where several changes of
 * a run paid a fee in one denom, the pair's configuration is needed to divide it.
 *
 * @param feesOf the fees of the pair at that height
 * @throws MalformedEvent if payments and events do not add up
 */
export async function netChanges(
  run: OrderRun,
  { base, quote }: PairDenoms,
  feesOf: () => Promise<PairFees | undefined>,
): Promise<readonly NetChange[]> {
  const fees = new Map<GrossChange, bigint>()
  const divide = async (sum: bigint, changes: readonly GrossChange[], name: keyof PairFees) => {
    const paying = changes.filter(({ gross }) => gross > 0n)
    const isUndivided = paying.length < 2 || sum === 0n
    const share = isUndivided ? undefined : (await feesOf())?.[name]
    if (!isUndivided && share === undefined)
      throw new MalformedEvent('the fees of its pair are not known')
    let remaining = sum
    for (const change of paying) {
      const fee = share === undefined ? remaining : mulCeil(change.gross, share)
      if (fee < 0n || fee > change.gross) throw new MalformedEvent(UNEQUAL)
      fees.set(change, fee)
      remaining -= fee
    }
    if (remaining !== 0n) throw new MalformedEvent(UNEQUAL)
  }
  for (const [denom, side] of [
    [quote, 'ask'],
    [base, 'bid'],
  ] as const) {
    const changes = run.changes.filter((change) => change.side === side)
    const others = run.changes.filter((change) => change.side !== side)
    const sum = (list: readonly GrossChange[], of: (change: GrossChange) => bigint) =>
      list.reduce((total, change) => total + of(change), 0n)
    const due =
      amountIn(run.funds, denom) +
      sum(changes, ({ gross }) => gross) +
      sum(others, ({ returned, sold, added }) => returned - sold - added)
    const makerFee = amountIn(run.makerFees, denom)
    await divide(
      makerFee,
      changes.filter(({ action }) => action === 'claim'),
      'makerFee',
    )
    const takerFee = due - amountIn(run.paid, denom) - makerFee
    await divide(
      takerFee,
      changes.filter(({ action }) => action === 'place'),
      'takerFee',
    )
  }
  return run.changes.map((change) => {
    const { gross, ...rest } = change
    const fee = fees.get(change) ?? 0n
    return { ...rest, received: gross - fee, fee }
  })
}
