import assert from 'node:assert/strict'
import { test } from 'vitest'
import { sideOf } from '../../../src/engine/market/pair.js'
import { graphOf } from '../../../src/engine/routing/graph.js'
import { type Limits, queryOf } from '../../../src/engine/routing/query.js'
import {
  largestBelow,
  leastInput,
  mostInput,
  mostOutput,
  smallestAbove,
  smallestSize,
} from '../../../src/engine/routing/size-limits.js'
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
import { bestPath } from './small-markets.js'

/** Few atomics, and amounts near the ends of the levels of the pairs that trade a denom. */
function drawAmounts({ random, market }: Drawn, denom: string): readonly bigint[] {
  const ends = [...market.books.values()].flatMap((book) => {
    const side = sideOf(book.state.pair, denom)
    return side === undefined ? [] : costsOf(book, side, 6)
  })
  const near = shuffled(random, ends)
    .slice(0, 8)
    .flatMap((cost) => [(cost * BigInt(between(random, 1, 3000))) / 1000n, cost, cost + 1n])
  return [1n, 2n, 5n, 20n, 100n, ...near, 10n ** BigInt(between(random, 3, 24))].filter(
    (amount) => amount > 0n,
  )
}

/** A third of the markets has a router with coins of every denom, which join what hops pay. */
function withBalances(drawn: Drawn): Drawn {
  const { random, market, graph } = drawn
  if (!once(random, 3)) return drawn
  const most = anyOf(random, [3, 100, 10_000])
  const balances = new Map(graph.denoms.map((denom) => [denom, BigInt(between(random, 0, most))]))
  const changed = { ...market, router: { ...market.router, balances } }
  return { ...drawn, market: changed, graph: graphOf(changed) }
}

/** Limits of requests that follow each other on one graph. */
function drawLimits({ random, market, graph }: Drawn): readonly Limits[] {
  const name = () => anyOf(random, once(random, 2) ? graph.denoms : [...market.books.keys()])
  const open = { via: [], exclude: [], affiliate: undefined }
  return [
    ...shuffled(random, [1, 2, 3, 4]).map((maxHops) => ({ ...open, maxHops })),
    { ...open, maxHops: 3, via: [name()] },
    { ...open, maxHops: 3, exclude: [name()] },
    { ...open, maxHops: 3, affiliate: market.router.affiliates.get('most') },
  ]
}

test('the least input, the most input, the most output and the input for an output hold for the best path of every amount', () => {
  const checked = { accepted: 0, refused: 0 }
  for (const seed of seeds(12)) {
    const drawn = withBalances(drawMarket(seed, { size: seed % 2 === 0 ? 'small' : 'tiny' }))
    const [from, to] = shuffled(drawn.random, drawn.graph.denoms)
    const amounts = drawAmounts(drawn, from!)
    for (const limits of drawLimits(drawn)) {
      const query = queryOf(drawn.graph, from!, to!, limits)
      const [least, most, paid] = [leastInput(query), mostInput(query), mostOutput(query)]
      const where = `seed ${seed}, ${JSON.stringify(limits, (_, each) => (typeof each === 'bigint' ? `${each}` : each))}`
      for (const size of [most, paid])
        if (size !== undefined)
          assert.equal(bestPath(query, size.amount)?.output, size.output, where)
      if (least !== undefined) assert.ok(bestPath(query, least), where)
      const ends = [least, most?.amount, paid?.amount].flatMap((end) =>
        end === undefined ? [] : [end - 1n, end + 1n].filter((each) => each > 0n),
      )
      for (const amount of [...amounts, ...ends]) {
        const best = bestPath(query, amount)
        if (best !== undefined) {
          checked.accepted += 1
          assert.ok(least! <= amount && amount <= most!.amount, `${where}, ${amount}`)
          assert.ok(best.output <= paid!.output, `${where}, ${amount}`)
          const enough = smallestSize(query, 1n, best.output, 0)!.amount
          assert.ok(enough <= amount, `${where}, ${amount}`)
          assert.ok(bestPath(query, enough)!.output >= best.output, `${where}, ${amount}`)
          const less = enough > 1n ? bestPath(query, enough - 1n) : undefined
          assert.ok((less?.output ?? 0n) < best.output, `${where}, ${amount}`)
          continue
        }
        checked.refused += 1
        const below = largestBelow(query, amount)
        const above = smallestAbove(query, amount, below)
        if (below !== undefined) {
          assert.equal(bestPath(query, below.amount)?.output, below.output, where)
          assert.ok(below.amount < amount, `${where}, ${amount}`)
          assert.equal(bestPath(query, below.amount + 1n), undefined, `${where}, ${amount}`)
        } else assert.ok(least === undefined || least > amount, `${where}, ${amount}`)
        if (above !== undefined) {
          assert.equal(bestPath(query, above.amount)?.output, above.output, where)
          assert.ok(above.amount > amount, `${where}, ${amount}`)
          assert.equal(bestPath(query, above.amount - 1n), undefined, `${where}, ${amount}`)
        } else assert.ok(most === undefined || most.amount < amount, `${where}, ${amount}`)
      }
    }
  }
  assert.ok(checked.accepted > 500 && checked.refused > 500, JSON.stringify(checked))
})
