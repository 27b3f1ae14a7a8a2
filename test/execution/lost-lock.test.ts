import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { SwapError } from '../../src/engine/errors.js'
import { execute, resume } from '../../src/execution/execute.js'
import type { Intent } from '../../src/execution/journal/intent.js'
import { newIntentId } from '../../src/execution/journal/journal.js'
import { track } from '../../src/execution/lifecycle/track.js'
import type { Session } from '../../src/execution/session.js'
import { accepted, scripted, unknown, untilIncluded } from './script.js'
import { type Stage, slippageFlag, stage } from './stage.js'

/** A session whose lock is lost at a step, or when `lose` is called. */
function losing(at: Stage, step?: string) {
  let isHeld = true
  const lose = () => void (isHeld = false)
  const session = (own: Partial<Session> = {}): Session => ({
    ...at.session(),
    lock: async () => ({ isHeld: () => isHeld, release() {} }),
    progress: ({ stage }) => void (stage === step && lose()),
    ...own,
  })
  return { lose, session }
}

/** The error of a call that has to fail, with its members. */
async function failed(work: Promise<unknown>): Promise<SwapError> {
  const error = await work.catch((thrown: unknown) => thrown)
  assert.ok(error instanceof SwapError, `${error}`)
  return error
}

describe('a process that has lost the lock of its account', () => {
  test.each(['before', 'while'])('%s it signs sends nothing, and records nothing', async (when) => {
    const at = await stage()
    const { lose, session } = losing(at, when === 'before' ? 'unlocked' : undefined)
    let signatures = 0
    const unlock = async () => {
      const signer = await at.account.unlock!()
      const sign: typeof signer.sign = async (...call) => {
        signatures += 1
        lose()
        return signer.sign(...call)
      }
      return { ...signer, sign }
    }
    const task = { ...(await at.order()), account: { ...at.account, unlock } }
    const { code, hint } = await failed(execute(session(), task, newIntentId))
    assert.deepEqual([code, hint], ['BUSY', 'nothing was sent; run the command again'])
    assert.equal(signatures, when === 'before' ? 0 : 1)
    const owner = { chainId: at.chain.chainId, address: at.account.address }
    const signings = at.session().ledger.read(owner)
    assert.deepEqual([at.intents(), signings, at.executed()], [[], [], []])
  })

  test('after signing does not send what it signed', async () => {
    const at = await stage()
    const { session } = losing(at, 'signed')
    const { code, message, hint, members } = await failed(
      execute(session(), await at.order(), newIntentId),
    )
    const [intent] = at.intents()
    const { hash } = intent!.txs[0]!
    assert.equal(code, 'BUSY')
    assert.match(message, /lost its lock, so what was signed was not sent$/)
    assert.deepEqual([members['id'], members['tx_hash']], [intent!.id, hash])
    assert.equal(members['funds'], 'untouched')
    assert.match(`${hint}`, new RegExp(`which gives ${hash} up.*swap tx resume ${intent!.id}`))
    assert.deepEqual([intent!.txs[0]!.state, at.executed().length], ['signed', 0])
    assert.equal((await resume(at.session(), intent!)).error, undefined)
  })

  test('between two legs leaves the rest to the process that took it over', async () => {
    const at = await stage()
    const { lose, session } = losing(at)
    const task = await at.order({ mode: 'legs', ...slippageFlag(900) }, 2n * 10n ** 13n)
    const { sleep, ...clock } = at.session().clock
    let isTaken = false
    // It is suspended while it waits for the first leg, and another process executes both.
    const suspended: typeof sleep = async (...call) => {
      if (isTaken) return sleep(...call)
      isTaken = true
      lose()
      const { error } = await resume(at.session(), at.intents()[0]!, async () => task)
      assert.equal(error, undefined)
    }
    const { error, report } = await execute(
      session({ clock: { ...clock, sleep: suspended } }),
      task,
      newIntentId,
    )
    assert.ok(isTaken)
    assert.equal(error?.code, 'PARTIALLY_EXECUTED')
    assert.match(`${error?.why}`, /^this process has lost its lock; /)
    assert.match(`${error?.hint}`, new RegExp(`swap tx resume ${report.id}`))
    assert.equal(at.executed().length, 2)
    // What the other process has recorded is not replaced by an older state.
    assert.deepEqual(
      at.intents().map(({ txs }) => txs.map(({ state }) => state)),
      [['included', 'included']],
    )
  })

  test('while it waits reports the outcome, and sends nothing again', async () => {
    const { session, entry, counts } = scripted({ sent: [unknown, accepted], nodes: 1 })
    const tracking = { ...session, isHeld: () => counts.broadcasts === 0 }
    const at = entry()
    const { kind } = await track(tracking, { ...untilIncluded, waitMs: 20_000 }, at)
    assert.deepEqual([kind, counts.broadcasts], ['unknown', 1])
    for (const state of ['sent', 'accepted'] as const) {
      const other = scripted({})
      const lost = { ...other.session, isHeld: () => false }
      await track(lost, { ...untilIncluded, waitMs: 5_000 }, other.entry({ state }))
      assert.equal(other.counts.broadcasts, 0)
    }
  })
})

describe('a write of the journal that fails after it took effect', () => {
  /** The error of an execution whose first write of this state fails, and the journal's state then. */
  async function failing(first: Intent['txs'][number]['state']) {
    const at = await stage()
    const put = (intent: Intent) => {
      at.journal.put(intent)
      if (intent.txs[0]!.state === first) throw new SwapError('NOT_READY', 'the folder failed')
    }
    const journal = { ...at.journal, put }
    const error = await failed(execute(at.session({ journal }), await at.order(), newIntentId))
    const [intent] = at.intents()
    assert.equal(error.message, 'the folder failed, so what was signed was not sent')
    assert.deepEqual(
      [error.members['id'], error.members['funds'], intent!.txs[0]!.state, at.executed().length],
      [intent!.id, 'untouched', first, 0],
    )
    return { at, hint: `${error.hint}`, intent: intent! }
  }

  test('before a transaction was recorded as sent: a new call does not give it up', async () => {
    const { at, hint, intent } = await failing('sent')
    const { timeout_height } = intent.txs[0]!
    assert.doesNotMatch(hint, /gives/)
    assert.match(hint, new RegExp(`tx resume ${intent.id}; .* wait for block ${timeout_height}$`))
    await assert.rejects(at.run(), { code: 'BUSY' })
    assert.equal((await resume(at.session(), intent)).error, undefined)
    assert.equal(at.executed().length, 1)
  })

  test('after signing: what was signed is named', async () => {
    const { at, hint } = await failing('signed')
    assert.match(hint, /which gives .* up, or send it after all: swap tx resume/)
    assert.equal((await at.run()).error, undefined)
    assert.equal(at.executed().length, 1)
  })
})
