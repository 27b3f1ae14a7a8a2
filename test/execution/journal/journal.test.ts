import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { signedBytesOf } from '../../../src/chain/tx/draft.js'
import { txHashOf } from '../../../src/chain/tx/unsigned-tx.js'
import {
  type Intent,
  isOpen,
  legsLeft,
  type TxRecord,
  type TxState,
} from '../../../src/execution/journal/intent.js'
import { journalIn, newIntentId } from '../../../src/execution/journal/journal.js'
import { runs } from '../../support/books.js'
import { temporaryFolder } from '../../support/folder.js'
import { longTest } from '../../support/long.js'

const root = temporaryFolder('journal')
let folders = 0
const place = () => join(root, `${(folders += 1)}`)

const PUBLIC_KEY = Buffer.alloc(33, 2)

/** Signed bytes, and their hash. */
const SIGNED = signedBytesOf({
  sender: 'demo1abc',
  publicKey: PUBLIC_KEY,
  calls: [{ contract: 'demo1router', message: '{}', funds: [{ denom: 'rune', amount: 100n }] }],
  memo: '',
  timeoutHeight: 140n,
  sequence: 12n,
  fee: [],
  gasLimit: 1n,
  signature: Buffer.alloc(64),
})
const BYTES = Buffer.from(SIGNED).toString('base64')
const HASH = txHashOf(SIGNED)

const tx = (state: TxState, change: Partial<TxRecord> = {}): TxRecord => ({
  state,
  hash: HASH,
  bytes: BYTES,
  public_key: PUBLIC_KEY.toString('base64'),
  account_number: '107',
  sequence: '12',
  timeout_height: 140,
  signed_height: 120,
  legs: [0],
  height: state === 'included' ? 130 : null,
  code: state === 'included' ? 0 : null,
  codespace: null,
  log: null,
  ...change,
})

const intent = (change: Partial<Intent> = {}): Intent => ({
  format: 'swap.intent/1',
  id: newIntentId(),
  network: 'demo',
  chain_id: 'demo-1',
  address: 'demo1abc',
  key: 'demo',
  once: null,
  unattended: true,
  mode: 'batch',
  quote_id: null,
  created: '2026-11-21T16:55:07.123Z',
  worth_micro_usd: '51000000',
  contract: 'demo1router',
  recipient: 'demo1abc',
  affiliate: null,
  slippage_bps: 50,
  legs: [
    {
      funds: { denom: 'rune', amount: '100' },
      output: 'btc-btc',
      expected: '10',
      min_return: '9',
      quoted: '10',
      pairs: ['demo1pair'],
    },
  ],
  txs: [],
  ...change,
})

