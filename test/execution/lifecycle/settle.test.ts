import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { NodeFault } from '../../../src/chain/rpc/faults.js'
import type { Inspection, Scan } from '../../../src/chain/tx/outcome.js'
import { SwapError } from '../../../src/engine/errors.js'
import type { Intent, Journal, TxRecord } from '../../../src/execution/journal/intent.js'
import {
  recordChange,
  refresh,
  refreshIfFree,
  settleOpen,
} from '../../../src/execution/lifecycle/settle.js'
import type { Session } from '../../../src/execution/session.js'
import {
  intent as blank,
  HASH,
  inBlock,
  run,
  type Script,
  SEQUENCE,
  scripted,
  TIMEOUT,
  tx,
} from '../script.js'

const owner = { chainId: 'demo-1', address: 'thor1payer' }
const included = inBlock('tx_router_2hop')

/** An account with one intent of an earlier process on a scripted chain. */
function account(state: TxRecord['state'], script: Script = {}, own: Partial<Session> = {}) {
  const at = scripted(script)
  const intent: Intent = { ...blank, txs: [{ ...tx, state }] }
  const locks: string[] = []
  const journal: Journal = { ...at.session.journal, open: () => [intent], find: () => intent }
  const lock = async () => {
    locks.push('taken')
    return { isHeld: () => true, release: () => void locks.push('released') }
  }
  const session = { ...at.session, journal, lock, ...own } as Session
  return { ...at, session, intent, locks }
}

describe('the transactions of an account before a new one is signed', () => {
  test('exclude nothing where they were never sent', async () => {
    const { session } = account('signed')
    const { settled, excluded } = await settleOpen(session, owner)
    assert.equal(settled[0]?.txs[0]?.state, 'abandoned')
    assert.equal(excluded, undefined)
  })

  test('are excluded by their sequence where every node refused them and shows it unused', async () => {
    const { session, intent } = account('refused')
    const { excluded } = await settleOpen(session, owner)
    const { timeout_height } = intent.txs[0]!
    assert.deepEqual(excluded, {
      id: intent.id,
      hash: HASH,
      sequence: SEQUENCE,
      timeoutHeights: [timeout_height],
    })
  })

  test('are excluded with the timeout heights of all of them', async () => {
    const { session, intent } = account('refused')
    const txs = [139, TIMEOUT].map((timeout_height) => ({ ...intent.txs[0]!, timeout_height }))
    const journal = { ...session.journal, open: () => [{ ...intent, txs }] }
    const { excluded } = await settleOpen({ ...session, journal }, owner)
    assert.deepEqual(excluded?.timeoutHeights, [139, TIMEOUT])
  })

  const open: readonly (readonly [string, TxRecord['state'], Script])[] = [
    ['were sent', 'sent', {}],
    ['were accepted', 'accepted', {}],
    ['were refused, and no node knows the account', 'refused', { accountStates: [[]] }],
    [
      'were refused, and one node shows a later sequence',
      'refused',
      {
        accountStates: [
          [
            [121, SEQUENCE],
            [121, SEQUENCE + 1n],
          ],
        ],
      },
    ],
  ]
  for (const [when, state, script] of open)
    test(`prevent it where they ${when}`, async () => {
      const { session, states, intent } = account(state, script)
      const members = { id: intent.id, tx_hash: HASH, timeout_height: TIMEOUT }
      await assert.rejects(settleOpen(session, owner), { code: 'BUSY', members })
      assert.deepEqual(states, [])
    })

  test('are polled until the next header confirms them, or the user stops', async () => {
    const inspection: Inspection = {
      kind: 'included',
      included,
      evidence: 'one_node',
      isProvisional: true,
    }
    const script = { found: () => included, inspection }
    const waiting = account('sent', script)
    await assert.rejects(settleOpen(waiting.session, owner), { code: 'BUSY' })
    assert.equal(waiting.counts.looks, 31)
    const stopped = account('sent', script, { interrupt: AbortSignal.abort() })
    await assert.rejects(settleOpen(stopped.session, owner), { code: 'BUSY' })
    assert.equal(stopped.counts.looks, 1)
  })
})

