import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { txHashOf } from '../../src/chain/tx/unsigned-tx.js'
import { execute, resume } from '../../src/execution/execute.js'
import { journalIn, newIntentId } from '../../src/execution/journal/journal.js'
import { longTest } from '../support/long.js'
import { ownLock } from './script.js'
import { type Hook, type Stage, slippageFlag, stage } from './stage.js'

const lock = ownLock

/** Another program of the same account executes a swap. */
async function meanwhile(at: Stage): Promise<void> {
  const journal = journalIn(join(at.folder, 'elsewhere'))
  const { error } = await at.run(slippageFlag(300), { journal, lock })
  assert.equal(error, undefined)
}

/** A swap whose sequence another program uses while it is confirmed, so often. */
async function overtaken(times: number) {
  const at = await stage()
  let confirmations = 0
  const confirm = async () => {
    confirmations += 1
    if (confirmations <= times) await meanwhile(at)
  }
  const task = await at.order(slippageFlag(900))
  const result = await execute(at.session({ confirm, lock }), task, newIntentId)
  const [intent] = at.intents()
  const states = intent?.txs.map(({ state }) => state)
  const replaced = at.steps.filter(({ stage: name }) => name === 'replaced')
  return { ...result, confirmations, states, replaced }
}

describe('a refused transaction whose sequence another one has used', () => {
  test('is built and confirmed again, which a step explains', async () => {
    const { error, confirmations, states, replaced, report } = await overtaken(1)
    assert.equal(error, undefined)
    assert.deepEqual([confirmations, states], [2, ['replaced', 'included']])
    assert.deepEqual(replaced, [{ stage: 'replaced', hash: report.txs[0]!.hash }])
  })

  longTest('is not built a third time', async () => {
    const { error, confirmations, states } = await overtaken(2)
    assert.equal(error?.code, 'TX_FAILED')
    assert.deepEqual([confirmations, states], [2, ['replaced', 'replaced']])
  })
})

describe('an accepted transaction whose sequence another one has used', () => {
  test('is not built again; where it was signed elsewhere, a new signature is advised', async () => {
    let isDropping = true
    const hook: Hook = async (request, next) => {
      if (!isDropping || !request.body.includes('broadcast_tx_sync')) return next()
      isDropping = false
      const { id, params } = JSON.parse(request.body.toString())
      const hash = txHashOf(Buffer.from(params.tx, 'base64'))
      const result = { code: 0, codespace: '', data: '', log: '', hash }
      const headers = { 'content-type': 'application/json' }
      const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, result }))
      return { status: 200, headers, body }
    }
    const at = await stage({ hook })
    const { clock } = at.session()
    const sleep: typeof clock.sleep = async (ms, signal) => {
      if (at.executed().length === 0) await meanwhile(at)
      await clock.sleep(ms, signal)
    }
    const { report } = await at.run({}, { clock: { ...clock, sleep }, lock })
    assert.equal(report.status, 'replaced')
    assert.deepEqual(
      at.intents().map(({ txs }) => txs.length),
      [1],
    )
    const [intent] = at.intents()
    for (const [mode, next] of [
      ['batch', 'run the command again'],
      ['bytes', 'sign a new one'],
    ] as const) {
      at.journal.put({ ...intent!, mode })
      const { error } = await resume(at.session({ lock }), intent!)
      assert.equal(error?.hint, `nothing was sold: ${next}, and let nothing else sign meanwhile`)
    }
  })
})

describe('a leg that fails in its block', () => {
  test('ends the swap before the next one', async () => {
    const at = await stage()
    const task = await at.order({ mode: 'legs', gas: 400_000n }, 2n * 10n ** 13n)
    assert.equal(task.requested.legs.length, 2)
    const { error } = await execute(at.session(), task, newIntentId)
    assert.equal(error?.code, 'TX_FAILED')
    assert.equal(at.executed().length, 1)
  })
})
