import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { suitableSlippage } from '../../../src/operations/slippage/choose-slippage.js'

/** So many executions of no drift, and these drifts in basis points. */
const drifts = (count: number, ...bps: readonly number[]): Float64Array =>
  Float64Array.from([
    ...Array<number>(count - bps.length).fill(0),
    ...bps.map((b) => b * 100),
  ]).sort()
const none = drifts(1_000)
const choose = (forward: Float64Array, backward = none, quantileBps = 9_900) =>
  suitableSlippage({ forward, backward }, { quantileBps, most: 50 })
const twelve = Array<number>(12).fill(20)

describe('the slippage that recorded moves suggest', () => {
  test('lets at least the covered share pass', () => {
    assert.deepEqual(choose(drifts(1_000, ...twelve)), {
      bps: 20,
      move: 2_000,
      isLimited: false,
      refused: 0,
    })
    assert.equal(choose(drifts(1_000, ...twelve), none, 9_800).move, 0)
  })

  test('is rounded up to a basis point, up to the greatest allowed one', () => {
    assert.equal(choose(drifts(1_000, 20.01), none, 10_000).bps, 21)
    const { bps, isLimited } = choose(drifts(1_000, ...Array<number>(12).fill(50)))
    assert.deepEqual([bps, isLimited], [50, false])
    assert.equal(choose(drifts(1_000, ...Array<number>(60).fill(50)), none, 9_000).bps, 50)
  })

  test('is raised where each further basis point lets one more of 2,000 moves pass', () => {
    // 8 of 2,000 moves are beyond 1 bps: they are worth 8 bps.
    const eight = Array<number>(8)
    assert.equal(choose(drifts(1_000, ...eight.fill(8))).bps, 8)
    assert.equal(choose(drifts(1_000, ...eight.fill(9))).bps, 1)
    assert.equal(choose(drifts(1_000, ...eight.fill(10))).bps, 1)
    assert.equal(choose(drifts(1_000, ...eight.fill(10))).refused, 8)
  })

  test('counts moves of the other direction as well', () => {
    const moves = drifts(1_000, ...Array<number>(8).fill(10))
    assert.deepEqual(choose(moves, moves), { bps: 10, move: 0, isLimited: false, refused: 0 })
  })

  test('is the greatest allowed one where the covered share demands more', () => {
    const volatile = drifts(1_000, ...Array<number>(12).fill(80))
    assert.deepEqual(choose(volatile), { bps: 50, move: 8_000, isLimited: true, refused: 12 })
    const failing = drifts(1_000, ...Array<number>(12).fill(Number.POSITIVE_INFINITY))
    assert.deepEqual([choose(failing).bps, choose(failing).isLimited], [50, true])
  })
})
