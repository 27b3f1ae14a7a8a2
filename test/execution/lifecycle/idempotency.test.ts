import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { SwapError } from '../../../src/engine/errors.js'
import { resume } from '../../../src/execution/execute.js'
import type { Intent, Journal, TxRecord } from '../../../src/execution/journal/intent.js'
import {
  follow,
  inPlaceOf,
  requireSequence,
  startedBefore,
} from '../../../src/execution/lifecycle/idempotency.js'
import { reportOf } from '../../../src/execution/lifecycle/result.js'
import type { PreparedTx } from '../../../src/execution/plan/prepared.js'
import type { LockedSession } from '../../../src/execution/session.js'
import type { Task } from '../../../src/execution/task.js'
import {
  intent as blank,
  checked,
  HASH,
  inBlock,
  ownLock,
  type Script,
  SEQUENCE,
  scripted,
  TIMEOUT,
  tx,
  untilIncluded,
} from '../script.js'

const owner = { chainId: 'demo-1', address: 'thor1payer' }
const done = { state: 'included', code: 0, height: 125 } as const

/** A session with one intent of an earlier execution in its journal. */
function executedOnce(
  change: Partial<TxRecord>,
  { script = {}, ...own }: Partial<Intent> & { readonly script?: Script } = {},
) {
  const at = scripted(script)
  const intent: Intent = { ...blank, ...own, txs: [{ ...tx, ...change }] }
  const all = () => [intent]
  const journal: Journal = { ...at.session.journal, once: all, ofQuote: all, open: all }
  const session = { ...at.session, journal, waiting: untilIncluded } as LockedSession
  return { ...at, session, intent }
}

/** The legs that the intent has executed. */
const legs = blank.legs.map(({ funds, output, pairs }) => ({
  funds: { denom: funds.denom, amount: BigInt(funds.amount) },
  output,
  pairs,
}))
const [leg] = legs as [(typeof legs)[number]]
const legText = ({ funds, output, pairs }: typeof leg) =>
  `${funds.amount} ${funds.denom} over ${pairs.join()} into ${output}`
const quote = (own: object = {}, terms: object = {}) =>
  ({
    requested: { isExternal: true, quoteId: 'q_7f3a91c2', legs, ...own },
    terms: { once: null, again: false, ...terms },
  }) as unknown as Task
const keyed = (request: string) =>
  ({ terms: { once: 'monday', request }, requested: { isExternal: false } }) as unknown as Task

describe('the same quote', () => {
  type Row = readonly [string, Task, ReturnType<typeof executedOnce>, string | undefined]
  const expired: Script = { accountStates: [[[TIMEOUT + 1, SEQUENCE]]] }
  const included: Script = { found: () => inBlock('tx_router_2hop') }
  const failed: Script = { found: () => inBlock('tx_err_contract_min_return') }
  const rows: readonly Row[] = [
    ['that was executed', quote(), executedOnce(done), 'confirmed'],
    ['that was sent', quote(), executedOnce({ state: 'sent' }, { script: included }), 'confirmed'],
    ['that was printed and sent', quote(), executedOnce(done, { mode: 'handed' }), 'confirmed'],
    [
      'that was printed',
      quote(),
      executedOnce({ state: 'sent' }, { mode: 'handed', script: included }),
      undefined,
    ],
    ['that failed', quote(), executedOnce({ state: 'sent' }, { script: failed }), undefined],
    ['that expires', quote(), executedOnce({ state: 'sent' }, { script: expired }), undefined],
    ['that was abandoned', quote(), executedOnce({ state: 'abandoned' }), undefined],
    ...[
      [...legs, ...legs],
      [{ ...leg, funds: { ...leg.funds, denom: 'tcy' } }],
      [{ ...leg, funds: { ...leg.funds, amount: 99n } }],
      [{ ...leg, output: 'tcy' }],
      [{ ...leg, pairs: ['thor1other'] }],
    ].map(
      (others): Row => [
        `that has its id and other legs: ${others.map(legText).join(' and ')}`,
        quote({ legs: others }),
        executedOnce(done),
        undefined,
      ],
    ),
    ['of this call', quote({ isExternal: false }), executedOnce(done), undefined],
    ['with --again', quote({}, { again: true }), executedOnce(done), undefined],
  ]
  for (const [which, task, { session }, status] of rows)
    test(`${which}: ${status === undefined ? 'a new execution' : 'its result'}`, async () => {
      const result = await startedBefore(session, task, owner)
      assert.equal(result?.report.status, status)
      if (result) assert.equal(result.report.replayed, true)
    })
})

