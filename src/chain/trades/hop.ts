import type { Coin } from '../../engine/market/token.js'
import { parseUint128 } from '../../engine/math/uint.js'
import { amountOf } from './coins.js'
import { attribute, type ChainEvent, isOf, MalformedEvent } from './events.js'
import { type Transfer, transferOf } from './runs.js'

/** Type of the events of matched levels. */
export const TRADE = 'wasm-rujira-fin/trade'

/** What one hop of an executed swap did. */
export type LegHop = {
  readonly pair: string
  /** What the router sold there: all that it had of the denom. */
  readonly input: Coin
  /** What came back of it because the book was at its end, in atomics of the input. */
  readonly unsold: bigint
  /** What the pair paid, after its fee. */
  readonly output: Coin
  /** What the pair kept of the output. */
  readonly fee: bigint
  /** Price levels that were traded with. */
  readonly trades: number
}

/**
 * A hop from its events: input and output are bank transfers, which no contract can forge; its trade
 * events give the output before the fee.
 *
 * @param next the next input of the router: the denom for a hop that pays nothing
 * @throws MalformedEvent
 */
export function hopOf(events: readonly ChainEvent[], router: string, next: string): LegHop {
  const transfers = events.flatMap((event) => transferOf(event) ?? [])
  const sent = transfers.find(({ from }) => from === router)
  const input = sent?.coins[0]
  if (sent === undefined || input === undefined || sent.coins.length > 1)
    throw new MalformedEvent('a hop does not report what it sold')
  const pair = sent.to
  const back = transfers.filter(({ from, to }) => from === pair && to === router)
  const denom = outputOf(back, input.denom) ?? next
  const trades = events.filter((event) => event.type === TRADE && isOf(event, pair))
  const gross = trades.reduce((sum, trade) => sum + amountIn(trade, 'bid'), 0n)
  const output = totalOf(back, denom)
  return {
    pair,
    input,
    unsold: totalOf(back, input.denom),
    output: { denom, amount: output },
    fee: feeOf(transfers, back.at(-1), denom) ?? (gross > output ? gross - output : 0n),
    trades: trades.length,
  }
}

const totalOf = (transfers: readonly Transfer[], denom: string): bigint =>
  transfers.reduce((sum, { coins }) => sum + amountOf(coins, denom), 0n)

/** The one denom that came back beside what was not sold. @throws MalformedEvent for several */
function outputOf(back: readonly Transfer[], sold: string): string | undefined {
  const denoms = new Set(back.flatMap(({ coins }) => coins.map(({ denom }) => denom)))
  denoms.delete(sold)
  if (denoms.size > 1) throw new MalformedEvent('a hop was paid in several denoms')
  return [...denoms][0]
}

/** What the pair sent somewhere else right after it had paid; a pair may also keep its fee. */
function feeOf(
  transfers: readonly Transfer[],
  payout: Transfer | undefined,
  denom: string,
): bigint | undefined {
  if (payout === undefined) return undefined
  const later = transfers.filter(
    ({ index, from, to }) => index > payout.index && from === payout.from && to !== payout.to,
  )
  return later.length === 0 ? undefined : totalOf(later, denom)
}

/** An amount in atomics by name. @throws MalformedEvent */
export function amountIn(event: ChainEvent, name: string): bigint {
  const amount = parseUint128(attribute(event, name))
  if (amount === undefined)
    throw new MalformedEvent(`${event.type} has a ${name} that is no amount`)
  return amount
}
