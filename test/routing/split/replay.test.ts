import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import {
  type Executed,
  isFailed,
  type Portion,
  replayer,
} from '../../../src/routing/split/replay.js'
import { drawMarket, seeds, shuffled } from '../../support/markets.js'
import { allWays } from './brute-force.js'
import { ask } from './questions.js'

describe('executing many divisions of one question', () => {
  test('legs that were executed before, in other orders, change no result', () => {
    let executed = 0
    for (const seed of seeds(40)) {
      const drawn = drawMarket(seed)
      const { query, input } = ask(drawn, { maxHops: 3 })
      const ways = allWays(query).slice(0, 4)
      const legs = ways.map(
        (way, i): Portion => ({ way, amount: input.amount / BigInt(2 + i) + 1n }),
      )
      const run = replayer(query)
      for (let i = 0; i < 6; i += 1) {
        const portions = shuffled(drawn.random, legs).slice(0, 3)
        const [known, fresh] = [run(portions), replayer(query)(portions)]
        assert.equal(isFailed(known), isFailed(fresh), `seed ${seed}`)
        if (isFailed(known) || isFailed(fresh)) continue
        executed += 1
        assert.equal(known.total, fresh.total, `seed ${seed}`)
        for (const [k, { before, execution }] of known.legs.entries()) {
          const other: Executed = fresh.legs[k]!
          assert.equal(execution.recipient, other.execution.recipient)
          assert.deepEqual([...before.router.balances], [...other.before.router.balances])
          assert.deepEqual(
            [...execution.after.books].map(([address, { state }]) => [address, state]),
            [...other.execution.after.books].map(([address, { state }]) => [address, state]),
          )
        }
      }
    }
    assert.ok(executed >= 30, `${executed} executed`)
  })
})
