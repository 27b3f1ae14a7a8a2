import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { signOnly } from '../../src/cli/execution/modes.js'
import type { Invocation } from '../../src/cli/execution/session.js'
import { execute, resume } from '../../src/execution/execute.js'
import { journalIn, newIntentId } from '../../src/execution/journal/journal.js'
import type { Step } from '../../src/execution/session.js'
import type { SwapTerms } from '../../src/execution/task.js'
import { ownLock } from './script.js'
import { type Hook, type Stage, slippageFlag, stage } from './stage.js'
import { twoFaced } from './two-faced.js'

/** A first transaction that its node refused, and keeps in its mempool. */
async function refusedAndKept(
  terms: Partial<SwapTerms>,
): Promise<{ readonly at: Stage; readonly hash: string }> {
  const node = twoFaced()
  const at = await stage({ hook: node.hook })
  const first = await at.run({ ...terms, ...slippageFlag(300) })
  assert.equal(first.error?.code, 'OUTCOME_UNKNOWN')
  assert.equal(at.intents()[0]?.txs[0]?.state, 'refused')
  node.tellTheTruth()
  return { at, hash: first.report.txs[0]!.hash }
}

/** A second execution; the first transaction comes into a block while it is being confirmed. */
async function second(at: Stage, terms: Partial<SwapTerms>) {
  let confirmed = 0
  const confirm = async () => {
    confirmed += 1
    if (confirmed === 1) at.block()
  }
  const task = await at.order({ ...terms, ...slippageFlag(290) })
  const result = await execute(at.session({ confirm }), task, newIntentId)
  assert.equal(confirmed, 1)
  assert.equal(at.executed().length, 1)
  return result
}

/** A chain on which the first transaction comes into a block between settling and preparing. */
function includingFirst({ chain, block }: Stage): Stage['chain'] {
  let isIncluded = false
  return {
    ...chain,
    market: async () => {
      if (!isIncluded) block()
      isIncluded = true
      return chain.market()
    },
  }
}

/** Too little gas: the transaction fails in its block. */
const failing = { gas: 400_000n }

describe('a refused transaction that is included while a second one is confirmed', () => {
  test('is the result under the same key, and nothing is signed in addition', async () => {
    for (const mode of ['batch', 'legs'] as const) {
      const { at, hash } = await refusedAndKept({ once: 'monday', mode })
      const { report, error } = await second(at, { once: 'monday', mode })
      assert.equal(error, undefined)
      assert.equal(report.replayed, true)
      assert.equal(report.status, 'confirmed')
      assert.equal(report.txs[0]?.hash, hash)
      assert.deepEqual(
        at.intents().flatMap(({ txs }) => txs.map(({ state }) => state)),
        ['replaced', 'included'],
      )
    }
  })

  test('is the result under the same key also where it failed', async () => {
    const { at, hash } = await refusedAndKept({ once: 'monday', ...failing })
    const { report, error } = await second(at, { once: 'monday' })
    assert.equal(error?.code, 'TX_FAILED')
    assert.equal(report.replayed, true)
    assert.equal(report.status, 'failed')
    assert.equal(report.txs[0]?.hash, hash)
  })

  test('refuses another request under its key, for which a transaction was signed and nothing executed', async () => {
    const { at } = await refusedAndKept({ once: 'monday', request: 'execute 100 rune usdc' })
    const [{ id } = { id: '' }] = at.intents()
    await assert.rejects(second(at, { once: 'monday', request: 'execute 99 rune usdc' }), {
      code: 'INVALID_REQUEST',
      why: `under it ${id} executed: execute 100 rune usdc`,
      hint: /^nothing was executed for this one; /,
    })
    assert.equal(at.executed().length, 1)
    assert.equal(at.intents().length, 2)
  })

  test('is reported where there is no key, since another run would execute both', async () => {
    const { at, hash } = await refusedAndKept({})
    const { report, error } = await second(at, {})
    assert.equal(report.status, 'replaced')
    assert.equal(error?.code, 'TX_FAILED')
    assert.match(error?.message ?? '', /earlier transaction .* was executed in place of this one/)
    assert.match(error?.why ?? '', new RegExp(`refused ${hash}, and it is in block`))
    assert.match(error?.hint ?? '', new RegExp(`swap tx show ${hash}; .* only to execute this one`))
  })

  test('and failed ends the second where there is no key, and the next run is a new one', async () => {
    const { at, hash } = await refusedAndKept(failing)
    const { report, error } = await second(at, {})
    assert.equal(report.status, 'replaced')
    assert.match(error?.message ?? '', /another transaction of this account took its place/)
    assert.match(error?.why ?? '', new RegExp(hash))
    assert.equal((await at.run()).report.status, 'confirmed')
  })
})

describe('a refused transaction that the same call follows at the same height', () => {
  test('is not signed again with equal bytes, which two entries would report as their own', async () => {
    for (const mode of ['batch', 'legs'] as const) {
      const { at } = await refusedAndKept({ mode })
      await at.run({ mode, ...slippageFlag(300) })
      const [first, second] = at.intents().map(({ txs }) => txs[0]!)
      assert.equal(first!.signed_height, second!.signed_height)
      assert.equal(first!.sequence, second!.sequence)
      assert.notEqual(first!.hash, second!.hash)
      at.block()
      assert.equal(at.executed().length, 1)
    }
  })
})

