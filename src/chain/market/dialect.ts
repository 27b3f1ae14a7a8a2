import { simulateBook } from '../../engine/market/book.js'
import type { Dialect, Market } from '../../engine/market/market.js'
import { askDenom, sideOf } from '../../engine/market/pair.js'
import { isRefusal } from '../../engine/market/refusal.js'
import type { Coin, Denom } from '../../engine/market/token.js'
import type { Ask } from '../queries/query-batch.js'
import { InvalidChain } from '../rpc/invalid-answer.js'
import { routeSimulation } from './simulate.js'

/** A route of two stages that ends at another denom than it begins with. */
type Trial = {
  readonly coin: Coin
  readonly stages: readonly (readonly [address: string, offered: Denom, produced: Denom])[]
}

/** Routes that are tried before the router counts as unreadable. */
const TRIALS = 3

/**
 * Asks a router to simulate a route of two stages in both dialects: only one can answer, since read
 * the other way the first pair is offered a denom that it does not trade.
 *
 * @throws InvalidChain when both or none answer
 */
export async function detectDialect(ask: Ask, market: Market): Promise<Dialect> {
  const hint = 'set router.dialect to forward or stack'
  const trials = trialsOf(market)
  if (trials.length === 0)
    throw new InvalidChain(
      market.network,
      "no two pairs make a route to learn the router's dialect from",
      hint,
    )
  for (const trial of trials) {
    const [forward, stack] = await Promise.all([
      understands(ask, market, trial, 'forward'),
      understands(ask, market, trial, 'stack'),
    ])
    if (forward && stack)
      throw new InvalidChain(market.network, 'the router answers both dialects', hint)
    if (forward || stack) return forward ? 'forward' : 'stack'
  }
  throw new InvalidChain(market.network, 'the router answers neither dialect', hint)
}

async function understands(
  ask: Ask,
  { router }: Market,
  { coin, stages }: Trial,
  dialect: Dialect,
): Promise<boolean> {
  const written =
    dialect === 'forward'
      ? stages.map(([address, , produced]) => ({ address, denom: produced }))
      : stages.map(([address, offered]) => ({ address, denom: offered })).reverse()
  const reply = await ask(routeSimulation(router.address, coin, written))
  return reply.kind === 'answered'
}

/** Share of the first hop's depth that is offered: enough to give something on both hops. */
const SHARE = 1000n

function trialsOf({ books }: Market): readonly Trial[] {
  const trials: Trial[] = []
  const all = [...books.values()]
  for (const first of all) {
    const { base, quote, address } = first.state.pair
    for (const offered of [base, quote]) {
      const side = sideOf(first.state.pair, offered)
      if (side === undefined) continue
      const between = askDenom(first.state.pair, side)
      const coin = { denom: offered, amount: first.depth(side === 'ask' ? 'bid' : 'ask') / SHARE }
      const got = coin.amount > 0n ? simulateBook(first, coin) : undefined
      if (got === undefined || isRefusal(got) || got.bought === 0n) continue
      for (const second of all) {
        const { pair } = second.state
        const next = sideOf(pair, between)
        if (second === first || next === undefined || askDenom(pair, next) === offered) continue
        const end = simulateBook(second, { denom: between, amount: got.bought })
        if (isRefusal(end) || end.bought === 0n) continue
        trials.push({
          coin,
          stages: [
            [address, offered, between],
            [pair.address, between, askDenom(pair, next)],
          ],
        })
        if (trials.length === TRIALS) return trials
        break
      }
    }
  }
  return trials
}