describe('an intent of which a part was executed', () => {
  const second = { ...blank.legs[0]!, pairs: ['thor1second'] }
  const own = {
    mode: 'legs',
    legs: [blank.legs[0]!, second],
    request: 'execute 1 btc rune',
  } as const
  const txs: readonly TxRecord[] = [
    { ...tx, ...done },
    { ...tx, state: 'expired', legs: [1] },
  ]
  const partly = () => {
    const { session, intent } = executedOnce(done, own)
    const all = () => [{ ...intent, txs }]
    return { ...session, journal: { ...session.journal, once: all, ofQuote: all } }
  }

  test('is the result of its key and of its quote, and is not executed again', async () => {
    const both = [leg, { ...leg, pairs: second.pairs }]
    for (const task of [keyed('execute 1 btc rune'), quote({ legs: both })]) {
      const result = await startedBefore(partly(), task, owner)
      assert.deepEqual([result?.report.status, result?.report.replayed], ['partial', true])
    }
    const others = quote({ legs: [leg, { ...leg, pairs: ['thor1other'] }] })
    assert.equal(await startedBefore(partly(), others, owner), undefined)
  })

  test('refuses another request under its key', async () => {
    const { once, id } = blank
    await assert.rejects(startedBefore(partly(), keyed('execute 2 btc rune'), owner), {
      code: 'INVALID_REQUEST',
      members: { id, once },
    })
  })
})

describe('the same key', () => {
  test('gives the result of the same request, and of an intent that names none', async () => {
    for (const request of [undefined, 'execute 1 btc rune']) {
      const { session } = executedOnce(done, request === undefined ? {} : { request })
      const result = await startedBefore(session, keyed('execute 1 btc rune'), owner)
      assert.equal(result?.report.status, 'confirmed')
    }
  })

  test('is refused for another request, also for a swap instead of orders', async () => {
    for (const own of [{ request: 'execute 2 btc rune' }, { orders: [] }]) {
      const { session } = executedOnce(done, own)
      await assert.rejects(startedBefore(session, keyed('execute 1 btc rune'), owner), {
        code: 'INVALID_REQUEST',
      })
    }
  })
})

describe('a transaction that excludes a refused one', () => {
  const excluded = { id: blank.id, hash: HASH, sequence: SEQUENCE, timeoutHeights: [] }
  const replaced = {
    error: new SwapError('TX_FAILED', 'replaced'),
    report: reportOf({ ...blank, txs: [{ ...tx, state: 'replaced' }] }),
    unwritten: undefined,
  }

  test('has to have its sequence', () => {
    const prepared = (sequence: bigint) => ({ built: { decoded: { sequence } } }) as PreparedTx
    requireSequence(prepared(SEQUENCE), excluded)
    requireSequence(prepared(SEQUENCE + 1n), undefined)
    for (const sequence of [SEQUENCE - 1n, SEQUENCE + 1n])
      assert.throws(() => requireSequence(prepared(sequence), excluded), { code: 'BUSY' })
  })

  test('gives its own result unless it was replaced itself', async () => {
    const { session } = executedOnce(done)
    const failed = {
      ...replaced,
      report: reportOf({ ...blank, txs: [{ ...tx, ...done, code: 5 }] }),
    }
    assert.equal(await inPlaceOf(session, keyed(''), owner, failed), failed)
    const earlier = await inPlaceOf(session, keyed(''), owner, replaced)
    assert.equal(earlier.report.replayed, true)
  })

  test('leaves open what was executed while the refused one may still be', async () => {
    const { session } = executedOnce({ state: 'refused' })
    await assert.rejects(inPlaceOf(session, keyed(''), owner, replaced), {
      code: 'BUSY',
      message: /may have been executed/,
    })
  })
})

describe('an intent that is followed', () => {
  const script: Script = { sent: [checked('broadcast_err_seq_low')], found: () => undefined }

  test('waits for the proof of a refusal, once', async () => {
    const sent = executedOnce({}, { script })
    await follow(sent.session, sent.intent)
    const refused = executedOnce({ state: 'refused' }, { script })
    await follow(refused.session, refused.intent)
    assert.equal(refused.counts.looks, 31)
    assert.equal(sent.counts.looks, 1 + refused.counts.looks)
  })

  test('is not continued while its last transaction is open', async () => {
    const [leg] = blank.legs as [Intent['legs'][number]]
    const { session, intent } = executedOnce({ state: 'sent' }, { mode: 'legs', legs: [leg, leg] })
    const lock = ownLock
    const journal = { ...session.journal, find: () => undefined }
    const { error } = await resume({ ...session, journal, lock }, intent, async () => assert.fail())
    assert.equal(error?.code, 'OUTCOME_UNKNOWN')
  })

  test('from elsewhere is not sent where the journal cannot hold it', async () => {
    const { session, intent, counts } = executedOnce({ state: 'sent' }, { script: { room: 0 } })
    const lock = ownLock
    const journal = { ...session.journal, find: () => undefined }
    await assert.rejects(resume({ ...session, journal, lock }, intent), { code: 'NOT_READY' })
    assert.equal(counts.broadcasts, 0)
  })

  test('that an earlier version settled without the coins moved is completed', async () => {
    const { session, intent } = executedOnce(done)
    const { intent: now } = await follow(session, intent)
    assert.equal(now.txs[0]?.fill?.gas_used, `${inBlock('tx_router_2hop').gasUsed}`)
  })
})
