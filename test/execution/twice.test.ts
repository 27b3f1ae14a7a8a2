import assert from 'node:assert/strict'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { SwapError } from '../../src/engine/errors.js'
import { execute, executedBefore, resume } from '../../src/execution/execute.js'
import { storageFailure } from '../../src/execution/journal/durable.js'
import type { Intent } from '../../src/execution/journal/intent.js'
import { newIntentId } from '../../src/execution/journal/journal.js'
import { ledgerIn } from '../../src/execution/journal/ledger-file.js'
import { spentLastDay } from '../../src/execution/plan/limits.js'
import type { SwapTask } from '../../src/execution/task.js'
import { longTest } from '../support/long.js'
import { type Stage, slippageFlag, stage } from './stage.js'
import { twoFaced } from './two-faced.js'

/** The same document, handed in: what is executed once. */
const given = (
  { requested, ...task }: SwapTask,
  terms: Partial<SwapTask['terms']> = {},
): SwapTask => ({
  ...task,
  terms: { ...task.terms, ...terms },
  requested: { ...requested, quoteId: 'q_7f3a91c2', isExternal: true },
})

const run = ({ session }: Stage, task: SwapTask) => execute(session(), task, newIntentId)

describe('the same quote a second time', () => {
  test('gives the first result, also when the quote has expired by then', async () => {
    const at = await stage()
    const task = given(await at.order())
    const first = await run(at, task)
    assert.equal(first.report.status, 'confirmed')
    const second = await run(at, task)
    assert.equal(second.error, undefined)
    assert.deepEqual(second.report, { ...first.report, replayed: true })
    for (let left = 40; left > 0; left -= 1) at.block()
    assert.deepEqual((await run(at, task)).report, second.report)
    assert.equal(at.executed().length, 1)
  })

  test('is executed again with --again', async () => {
    const at = await stage()
    const task = given(await at.order(slippageFlag(500)))
    await run(at, task)
    const again = await run(at, given(task, { again: true }))
    assert.equal(again.report.replayed, false)
    assert.equal(at.executed().length, 2)
  })

  test('is executed where only its id is that of the first, which a document can be made to have', async () => {
    const at = await stage()
    const first = await run(at, given(await at.order(slippageFlag(500))))
    const other = await run(at, given(await at.order(slippageFlag(500), 10n ** 9n)))
    assert.equal(other.report.replayed, false)
    assert.notEqual(other.report.id, first.report.id)
    assert.equal(other.report.spent[0]?.amount, `${10n ** 9n}`)
    assert.equal(at.executed().length, 2)
  })

  longTest('follows the first transaction where that one may still be included', async () => {
    const at = await stage()
    at.fail({ kind: 'timeout' })
    const task = given(await at.order({ waitMs: 3_000 }))
    const first = await run(at, task)
    assert.equal(first.error?.code, 'OUTCOME_UNKNOWN')
    at.heal()
    const second = await run(at, task)
    assert.equal(second.report.id, first.report.id)
    assert.equal(second.report.status, 'confirmed')
    assert.equal(at.executed().length, 1)
  })

  test('is a new execution where the first had no effect', async () => {
    const at = await stage()
    const task = given(await at.order())
    at.fail({ kind: 'funds' })
    assert.equal((await run(at, task)).error?.members['cause'], 'INSUFFICIENT_FUNDS')
    at.heal()
    // The node's check counts what it has refused, until the next block.
    at.block()
    const second = await run(at, task)
    assert.equal(second.report.status, 'confirmed')
    assert.equal(second.report.replayed, false)
    assert.equal(at.executed().length, 1)
  })

  longTest('is a new execution for another account, or if it was quoted by this call', async () => {
    const at = await stage()
    const task = given(await at.order(slippageFlag(500)))
    await run(at, task)
    const { requested } = task
    const own = await run(at, { ...task, requested: { ...requested, isExternal: false } })
    assert.equal(own.report.replayed, false)
    const elsewhere = { chainId: at.chain.chainId, address: 'demo1other' }
    assert.deepEqual(at.journal.ofQuote('q_7f3a91c2', elsewhere), [])
    assert.equal(at.executed().length, 2)
  })
})

