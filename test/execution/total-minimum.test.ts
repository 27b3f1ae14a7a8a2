import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { execute, resume } from '../../src/execution/execute.js'
import { newIntentId } from '../../src/execution/journal/journal.js'
import type { Step } from '../../src/execution/session.js'
import type { SwapTask, SwapTerms } from '../../src/execution/task.js'
import { type Stage, slippageFlag, stage } from './stage.js'

/** An amount that is best sold in two legs. */
const AMOUNT = 2n * 10n ** 13n

const paidFor = ({ requested }: SwapTask): bigint =>
  requested.legs.reduce((sum, { funds }) => sum + funds.amount, 0n)

/** A swap of two legs, a transaction each, with a total minimum of so many basis points of its quote. */
async function swapOf(
  at: Stage,
  bps: bigint,
  terms: (minimum: bigint, task: SwapTask) => Partial<SwapTerms> = (minOut) => ({ minOut }),
): Promise<{ readonly task: SwapTask; readonly minimum: bigint }> {
  const task = await at.order({ mode: 'legs', ...slippageFlag(100) }, AMOUNT)
  assert.equal(task.requested.legs.length, 2)
  const quoted = task.requested.legs.reduce((sum, leg) => sum + leg.quoted!, 0n)
  const minimum = (quoted * bps) / 10_000n
  return { task: { ...task, terms: { ...task.terms, ...terms(minimum, task) } }, minimum }
}

const sumOf = (amounts: readonly (string | null)[]): bigint =>
  amounts.reduce((sum, amount) => sum + BigInt(amount ?? 0), 0n)

/** Executes a swap, stopped by the user once its first leg is verified. */
async function stoppedAfterFirst(at: Stage, task: SwapTask): Promise<void> {
  const stopping = new AbortController()
  const progress = ({ stage: name }: Step) => name === 'verified' && stopping.abort()
  const session = at.session({
    interrupt: stopping.signal,
    progress: (step) => void progress(step),
  })
  const { error, report } = await execute(session, task, newIntentId)
  assert.equal(error?.code, 'PARTIALLY_EXECUTED')
  assert.equal(report.legs[1]?.received, null)
}

/** Another sale, after which the second leg pays less. */
async function fallOfPrices(at: Stage): Promise<void> {
  const task = await at.order(slippageFlag(500), AMOUNT / 2n)
  const { error } = await execute(at.session(), task, newIntentId)
  assert.equal(error, undefined)
}

describe('a total minimum of legs in several transactions', () => {
  test('applies to their sum', async () => {
    const asProfit = (minimum: bigint, task: SwapTask) => ({ minProfit: minimum - paidFor(task) })
    for (const [bps, terms] of [[9_900n], [10_000n], [9_950n, asProfit]] as const) {
      const at = await stage()
      const { task, minimum } = await swapOf(at, bps, terms)
      const { report, error } = await execute(at.session(), task, newIntentId)
      assert.equal(error, undefined)
      assert.equal(at.executed().length, 2)
      assert.ok(BigInt(report.min_return.amount) >= minimum)
      assert.ok(sumOf(report.legs.map(({ received }) => received)) >= minimum)
    }
  })

  test('also applies to a resumption that allows more slippage', async () => {
    const at = await stage()
    const { task, minimum } = await swapOf(at, 9_980n)
    await stoppedAfterFirst(at, task)
    const [intent] = at.intents()
    const terms = { ...task.terms, ...slippageFlag(300), minOut: undefined, unattended: false }
    const { report, error } = await resume(at.session(), intent!, async () => ({ ...task, terms }))
    assert.equal(error, undefined)
    assert.equal(report.status, 'confirmed')
    assert.ok('legs' in report && BigInt(report.min_return.amount) >= minimum)
  })

  test('stops the rest where prices fall below it, also when that is resumed', async () => {
    const at = await stage()
    const { task } = await swapOf(at, 10_000n)
    await stoppedAfterFirst(at, task)
    const [intent] = at.intents()
    await fallOfPrices(at)
    const before = at.executed().length
    const terms = { ...task.terms, ...slippageFlag(3_000), minOut: undefined, unattended: false }
    const again = async () => ({ ...task, terms: { ...terms, maxImpactBps: 9_000 } })
    const { report, error } = await resume(at.session(), intent!, again)
    assert.equal(error?.members['cause'], 'ASSERTION_FAILED')
    assert.match(error?.why ?? '', /pays less than you ask for/)
    assert.equal(report.status, 'partial')
    assert.equal(at.executed().length, before)
  })
})
