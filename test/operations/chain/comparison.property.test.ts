import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { allAgree, compare } from '../../../src/operations/simulations.js'

const amount = fc.bigInt(1n, 2n ** 128n - 1n)

describe("comparing an amount with the contract's", () => {
  test("gives the contract's amount less ours as the difference, and applies the tolerance to the atomic", () => {
    fc.assert(
      fc.property(amount, amount, fc.nat(10_000), (computed, returned, tolerance) => {
        const { difference, agrees } = compare(
          computed,
          { kind: 'answered', returned, fee: 0n },
          tolerance,
        )
        assert.equal(BigInt(difference ?? ''), returned - computed)
        const off = returned > computed ? returned - computed : computed - returned
        assert.equal(agrees, off * 10_000n <= computed * BigInt(tolerance))
      }),
      { numRuns: 200 },
    )
  })

  test('accepts the largest difference within a tolerance, and refuses one atomic more', () => {
    fc.assert(
      fc.property(
        fc.bigInt(10_000n, 10n ** 24n),
        fc.integer({ min: 0, max: 500 }),
        (computed, bps) => {
          const most = (computed * BigInt(bps)) / 10_000n
          for (const sign of [1n, -1n]) {
            const at = (off: bigint) =>
              compare(computed, { kind: 'answered', returned: computed + sign * off, fee: 0n }, bps)
                .agrees
            assert.deepEqual([at(most), at(most + 1n)], [true, false])
          }
        },
      ),
      { numRuns: 100 },
    )
  })

  test('matches a refusal only with a refusal, and an unknown answer with nothing', () => {
    const refused = { kind: 'refused', why: 'no' } as const
    assert.equal(compare(undefined, refused).agrees, true)
    assert.equal(compare(5n, refused).agrees, false)
    assert.equal(compare(undefined, { kind: 'answered', returned: 1n, fee: 0n }).agrees, false)
    for (const computed of [undefined, 5n])
      assert.equal(compare(computed, { kind: 'unknown', why: 'gas' }).agrees, null)
    assert.deepEqual(
      [allAgree([]), allAgree([true, null]), allAgree([null, false]), allAgree([true])],
      [true, null, false, true],
    )
  })
})
