import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { SplitAnswer } from '../../../src/operations/split/split-documents.js'
import { seeds } from '../../support/markets.js'
import { ask, legsOf, sum, usdc } from './asking.js'

const explained = async (members: object = {}) => {
  const answer = await ask({ explain: true, ...members })
  assert.ok(answer.explain !== undefined)
  return { answer, best: answer.routes[0]!, explain: answer.explain }
}

/** The output of a given split. */
const paid = async (legs: readonly { path: readonly string[]; amount: string }[], input: bigint) =>
  BigInt(
    (await ask({ legs, input: { denom: 'btc-btc', amount: `${input}` } })).routes[0]!
      .expected_output,
  )

describe('explaining a split', () => {
  test('changes no other member of the answer', async () => {
    const { explain: _, ...rest } = await ask({ explain: true })
    assert.equal(JSON.stringify(rest), JSON.stringify(await ask()))
  })

  test('lists the levels of every leg, hop by hop, which add up to what the hop sells and buys', async () => {
    for (const members of [{}, { grid: false }, { max_legs: 2 }, { affiliate: 'acme' }]) {
      const { best, explain } = await explained(members)
      assert.equal(explain.legs.length, best.legs.length)
      for (const [i, { levels }] of explain.legs.entries()) {
        const { hops } = best.legs[i]!
        assert.deepEqual(
          levels.map(({ address }) => address),
          hops.map(({ address }) => address),
        )
        for (const [n, hop] of levels.entries()) {
          const { input, output, fee, levels_used } = hops[n]!
          assert.equal(hop.levels.length, levels_used)
          assert.equal(sum(hop.levels.map(({ sold }) => sold)), BigInt(input.amount))
          assert.equal(
            sum(hop.levels.map(({ bought }) => bought)),
            BigInt(output.amount) + BigInt(fee.amount),
          )
        }
      }
    }
  })

  test('starts a later leg in a shared book where the earlier one ended', async () => {
    const [{ path } = { path: [] }] = legsOf(await ask())
    const legs = ['100000000', '50000000'].map((amount) => ({ path, amount }))
    const { explain } = await explained({ legs })
    const explanation = await explained({ path })
    const [first, second] = explain.legs.map(({ levels }) => levels[0]!.levels)
    const once = explanation.explain.legs[0]!.levels[0]!.levels
    assert.equal(second!.at(-1)!.rate, once.at(-1)!.rate)
    assert.equal(first![0]!.rate, once[0]!.rate)
    const sold = (levels: typeof once) => sum(levels.map((level) => level.sold))
    assert.equal(sold(first!) + sold(second!), sold(once))
  })

  test('gives the last step of a leg as the loss of the split without it', async () => {
    const { best, explain, answer } = await explained()
    const legs = legsOf(answer)
    const step = BigInt(explain.step)
    assert.equal(step, 7_500_000n)
    for (const [i, { last_output }] of explain.legs.entries()) {
      const less = legs.flatMap((leg, n) => {
        const amount = BigInt(leg.amount) - (n === i ? step : 0n)
        return amount > 0n ? [{ ...leg, amount: `${amount}` }] : []
      })
      const without = await paid(less, 150_000_000n - step)
      assert.equal(BigInt(last_output!), BigInt(best.expected_output) - without)
    }
  })

  test('gives unused paths a gap: the loss if the weakest step of the split moved to them', async () => {
    const { explain, best } = await explained()
    assert.ok(explain.unused.length > 0)
    const used = new Set(explain.legs.map(({ id }) => id))
    for (const { id, gap_bps, path, hops } of explain.unused) {
      assert.ok(!used.has(id))
      assert.equal(path.length, hops + 1)
      assert.ok(gap_bps >= 0, 'another path would have been better')
    }
    const gaps = explain.unused.map(({ gap_bps }) => gap_bps)
    assert.deepEqual(
      gaps,
      [...gaps].sort((a, b) => a - b),
    )
    assert.equal(best.legs.length, explain.legs.length)
  })

  test('gives a path excluded only by the limit on legs a negative gap', async () => {
    const { explain } = await explained({ max_legs: 1 })
    assert.equal(explain.legs.length, 1)
    assert.ok(explain.unused.some(({ gap_bps }) => gap_bps < 0))
  })

  test('lists the other splits with their gaps', async () => {
    const { answer, explain } = await explained({ limit: 25 })
    assert.deepEqual(
      explain.lost.map(({ id, legs, gap_bps, impact_bps }) => [id, legs, gap_bps, impact_bps]),
      answer.routes
        .slice(1)
        .map(({ id, legs, gap_bps, price_impact_bps }) => [
          id,
          legs.length,
          gap_bps,
          price_impact_bps,
        ]),
    )
  })

  test('of a given split searches nothing', async () => {
    const legs = legsOf(await ask())
    for (const members of [{ legs }, { path: legs[0]!.path }]) {
      const { explain } = await explained(members)
      assert.deepEqual([explain.unused, explain.rejected, explain.lost], [[], [], []])
      assert.equal(explain.examined, explain.legs.length)
    }
  })

  test('lists refused paths with their reasons, beside the frontier', async () => {
    const { answer, explain } = await explained({ frontier: true, output: { denom: usdc } })
    assert.ok(answer.frontier !== undefined)
    assert.ok(explain.examined > explain.legs.length)
    for (const { path, reason, detail } of explain.rejected)
      assert.ok(path.length > 0 && /^[a-z_]+$/.test(reason) && detail.length > 0)
  })

  test('works for any amount, down to a few atomics', async () => {
    for (const seed of seeds(6)) {
      const amount = `${3n ** BigInt(seed * 2 + 6)}`
      let answer: SplitAnswer
      try {
        answer = await ask({ input: { denom: 'btc-btc', amount }, explain: true })
      } catch {
        continue
      }
      const { explain, routes } = answer
      assert.ok(BigInt(explain!.step) > 0n)
      assert.equal(explain!.legs.length, routes[0]!.legs.length)
      for (const { last_output } of explain!.legs)
        assert.ok(last_output === null || BigInt(last_output) >= 0n, amount)
    }
  })
})
