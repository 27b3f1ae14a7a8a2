import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { newEnding } from '../../../src/chain/rpc/clock.js'
import { endpointOf } from '../../../src/chain/rpc/endpoint.js'
import { readFromAny, survey } from '../../../src/chain/rpc/failover.js'
import { NodeFault } from '../../../src/chain/rpc/faults.js'
import { defaultLimits } from '../../../src/chain/rpc/limits.js'
import { check, fromEach, isTrusted, poolOf } from '../../../src/chain/rpc/node-pool.js'
import { findTx } from '../../../src/chain/tx/lookup.js'
import { CHAIN_ID, noPauses } from './stage.js'
import { skippingClock } from './time.js'

/** A pool of nodes at these heights; a node of none fails. */
function poolAt(heights: (number | undefined)[]) {
  const clock = skippingClock()
  const surroundings = {
    clock,
    random: () => 0,
    ending: newEnding().signal,
    limits: { ...defaultLimits, ...noPauses },
  }
  const endpoints = heights.map((_, i) => endpointOf(`http://127.0.0.1:${i + 1}`, surroundings))
  const pool = poolOf(
    CHAIN_ID,
    endpoints,
    async (endpoint) => {
      const height = heights[endpoints.indexOf(endpoint)]
      if (height === undefined) throw new NodeFault('timeout', endpoint.shown, 'failed')
      return { chainId: CHAIN_ID, height }
    },
    surroundings,
  )
  return { pool, clock, endpoint: endpoints[0]!, deadline: () => clock.now() + 5_000 }
}

describe('a pool of nodes', () => {
  test('trusts a node for a minute after its check, unless a later check fails', async () => {
    const heights: (number | undefined)[] = [10]
    const { pool, clock, endpoint, deadline } = poolAt(heights)
    assert.equal(isTrusted(pool, endpoint), false)
    await check(pool, endpoint, deadline())
    assert.equal(isTrusted(pool, endpoint), true)
    clock.skip(defaultLimits.checkMs)
    assert.equal(isTrusted(pool, endpoint), false)
    await check(pool, endpoint, deadline())
    heights[0] = undefined
    await assert.rejects(check(pool, endpoint, deadline()), { kind: 'timeout' })
    assert.equal(isTrusted(pool, endpoint), false)
  })

  test('is at the greatest height that a node reports', async () => {
    const { pool, deadline } = poolAt([9, 10, undefined, 8])
    assert.equal(await survey(pool, deadline()), 10)
  })

  test('of another chain alone fails with that, and does not say that a transaction is unknown', async () => {
    const { pool, endpoint, deadline } = poolAt([10])
    endpoint.dropped = new NodeFault('wrong_chain', 'node', 'is of another chain')
    const work = async () => 1
    await assert.rejects(fromEach(pool, deadline(), work), { kind: 'wrong_chain' })
    await assert.rejects(findTx(pool, 'AB'.repeat(32), 1_000), { kind: 'wrong_chain' })
  })

  test('asks a node at most three times in one call', async () => {
    const { pool, deadline } = poolAt([10])
    let asked = 0
    const attempt = async () => {
      asked += 1
      throw new NodeFault('timeout', 'node', 'failed')
    }
    await assert.rejects(readFromAny(pool, deadline(), attempt), NodeFault)
    assert.equal(asked, 3)
  })
})