describe('the same key', () => {
  test('is refused for another request, and signs nothing', async () => {
    const at = await stage()
    await at.run({ once: 'monday', request: 'execute 1 btc rune' })
    await assert.rejects(at.run({ once: 'monday', request: 'execute 2 btc rune' }), {
      code: 'INVALID_REQUEST',
    })
    assert.equal(at.executed().length, 1)
  })

  test('can be used for another request where the first one had no effect', async () => {
    const at = await stage()
    const first = await at.run({ once: 'monday', request: 'execute 1 btc rune' })
    const [intent] = at.intents()
    const txs = intent!.txs.map((tx) => ({ ...tx, state: 'expired' as const }))
    at.journal.put({ ...intent!, txs })
    const second = await at.run({ once: 'monday', request: 'execute 2 btc rune' })
    assert.equal(second.report.replayed, false)
    assert.notEqual(second.report.id, first.report.id)
  })

  test('whose first transaction a node refused but included in a block is not executed twice', async () => {
    const node = twoFaced()
    const at = await stage({ hook: node.hook })
    const first = await at.run({ once: 'monday' })
    assert.equal(first.error?.code, 'OUTCOME_UNKNOWN')
    node.tellTheTruth()
    at.block()
    assert.equal(at.executed().length, 1)
    const second = await at.run({ once: 'monday' })
    assert.equal(second.report.replayed, true)
    assert.equal(second.report.status, 'confirmed')
    assert.equal(at.executed().length, 1)
  })

  test('is reported from such a block also where the market or the balance allows no second one', async () => {
    const node = twoFaced()
    const at = await stage({ hook: node.hook })
    await at.run({ once: 'monday' })
    node.tellTheTruth()
    const keyed = { once: 'monday', isOrder: false }
    const first = () => executedBefore(at.session(), keyed, at.account.address)
    assert.equal(await first(), undefined)
    at.block()
    const { report } = (await first())!
    assert.deepEqual([report.status, report.replayed], ['confirmed', true])
  })

  longTest('gives its first result also when no node has the transaction any more', async () => {
    const at = await stage()
    const first = await at.run({ once: 'monday' })
    const forgetful = {
      ...at.chain,
      find: async () => undefined,
      scan: async () => ({ kind: 'incomplete' as const, why: 'pruned', passes: false }),
    }
    const task = await at.order({ once: 'monday' })
    const second = await execute(at.session({ chain: forgetful }), task, newIntentId)
    assert.deepEqual(second.report, { ...first.report, replayed: true })
    const [intent] = at.intents()
    assert.deepEqual((await resume(at.session({ chain: forgetful }), intent!)).report, first.report)
  })
})