test('a refused transaction is excluded by the first leg of a swap in several transactions', async () => {
  const node = twoFaced({ keeps: false })
  const at = await stage({ hook: node.hook })
  assert.equal((await at.run(slippageFlag(300))).error?.code, 'OUTCOME_UNKNOWN')
  node.tellTheTruth()
  const task = await at.order({ mode: 'legs', ...slippageFlag(290) }, 2n * 10n ** 13n)
  assert.equal(task.requested.legs.length, 2)
  const { error, report } = await execute(at.session(), task, newIntentId)
  assert.equal(error, undefined)
  assert.deepEqual([report.status, at.executed().length], ['confirmed', 2])
})

describe('a refused transaction that is included before a second one is prepared', () => {
  test('stops that one, and is the result of the next run under the same key', async () => {
    const { at, hash } = await refusedAndKept({ once: 'monday' })
    const task = await at.order({ once: 'monday', ...slippageFlag(290) })
    await assert.rejects(execute(at.session({ chain: includingFirst(at) }), task, newIntentId), {
      code: 'BUSY',
      hint: new RegExp(`swap tx wait ${hash}`),
    })
    const next = await at.run({ once: 'monday' })
    assert.equal(next.report.replayed, true)
    assert.equal(next.report.txs[0]?.hash, hash)
    assert.equal(at.executed().length, 1)
  })

  test('keeps --sign-only from printing that one', async () => {
    const { at } = await refusedAndKept({ once: 'monday' })
    const task = await at.order({ once: 'monday', ...slippageFlag(290) })
    const printed: string[] = []
    const call = {
      context: {
        out: { result: async (text: string) => void printed.push(text) },
        form: { quiet: 0 },
      },
      parts: { newId: newIntentId },
    } as unknown as Invocation
    const session = at.session({ chain: includingFirst(at) })
    await assert.rejects(signOnly(call, session, task), { code: 'BUSY' })
    assert.deepEqual(printed, [])
    assert.equal(at.intents().length, 1)
  })
})

describe('a refused transaction beside a leg that was executed', () => {
  /** A swap of two legs on a node that refuses every transaction after the first one. */
  async function secondRefused(node: ReturnType<typeof twoFaced>) {
    let sent = 0
    const hook: Hook = (request, next) => {
      if (request.body.includes('broadcast_tx_sync')) sent += 1
      return sent > 1 ? node.hook(request, next) : next()
    }
    const at = await stage({ hook })
    const task = await at.order({ mode: 'legs', ...slippageFlag(300) }, 2n * 10n ** 13n)
    return { at, task }
  }

  test('is named where it is executed in place of the rest of a resumed swap', async () => {
    const node = twoFaced()
    const { at, task } = await secondRefused(node)
    const stopping = new AbortController()
    const progress = ({ stage: step }: Step) => step === 'verified' && stopping.abort()
    const stopped = { interrupt: stopping.signal, progress: (step: Step) => void progress(step) }
    await execute(at.session(stopped), task, newIntentId)
    const [intent] = at.intents()
    const other = await at.run(slippageFlag(290))
    assert.equal(other.error?.code, 'OUTCOME_UNKNOWN')
    node.tellTheTruth()
    const confirm = async () => at.block()
    const { report, error } = await resume(at.session({ confirm }), intent!, async () => task)
    assert.deepEqual([error?.code, report.status], ['PARTIALLY_EXECUTED', 'partial'])
    assert.match(error?.message ?? '', /earlier transaction .* was executed in place of this one/)
    assert.match(error?.why ?? '', new RegExp(`refused ${other.report.txs[0]!.hash}, and it is in`))
  })

  test('is not mixed up with that leg where another program used the sequence', async () => {
    const node = twoFaced({ keeps: false })
    const { at, task } = await secondRefused(node)
    const { report: first } = await execute(at.session(), task, newIntentId)
    assert.deepEqual(
      first.txs.map(({ state }) => state),
      ['included', 'refused'],
    )
    node.tellTheTruth()
    const elsewhere = { journal: journalIn(join(at.folder, 'elsewhere')), lock: ownLock }
    const confirm = async () => void (await at.run(slippageFlag(290), elsewhere))
    const second = await at.order(slippageFlag(300))
    const { report, error } = await execute(at.session({ confirm }), second, newIntentId)
    assert.equal(report.status, 'replaced')
    assert.equal(error?.message, 'another transaction of this account took its place')
  })
})

describe('a printed transaction that is being broadcast', () => {
  test('remains one that this program sends, whatever a call read before it waited for the lock', async () => {
    const at = await stage()
    await at.run({ wait: 'none' })
    const [intent] = at.intents()
    at.journal.put({ ...intent!, mode: 'bytes' })
    const { report } = await resume(at.session(), { ...intent!, mode: 'handed' })
    assert.equal(report.status, 'confirmed')
    assert.equal(at.intents()[0]!.mode, 'bytes')
  })
})
