import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { newEnding } from '../../../src/chain/rpc/clock.js'
import { endpointOf, jitter, recordFault, recordSuccess } from '../../../src/chain/rpc/endpoint.js'
import {
  NodeFault,
  type NodeFaultDetails,
  type NodeFaultKind,
} from '../../../src/chain/rpc/faults.js'
import { defaultLimits } from '../../../src/chain/rpc/limits.js'
import { runs } from '../../support/books.js'
import { stoppedClock } from './time.js'

function stage(random = () => 0.5) {
  const clock = stoppedClock()
  const dependencies = { limits: defaultLimits, clock, random, ending: newEnding().signal }
  const endpoint = endpointOf('http://127.0.0.1:1', dependencies)
  const fail = (kind: NodeFaultKind = 'refused', facts: NodeFaultDetails = {}) =>
    recordFault(endpoint, new NodeFault(kind, endpoint.shown, 'failed', facts), clock.now())
  const restOf = () => Math.max(0, endpoint.pausedUntil - clock.now())
  return { clock, endpoint, fail, restOf }
}

describe('a failing endpoint', () => {
  test('is skipped for half of a doubling pause where the random number is one half', () => {
    const { clock, fail, restOf } = stage()
    const rests = Array.from({ length: 8 }, () => {
      fail()
      const rest = restOf()
      clock.skip(rest)
      return rest
    })
    assert.deepEqual(rests, [50, 100, 200, 400, 800, 1600, 2000, 2000])
  })

  test('is never skipped longer than the limit, nor for a negative time', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.integer({ min: 1, max: 100_000 }),
        (chance, failures) => {
          const { endpoint } = stage(() => chance)
          const pause = jitter(endpoint, failures)
          assert.ok(pause >= 0 && pause <= defaultLimits.pauseMostMs)
        },
      ),
      runs(200),
    )
  })

  test('counts one failure for all concurrent requests', () => {
    const { clock, endpoint, fail } = stage()
    const began = clock.now()
    clock.skip(10)
    fail()
    for (let other = 0; other < 20; other++)
      recordFault(endpoint, new NodeFault('reset', endpoint.shown, 'failed'), began)
    assert.equal(endpoint.failures, 1)
  })

  test('is reset by an answer, unless the answer is older than its fault', () => {
    const { clock, endpoint, fail, restOf } = stage()
    const began = clock.now()
    clock.skip(10)
    fail('rate_limited', { retryAfterMs: 5_000 })
    recordSuccess(endpoint, began)
    assert.equal(restOf(), 5_000)
    clock.skip(5_000)
    recordSuccess(endpoint, clock.now())
    assert.equal(endpoint.failures, 0)
    assert.equal(restOf(), 0)
  })

  test('is skipped for the requested pause, at most a minute', () => {
    for (const [asked, rests] of [
      [1_500, 1_500],
      [60_000, 60_000],
      [86_400_000, 60_000],
    ] as const) {
      const { fail, restOf } = stage()
      fail('rate_limited', { retryAfterMs: asked })
      assert.equal(restOf(), rests)
    }
  })

  test('of another chain is dropped', () => {
    const { endpoint, fail } = stage()
    fail('wrong_chain')
    assert.equal(endpoint.dropped?.kind, 'wrong_chain')
  })
})