describe('a journal that cannot be used', () => {
  test('before a signature sends nothing', async () => {
    const at = await stage()
    const task = await at.order()
    writeFileSync(join(at.folder, 'journal'), 'in the way')
    await assert.rejects(run(at, task), { code: 'NOT_READY' })
    assert.deepEqual(at.executed(), [])
    rmSync(join(at.folder, 'journal'))
    assert.equal((await run(at, task)).report.status, 'confirmed')
  })

  test('from any write on leaves a correct report, also in the next run', async () => {
    for (const room of [1, 2, 3, 4]) {
      const at = await stage()
      let left = room
      const journal = {
        ...at.journal,
        put(intent: Parameters<typeof at.journal.put>[0]) {
          left -= 1
          if (left >= 0) return at.journal.put(intent)
          const error = Object.assign(new Error('full'), { code: 'ENOSPC', syscall: 'write' })
          throw storageFailure('the journal', at.folder, error)
        },
      }
      const task = await at.order({ once: 'monday' })
      const done = await execute(at.session({ journal }), task, newIntentId).catch((e) => e)
      const isSent = at.executed().length === 1
      // The first write is the signed transaction, the second that it is being sent.
      assert.equal(isSent, room >= 2)
      if (isSent) assert.equal(done.report.status, 'confirmed')
      else assert.equal(done.code, 'NOT_READY')
      if (isSent && room < 4) assert.match(done.unwritten?.message ?? '', /cannot be used/)
      const next = await at.run({ once: 'monday' })
      assert.equal(next.report.status, 'confirmed')
      assert.equal(next.report.replayed, isSent)
      assert.equal(at.executed().length, 1)
    }
  })

  test('before the second leg is sent reports the first one, and what was signed can be resumed', async () => {
    const at = await stage()
    const journal = {
      ...at.journal,
      put(intent: Intent) {
        const [, next] = intent.txs
        if (next?.state !== 'sent') return at.journal.put(intent)
        throw new SwapError('NOT_READY', 'the journal cannot be used')
      },
    }
    const task = await at.order({ mode: 'legs', ...slippageFlag(100) }, 2n * 10n ** 13n)
    const { error, report } = await execute(at.session({ journal }), task, newIntentId)
    assert.equal(error?.code, 'PARTIALLY_EXECUTED')
    assert.equal(error?.members['cause'], 'NOT_READY')
    assert.match(error?.why ?? '', /what was signed was not sent/)
    assert.deepEqual(
      report.txs.map(({ state }) => state),
      ['included', 'signed'],
    )
    assert.equal(at.executed().length, 1)
    const [intent] = at.intents()
    assert.equal((await resume(at.session(), intent!)).report.status, 'confirmed')
    assert.equal(at.executed().length, 2)
  })

  test('after a signature does not hide from the limits what the same bytes sell later', async () => {
    const at = await stage()
    let writes = 0
    const journal = {
      ...at.journal,
      put(intent: Parameters<typeof at.journal.put>[0]) {
        writes += 1
        if (writes === 1) return at.journal.put(intent)
        throw storageFailure('the journal', at.folder, new Error('full'))
      },
    }
    const limits = { perTx: undefined, perDay: 10n ** 12n }
    await at.run({ limits }, { journal }).catch(() => undefined)
    const second = await at.run({ limits })
    assert.equal(second.report.status, 'confirmed')
    const [sold, first] = at.intents()
    assert.equal(sold!.txs[0]!.hash, first!.txs[0]!.hash)
    assert.equal(first!.txs[0]!.state, 'abandoned')
    const records = { ledger: ledgerIn(`${at.folder}/limits`), journal: at.journal }
    const owner = { chainId: at.chain.chainId, address: at.account.address }
    const now = new Date().toISOString()
    const spent = spentLastDay(records, owner, { chain_time: sold!.created, local_time: now })
    assert.equal(`${spent}`, sold!.worth_micro_usd)
  })

  test('because an entry is truncated refuses further signatures', async () => {
    const at = await stage()
    at.fail({ kind: 'timeout' })
    await at.run({ waitMs: 2_000 })
    const folder = join(at.folder, 'journal')
    const [name = ''] = readdirSync(folder)
    const whole = readFileSync(join(folder, name))
    for (const share of [0, 0.1, 0.5, 0.9, 0.999]) {
      writeFileSync(join(folder, name), whole.subarray(0, Math.floor(whole.length * share)))
      await assert.rejects(at.run(), { code: 'OUTCOME_UNKNOWN' })
    }
    assert.deepEqual(at.executed(), [])
  })
})

describe('two configured nodes', () => {
  test('both have to answer for an unattended execution; an attended one has a warning', async () => {
    const at = await stage({ nodes: 2 })
    at.fail({ kind: 'not-json' })
    const why = `${at.rpc} answered something that is not JSON; 2 are configured, and without a confirmation two have to agree`
    await assert.rejects(at.run(), { code: 'UPSTREAM_ERROR', why })
    assert.deepEqual(at.intents(), [])
    const seen = await at.run({ unattended: false })
    assert.equal(seen.error, undefined)
    assert.ok(at.steps.some(({ stage: name }) => name === 'uncompared'))
    at.heal()
    assert.equal((await at.run()).error, undefined)
  })
})
