import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { Router } from '../../../src/engine/market/market.js'
import { isRefusal } from '../../../src/engine/market/refusal.js'
import {
  executePath,
  type PathExecution,
  type RouterState,
} from '../../../src/engine/market/router.js'
import type { PathQuery } from '../../../src/engine/routing/query.js'
import { isFailed, type LegAmount, legExecutor } from '../../../src/engine/splits/execute-legs.js'
import { drawMarket } from '../../support/drawn-market.js'
import { seeds, shuffled } from '../../support/markets.js'
import { allPaths } from './brute-force.js'
import { ask } from './questions.js'

type Message = { readonly router: Router; readonly done: PathExecution }

const heldIn = ({ balances }: Router) => [...balances].filter(([, held]) => held > 0n).sort()

/**
 * The result of the router's contract for the legs, message after message; undefined if one fails, or if a
 * hop takes only a part or pays nothing.
 */
function onChain(
  { graph, from, to, limits }: PathQuery,
  legAmounts: readonly LegAmount[],
): { readonly failedAt: number } | { readonly legs: readonly Message[] } {
  let world: RouterState = graph.market
  const legs: Message[] = []
  for (const { path, amount } of legAmounts) {
    const done = executePath(
      world,
      path.map(({ book }) => book.state.pair.address),
      { denom: graph.denoms[from]!, amount },
      { minReturn: { denom: graph.denoms[to]!, amount: 1n }, affiliate: limits.affiliate },
    )
    if (isRefusal(done) || done.hops.some(({ unsold, bought }) => unsold > 0n || bought === 0n))
      return { failedAt: legs.length }
    legs.push({ router: world.router, done })
    world = done.after
  }
  return { legs }
}

describe('executing several splits of one query', () => {
  test('pays for every leg what the router pays, whatever was executed before', () => {
    let executed = 0
    let shared = 0
    let failed = 0
    for (const seed of seeds(30)) {
      const drawn = drawMarket(seed)
      const { query, input } = ask(drawn, { maxHops: 3 })
      const paths = allPaths(query).slice(0, 5)
      const legs = paths.map(
        (path, i): LegAmount => ({ path, amount: input.amount / BigInt(2 + i) + 1n }),
      )
      const run = legExecutor(query)
      for (let i = 0; i < 6; i += 1) {
        const legAmounts = shuffled(drawn.random, legs).slice(0, 3)
        const [computed, chain] = [run(legAmounts), onChain(query, legAmounts)]
        if (isFailed(computed)) {
          assert.ok('failedAt' in chain && chain.failedAt === computed.failedAt, `seed ${seed}`)
          failed += 1
          continue
        }
        assert.ok('legs' in chain, `seed ${seed} fails on the chain`)
        executed += 1
        const books = legAmounts.flatMap(({ path }) => path.map(({ book }) => book))
        if (new Set(books).size < books.length) shared += 1
        for (const [k, { router, hops, recipient }] of computed.legs.entries()) {
          const { router: before, done }: Message = chain.legs[k]!
          assert.equal(recipient, done.recipient, `seed ${seed}`)
          assert.deepEqual(heldIn(router), heldIn(before))
          for (const [
            h,
            {
              fill: { sold, bought, fee },
            },
          ] of hops.entries()) {
            const hop = done.hops[h]!
            assert.deepEqual([sold, bought, fee], [hop.sold, hop.bought, hop.fee], `seed ${seed}`)
          }
        }
        assert.equal(
          computed.total,
          chain.legs.reduce((sum, { done }) => sum + done.recipient, 0n),
        )
      }
    }
    assert.ok(executed >= 20 && shared >= 6, `${executed} executed, ${shared} with shared books`)
    assert.ok(failed >= 5, `${failed} failed`)
  })
})
