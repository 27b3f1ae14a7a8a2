import { sideOf } from '../../../src/engine/market/pair.js'
import { isRefusal } from '../../../src/engine/market/refusal.js'
import { executePath, type RouterState } from '../../../src/engine/market/router.js'
import type { Coin } from '../../../src/engine/market/token.js'
import { type Limits, type PathQuery, queryOf } from '../../../src/engine/routing/query.js'
import type { Split } from '../../../src/engine/splits/split.js'
import { drawMarket } from '../../support/drawn-market.js'
import {
  anyOf,
  between,
  costsOf,
  type Drawn,
  once,
  seeds,
  shuffled,
} from '../../support/markets.js'

export type SplitQuery = { readonly drawn: Drawn; readonly query: PathQuery; readonly input: Coin }

const OPEN: Limits = { maxHops: 4, via: [], exclude: [], affiliate: undefined }

/** Two denoms, mostly open limits and an amount from atomics to more than the books hold. */
export function ask(drawn: Drawn, limits: Partial<Limits> = {}): SplitQuery {
  const { random, graph, market } = drawn
  const [from, to] = shuffled(random, graph.denoms)
  const maxHops = anyOf(random, [1, 2, 3, 3, 4, 4])
  const affiliate = market.router.affiliates.get(anyOf(random, ['', '', '', 'acme']))
  const via = once(random, 8) ? [anyOf(random, graph.denoms)] : []
  const exclude = once(random, 8) ? [anyOf(random, [...market.books.keys()])] : []
  const query = queryOf(graph, from!, to!, { maxHops, via, exclude, affiliate, ...limits })
  return { drawn, query, input: { denom: from!, amount: drawAmount(drawn, from!) } }
}

/** From a fraction of some book's first levels to a few times all of them. */
export function drawAmount({ random, market }: Drawn, denom: string): bigint {
  const book = anyOf(
    random,
    [...market.books.values()].filter(({ state }) => sideOf(state.pair, denom)),
  )
  const side = sideOf(book.state.pair, denom)!
  const costs = costsOf(book, side, between(random, 1, 6))
  return ((costs.at(-1) ?? 0n) * BigInt(between(random, 1, 250))) / 100n + 1n
}

/** Runs a check on queries to generated markets, with the seed in the failure. */
export function forEachQuery(
  count: number,
  questions: number,
  check: (asked: SplitQuery) => void,
): void {
  for (const seed of seeds(count)) {
    const drawn = drawMarket(seed)
    for (let i = 0; i < questions; i += 1) {
      const asked = ask(drawn)
      try {
        check(asked)
      } catch (error) {
        const { input, query } = asked
        const to = query.graph.denoms[query.to]
        throw new Error(`seed ${seed}: ${input.amount} ${input.denom} to ${to}`, { cause: error })
      }
    }
  }
}

/** What the recipient gets if the messages of a split run in one transaction; undefined where one fails. */
export function executed(query: PathQuery, split: Split): bigint | undefined {
  let world: RouterState = query.graph.market
  let sum = 0n
  for (const { route } of split.legs) {
    const done = executePath(
      world,
      route.hops.map(({ book }) => book.state.pair.address),
      route.input,
      {
        minReturn: { denom: route.output, amount: route.minReturn },
        affiliate: query.limits.affiliate,
      },
    )
    if (isRefusal(done) || done.hops.some(({ unsold }) => unsold > 0n)) return undefined
    sum += done.recipient
    world = done.after
  }
  return sum
}

export const openQuery = (
  drawn: Pick<Drawn, 'graph'>,
  from: string,
  to: string,
  maxHops = 4,
): PathQuery => queryOf(drawn.graph, from, to, { ...OPEN, maxHops })