describe('the journal', () => {
  test('returns a stored intent by id, by hash and by key', () => {
    const journal = journalIn(place())
    const one = intent({ once: 'monday', quote_id: 'other', txs: [tx('accepted')] })
    journal.put(one)
    assert.deepEqual(journal.find(one.id), one)
    assert.deepEqual(journal.find(HASH.toLowerCase()), one)
    const owner = { chainId: 'demo-1', address: 'demo1abc' }
    assert.deepEqual(journal.once(owner, 'monday'), [one])
    assert.deepEqual(journal.once(owner, 'tuesday'), [])
    assert.deepEqual(journal.once({ ...owner, address: 'demo1other' }, 'monday'), [])
    assert.deepEqual(['mon', 'mox', 'on'].map(journal.keyed), [[one], [], []])
    assert.equal(journal.find('x_00000000'), undefined)
  })

  test('is persistent, and private to its user', () => {
    const folder = place()
    const one = intent({ txs: [tx('signed')] })
    journalIn(folder).put(one)
    assert.deepEqual(journalIn(folder).open(), [one])
    assert.deepEqual(journalIn(folder).open({ chainId: 'demo-1', address: 'demo1other' }), [])
    const [name = ''] = readdirSync(folder)
    assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600)
    assert.equal(statSync(folder).mode & 0o777, 0o700)
  })

  test('has one file for each intent, and lists as open only those without an outcome', () => {
    const folder = place()
    const journal = journalIn(folder)
    const one = intent({ mode: 'legs' })
    const states: readonly TxState[] = [
      'signed',
      'sent',
      'accepted',
      'included',
      'signed',
      'sent',
      'expired',
    ]
    for (const state of states) {
      const now = { ...one, txs: [tx(state)] }
      journal.put(now)
      assert.equal(readdirSync(folder).length, 1, state)
      assert.equal(journal.open().length, isOpen(now) ? 1 : 0, state)
      assert.deepEqual(journal.find(one.id), now)
    }
  })

  test('reads files of version 0.1.0', () => {
    const folder = place()
    const journal = journalIn(folder)
    const states = ['signed', 'sent', 'sent', 'refused'] as const
    const one = intent({ txs: states.map((state) => tx(state)) })
    journal.put(one)
    const [name = ''] = readdirSync(folder)
    const earlier = ['signed', 'broadcasting', 'unknown', 'refused']
    const txs = one.txs.map((each, i) => ({ ...each, state: earlier[i], maybe_sent: i % 2 === 1 }))
    writeFileSync(
      join(folder, name),
      JSON.stringify({ ...one, txs, report: { status: 'unknown' } }),
    )
    assert.deepEqual(journal.find(one.id), one)
    txs[0]!.maybe_sent = true
    writeFileSync(join(folder, name), JSON.stringify({ ...one, txs, report: null }))
    assert.equal(journal.find(one.id)?.txs[0]?.state, 'sent')
  })

  test('lists the newest first', () => {
    const journal = journalIn(place())
    const times = [
      '2026-11-20T10:00:00.000Z',
      '2026-11-21T10:00:00.000Z',
      '2026-11-21T12:00:00.000Z',
    ]
    for (const created of times) journal.put(intent({ created }))
    assert.deepEqual(
      journal.recent(10).intents.map(({ created }) => created),
      [...times].reverse(),
    )
    assert.equal(journal.recent(1).intents.length, 1)
  })

  test('does not skip an open entry that cannot be read', () => {
    const folder = place()
    const journal = journalIn(folder)
    journal.put(intent({ txs: [tx('signed')] }))
    const [name = ''] = readdirSync(folder)
    const text = readFileSync(join(folder, name), 'utf8')
    for (const spoilt of [
      '',
      '{',
      text.slice(0, -5),
      text.replace('"signed"', '"lost"'),
      text.replace('"12"', '12'),
      text.replace(BYTES, 'AAAB'),
      text.replace(BYTES, BYTES.replace('A', ' A')),
      text.replace(HASH, 'AB'.repeat(32)),
      text.replace(BYTES, 'AAAA').replace(HASH, txHashOf(Buffer.alloc(3))),
    ]) {
      writeFileSync(join(folder, name), spoilt)
      assert.throws(() => journal.open(), { code: 'OUTCOME_UNKNOWN' }, spoilt.slice(0, 40))
    }
  })

  test('that is cut after any byte is refused as a whole', () => {
    const folder = place()
    const journal = journalIn(folder)
    journal.put(intent({ txs: [tx('sent')] }))
    const [name = ''] = readdirSync(folder)
    const whole = readFileSync(join(folder, name))
    const cuts = Array.from({ length: whole.length }, (_, i) => i)
    for (const length of process.env['SWAP_LONG'] ? cuts : cuts.filter((i) => i % 13 === 0)) {
      writeFileSync(join(folder, name), whole.subarray(0, length))
      assert.throws(() => journal.open(), { code: 'OUTCOME_UNKNOWN' }, `${length} bytes`)
    }
  })

  longTest('is read completely while another process renames its files', async () => {
    const folder = place()
    const one = intent({ txs: [tx('signed')] })
    journalIn(folder).put(one)
    const [name = ''] = readdirSync(folder)
    const turning = spawn(process.execPath, [
      '-e',
      `const { renameSync } = require('node:fs')
const [open, done] = ${JSON.stringify([join(folder, name), join(folder, name.replace('open', 'done'))])}
for (const end = Date.now() + 1500; Date.now() < end; ) { renameSync(open, done); renameSync(done, open) }`,
    ])
    const ended = new Promise((done) => turning.on('close', done))
    let isOver = false
    void ended.then(() => {
      isOver = true
    })
    for (let reads = 0; !isOver; reads += 1) {
      for (const found of journalIn(folder).recent(10).intents) assert.deepEqual(found, one)
      if (reads % 50 === 0) await new Promise((next) => setImmediate(next))
    }
    assert.deepEqual(journalIn(folder).find(one.id), one)
  })

  test('finds the intents of one account that execute a quote or have a key, the newest first', () => {
    const journal = journalIn(place())
    const owner = { chainId: 'demo-1', address: 'demo1abc' }
    const same = { quote_id: 'q_7f3a91c2', once: 'monday' }
    const [old, young, ...others] = [
      intent({ ...same, created: '2026-11-21T10:00:00.000Z' }),
      intent({ ...same, created: '2026-11-21T12:00:00.000Z' }),
      intent({ ...same, address: 'demo1other' }),
      intent({ ...same, chain_id: 'demo-2' }),
      intent({ quote_id: 'q_00000000' }),
    ] as const
    for (const each of [young, ...others, old]) journal.put(each)
    assert.deepEqual(journal.ofQuote('q_7f3a91c2', owner), [young, old])
    assert.deepEqual(journal.once(owner, 'monday'), [young, old])
    journal.put({ ...old, txs: [tx('included')] })
    assert.equal(journal.ofQuote('q_7f3a91c2', owner).length, 2)
  })

  test('ignores half-written files of a killed process', () => {
    const folder = place()
    const journal = journalIn(folder)
    const one = intent({ txs: [tx('signed')] })
    journal.put(one)
    writeFileSync(join(folder, `.${one.id}.tmp`), '{"half')
    assert.deepEqual(journal.open(), [one])
    journal.put({ ...one, txs: [tx('included')] })
    assert.deepEqual(journal.open(), [])
    // Killed before the file was renamed.
    const [name = ''] = readdirSync(folder).filter((each) => each.endsWith('.json'))
    renameSync(join(folder, name), join(folder, name.replace('.done.', '.open.')))
    assert.deepEqual(journal.open(), [])
  })

  test('returns every stored intent unchanged', () => {
    const words = fc.string({ unit: 'grapheme', maxLength: 40 })
    fc.assert(
      fc.property(
        words,
        words,
        fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }),
        (once, log, amount) => {
          const journal = journalIn(place())
          const one = intent({ once, txs: [tx('sent', { log })], worth_micro_usd: `${amount}` })
          journal.put(one)
          assert.deepEqual(journal.find(one.id), one)
          assert.deepEqual(journal.once({ chainId: 'demo-1', address: 'demo1abc' }, once), [one])
        },
      ),
      { ...runs(20) },
    )
  })
})

describe('remaining legs', () => {
  test('are those that no successful transaction executed', () => {
    const leg = intent().legs[0]!
    const three = intent({
      legs: [leg, leg, leg],
      txs: [
        tx('included', { legs: [0] }),
        tx('included', { legs: [1], code: 5 }),
        tx('expired', { legs: [2] }),
      ],
    })
    assert.deepEqual(legsLeft(three), [1, 2])
  })
})
