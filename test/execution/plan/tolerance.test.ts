import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { Market } from '../../../src/engine/market/market.js'
import { requireFresh } from '../../../src/execution/plan/expiry.js'
import { planOf } from '../../../src/execution/plan/plan.js'
import {
  requestedMinimum,
  toleranceOf,
  totalMinimum,
  withRest,
} from '../../../src/execution/plan/tolerance.js'
import type { RequestedSwap, Slippage, SwapTask } from '../../../src/execution/task.js'
import type { MarketView } from '../../../src/operations/context.js'
import { intent, tx } from '../script.js'
import { usualTerms } from '../stage.js'

const leg = {
  funds: { denom: 'btc-btc', amount: 100n },
  output: 'rune',
  pairs: ['thor1pair'],
  quoted: 10n,
  least: 9n,
}
const swap = { legs: [leg, leg], slippageBps: 50, isExternal: false } as unknown as RequestedSwap
const taskOf = (minOut?: bigint) =>
  ({ requested: swap, terms: { ...usualTerms, minOut } }) as unknown as SwapTask

describe('a tolerance', () => {
  const set = (flag?: number, configured?: number) => ({ flag, configured, builtIn: 40 })
  test('of a fresh quote does not bind an unattended execution, that of a document does', () => {
    const document = { ...swap, isExternal: true }
    const none = { ...swap, slippageBps: undefined }
    const unattended = [
      [set(300, 100), swap, 100, 'configuration'],
      [set(300, 100), document, 50, 'quote'],
      [set(undefined, 100), swap, 100, 'configuration'],
      [set(), swap, 50, 'quote'],
      [set(), none, 40, 'default'],
    ] as const
    for (const [slippage, requested, bps, source] of unattended)
      assert.deepEqual(toleranceOf({ unattended: true, slippage }, requested), { bps, source })
  })

  test('that a person confirms is the first that is set: the flag, the quote, the configuration', () => {
    const of = (slippage: Slippage, slippageBps?: number) =>
      toleranceOf({ unattended: false, slippage }, { ...swap, slippageBps }).bps
    const found = [of(set(300, 100), 50), of(set(undefined, 30), 50), of(set(undefined, 100))]
    assert.deepEqual([...found, of(set())], [300, 50, 100, 40])
  })
})

describe('legs of two trades', () => {
  test('are not planned: their amounts would be added up', async () => {
    const requested = { ...swap, legs: [leg, { ...leg, output: 'tcy' }] }
    const market = {} as MarketView
    await assert.rejects(planOf(market, { ...taskOf(), requested }), { code: 'QUOTE_MISMATCH' })
  })
})

describe('a minimum', () => {
  test('is the greater one of an output and a profit', () => {
    const of = (minOut?: bigint, minProfit?: bigint) =>
      requestedMinimum(swap, { minOut, minProfit })
    assert.deepEqual([of(), of(150n), of(undefined, 1n)], [0n, 150n, 201n])
    assert.deepEqual([of(150n, 1n), of(250n, 1n)], [201n, 250n])
  })

  const rows = [
    [undefined, undefined, 0n],
    [20n, undefined, 20n],
    [20n, 15n, 24n],
    [30n, 15n, 30n],
  ] as const
  for (const [kept, asked, total] of rows)
    test(`of ${kept} in all, resumed with ${asked} for the second leg: ${total}`, () => {
      assert.equal(totalMinimum(taskOf(asked), undefined), asked ?? 0n)
      const resumed = {
        ...intent,
        legs: [intent.legs[0]!, intent.legs[0]!],
        ...(kept !== undefined && { min_out: `${kept}` }),
        txs: [{ ...tx, state: 'included', code: 0 } as const],
      }
      assert.equal(totalMinimum(taskOf(asked), resumed), total)
    })
})

test('a later transaction has what is missing of the total as its minimum, no age and no share', () => {
  const task = taskOf()
  const terms = { ...task.terms, minProfit: 5n, shareOf: leg.funds }
  const asked = { ...task, requested: { ...swap, time: '2026-11-21T00:00:00Z' }, terms }
  const legs = [{ ...intent.legs[0]!, min_return: '30' }, intent.legs[0]!]
  const left = { total: 100n, legs: [1], isConfirmed: false }
  const rest = withRest(asked, { ...intent, legs }, left) as SwapTask
  assert.deepEqual(rest.terms, {
    ...task.terms,
    minOut: 70n,
    minProfit: undefined,
    shareOf: undefined,
  })
  assert.equal(rest.requested.time, undefined)
  assert.equal(withRest(asked, undefined, { ...left, legs: [0] }), asked)
})

describe('the age of a quote', () => {
  const rows = [
    [30_000, 0, undefined],
    [30_001, 0, 'QUOTE_EXPIRED'],
    [-30_000, 0, undefined],
    [-30_001, 0, 'QUOTE_MISMATCH'],
    [0, 501, undefined],
    [0, 500, 'QUOTE_EXPIRED'],
  ] as const
  for (const [age, timeout, code] of rows)
    test(`of ${age} ms with the timeout height ${timeout} at block 500: ${code ?? 'fresh'}`, () => {
      const time = (ms: number) => new Date(Date.UTC(2026, 10, 21) + ms).toISOString()
      const requested = { ...swap, time: time(0), timeoutHeight: BigInt(timeout) }
      const check = () =>
        requireFresh(requested, usualTerms, { height: 500, time: time(age) } as Market)
      if (code === undefined) check()
      else
        assert.throws(check, {
          code,
          members: timeout
            ? { timeout_height: timeout, height: 500 }
            : { age_ms: age, max_age_ms: 30_000 },
        })
    })
})
