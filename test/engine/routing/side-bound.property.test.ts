import assert from 'node:assert/strict'
import { test } from 'vitest'
import { quoteBook } from '../../../src/engine/market/book.js'
import { isRefusal } from '../../../src/engine/market/refusal.js'
import { executePath } from '../../../src/engine/market/router.js'
import type { Edge } from '../../../src/engine/routing/graph.js'
import { computeOutputBound } from '../../../src/engine/routing/output-bound.js'
import { queryOf } from '../../../src/engine/routing/query.js'
import { rankPaths } from '../../../src/engine/routing/rank-paths.js'
import { drawMarket } from '../../support/drawn-market.js'
import { anyOf, between, costsOf, type Drawn, seeds } from '../../support/markets.js'

/** The relative error of floats. */
const SLACK = 1 + 1e-9

/** Offers to one side: a few atomics, powers of ten, and around the end of each of its first levels. */
function offersTo({ random }: Drawn, { book, side }: Edge): readonly bigint[] {
  const near = costsOf(book, side, 8).flatMap((cost) => [
    cost - 1n,
    cost,
    cost + 1n,
    cost + 2n,
    (cost * BigInt(between(random, 1, 99))) / 99n,
  ])
  const offers = [1n, 2n, 3n, 7n, 100n, 12_345n, 10n ** 9n, 10n ** 14n, ...near]
  return offers.filter((offer) => offer > 0n)
}

/** Runs a check on every fill of many offers to every side of the generated markets. */
function forEachFill(
  count: number,
  books: boolean,
  check: (edge: Edge, offer: bigint, fill: { bought: bigint; unsold: bigint }) => void,
): number {
  let fills = 0
  for (const seed of seeds(count)) {
    const drawn = drawMarket(seed, { books })
    for (const edge of drawn.graph.leaving.flat())
      for (const offer of offersTo(drawn, edge)) {
        const fill = quoteBook(edge.book, { denom: drawn.graph.denoms[edge.from]!, amount: offer })
        if (isRefusal(fill)) continue
        fills += 1
        const { address } = edge.book.state.pair
        try {
          check(edge, offer, fill)
        } catch (error) {
          const why = error instanceof Error ? error.message : `${error}`
          throw new Error(`seed ${seed} ${address} ${edge.side} offer ${offer}: ${why}`)
        }
      }
  }
  return fills
}

const isBelowCeiling = (
  { bound: ceiling }: Edge,
  offer: bigint,
  { bought }: { bought: bigint },
) => {
  const most = (Number(offer) * ceiling.rate + ceiling.extra) * SLACK
  assert.ok(Number(bought) <= most, `buys ${bought}, the ceiling is ${most}`)
}

test('no fill of a side with known storage is above its bound', () => {
  assert.ok(forEachFill(5, false, isBelowCeiling) > 500)
})

test('no fill of a side of which only the book is known is above its bound', () => {
  assert.ok(forEachFill(5, true, isBelowCeiling) > 500)
})

test('no side accepts more than its capacity', () => {
  forEachFill(5, true, (edge, offer, { unsold }) => {
    const sold = Number(offer - unsold)
    assert.ok(sold <= edge.capacity * SLACK, `takes ${sold}, the capacity is ${edge.capacity}`)
  })
})

test('a side that accepts the whole offer pays at least the lower bound of its makers', () => {
  let promises = 0
  forEachFill(12, false, (edge, offer, { bought, unsold }) => {
    const least = edge.minOutput(Number(offer))
    if (unsold > 0n || least === 0) return
    promises += 1
    assert.ok(Number(bought) >= least, `pays ${bought}, the promise is ${least}`)
  })
  assert.ok(promises > 20, `${promises} promises`)
})

test('no path to a target pays above the bound of the denom it starts from', () => {
  for (const seed of seeds(25)) {
    const drawn = drawMarket(seed, { books: false })
    const { market, graph, random } = drawn
    const [from, to] = [between(random, 0, graph.denoms.length - 1), 0]
    if (from === to) continue
    const maxHops = between(random, 1, 4)
    const limits = { maxHops, via: [], exclude: [], affiliate: undefined }
    const query = queryOf(graph, graph.denoms[from]!, graph.denoms[to]!, limits)
    const bounds = computeOutputBound(graph, to, maxHops, query.isAllowed)
    for (let i = 0; i < 5; i += 1) {
      const offer = anyOf(random, offersTo(drawn, anyOf(random, graph.leaving[from]!)))
      const amount = offer > graph.routerBalances[from]! ? offer - graph.routerBalances[from]! : 1n
      const input = { denom: graph.denoms[from]!, amount }
      const most =
        Number(input.amount) * bounds.rate[maxHops]![from]! + bounds.extra[maxHops]![from]!
      for (const { hops, edges } of rankPaths(query, input.amount, 1000).found) {
        const gross = hops.at(-1)!.output.amount + graph.routerBalances[to]!
        assert.ok(Number(gross) <= most * SLACK, `seed ${seed}: ${gross} above ${most}`)
        const addresses = edges.map((edge) => edge.book.state.pair.address)
        const minReturn = { denom: graph.denoms[to]!, amount: 1n }
        const done = executePath(market, addresses, input, { minReturn })
        assert.ok(!isRefusal(done) && done.gross === gross)
      }
    }
  }
})