describe('an intent that is looked at', () => {
  test('is settled under the lock, as the journal has it by then', async () => {
    const { session, intent, locks } = account('sent', { found: () => included })
    const later = { ...intent, key: 'later' }
    const journal = { ...session.journal, find: () => later }
    const { intent: now } = await refreshIfFree({ ...session, journal }, intent)
    assert.equal(now.key, 'later')
    assert.equal(now.txs[0]?.state, 'included')
    assert.deepEqual(locks, ['taken', 'released'])
  })

  test('is given as it is where the lock, the disk or the nodes fail for now', async () => {
    const failures = [
      new SwapError('BUSY', 'another process'),
      new SwapError('NOT_READY', 'no space'),
      new NodeFault('timeout', 'node', 'took too long'),
    ]
    for (const failure of failures) {
      const lock = async () => Promise.reject(failure)
      const { session, intent } = account('sent', {}, { lock })
      assert.deepEqual(await refreshIfFree(session, intent), { intent, why: failure.message })
    }
    const lock = async () => Promise.reject(new RangeError('a defect'))
    const { session, intent } = account('sent', {}, { lock })
    await assert.rejects(refreshIfFree(session, intent), RangeError)
  })

  test('keeps the reason of the transaction that is open, whatever comes after it', async () => {
    const { session, intent } = account('sent')
    const done: TxRecord = { ...tx, state: 'expired' }
    const { why } = await refresh(session, { ...intent, txs: [...intent.txs, done] })
    assert.match(why ?? '', /may be included until block 140/)
  })

  test('is read from a block again only where its fill is not recorded', async () => {
    const { session, intent, states } = account('sent', { found: () => included })
    const { intent: settled } = await refresh(session, intent)
    await refresh(session, settled)
    assert.deepEqual(states, ['included'])
    const [{ fill: _, ...earlier }] = settled.txs as [TxRecord]
    const { intent: completed } = await refresh(session, { ...settled, txs: [earlier] })
    assert.deepEqual(completed, settled)
  })
})

describe('a change of a transaction that the journal cannot hold', () => {
  /** A transaction and a disk that is full at first. */
  const onFullDisk = (state: TxRecord['state']) => {
    const { session, entry } = scripted({})
    let isFull = true
    const put: Journal['put'] = () => {
      if (isFull) throw new SwapError('NOT_READY', 'no space')
    }
    const at = entry({ state })
    const record = (log: string) =>
      recordChange({ journal: { ...session.journal, put } }, at, { log })
    return { at, record, free: () => void (isFull = false) }
  }

  test('is kept with the reason until a later one is written, once the transaction was sent', () => {
    const { at, record, free } = onFullDisk('sent')
    record('first')
    assert.deepEqual([at.intent.txs[0]!.log, at.unwritten?.message], ['first', 'no space'])
    free()
    record('second')
    assert.deepEqual([at.intent.txs[0]!.log, at.unwritten], ['second', undefined])
  })

  test('is an error before that', () => {
    const { at, record } = onFullDisk('signed')
    assert.throws(() => record('first'), { code: 'NOT_READY' })
    assert.deepEqual([at.intent.txs[0]!.log, at.unwritten], [null, undefined])
  })
})

describe('the outcome of a transaction', () => {
  const used: Script = { accountStates: [[[130, SEQUENCE + 1n]]], found: () => undefined }

  test('without a timeout height is found in the index, and in the blocks up to the newest', async () => {
    const scan = (_: number, to: number): Scan =>
      to === 130 ? { kind: 'found', included } : { kind: 'absent' }
    for (const script of [{ found: () => included }, { ...used, scan }]) {
      const { end } = await run(script, { state: 'sent', timeout_height: 0 })
      assert.equal(end, 'included')
    }
  })

  test('whose sequence another one has used names that one and its block', async () => {
    const other = 'CD'.repeat(32)
    const scan: Scan = { kind: 'replaced', hash: other, height: 126 }
    const proof = `${other} used its sequence in block 126`
    const rows: readonly (readonly [Partial<TxRecord>, string])[] = [
      [{ state: 'sent', log: 'no answer' }, proof],
      // The refusal of a node is the reason.
      [{ state: 'refused', code: 32, log: 'wrong sequence' }, `wrong sequence; ${proof}`],
    ]
    for (const [change, words] of rows) {
      const { at, end } = await run({ ...used, scan }, change)
      assert.equal(end, 'replaced')
      const { log, evidence } = at.intent.txs[0]!
      assert.deepEqual([log, evidence], [words, 'one_node'])
    }
  })

  test('is known by two nodes that agree, also where a third one does not answer', async () => {
    const late = [TIMEOUT + 1, SEQUENCE] as const
    const ends = async (...accountStates: readonly (typeof late)[]) => {
      const script = { found: () => undefined, nodes: 3, accountStates: [accountStates] }
      const { at, end } = await run(script, { state: 'sent' })
      return [end, at.intent.txs[0]!.evidence]
    }
    assert.deepEqual(await ends(late, late), ['expired', 'agreed'])
    assert.deepEqual(await ends(late), ['unknown', undefined])
  })
})
