import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { NodeFault } from '../../../src/chain/rpc/faults.js'
import type { BroadcastResult } from '../../../src/chain/tx/outcome.js'
import { SwapError } from '../../../src/engine/errors.js'
import type { Intent, TxRecord } from '../../../src/execution/journal/intent.js'
import { track } from '../../../src/execution/lifecycle/track.js'
import {
  accepted,
  checked,
  HASH,
  inBlock,
  run,
  SEQUENCE,
  scripted,
  TIMEOUT,
  unknown,
  untilIncluded,
} from '../script.js'

const unsent: BroadcastResult = { kind: 'unsent', why: 'refused' }

describe('the answers of nodes to a tracked transaction', () => {
  test('code 0 in the mempool and 5 in the block: the command fails, and only the fee is spent', async () => {
    const failed = inBlock('tx_err_contract_min_return')
    const { error, report, states } = await run({
      found: (look) => (look > 0 ? failed : undefined),
    })
    assert.equal(error?.code, 'SLIPPAGE_EXCEEDED')
    assert.equal(error?.members['funds'], 'fee_only')
    assert.equal(report.status, 'failed')
    assert.deepEqual(states.slice(0, 3), ['sent', 'accepted', 'included'])
  })

  test('gas used above gas wanted: reported as out of gas', async () => {
    const failed = inBlock('tx_err_out_of_gas')
    assert.ok(failed.gasUsed > failed.gasWanted)
    const { error } = await run({ found: () => failed })
    assert.equal(error?.code, 'TX_FAILED')
    assert.match(error?.message ?? '', /out of gas/)
    assert.match(error?.hint ?? '', /--gas-adjustment 2, or a greater --gas$/)
  })

  test('a transaction that is not yet in the index is found in the block itself', async () => {
    const done = inBlock('tx_router_2hop')
    const { end } = await run({
      accountStates: [[[121, SEQUENCE]], [[126, SEQUENCE + 1n]]],
      scan: { kind: 'found', included: done },
    })
    assert.equal(end, 'included')
  })

  test('a sequence that is too low at first: refused, and replaced once another transaction with it is found', async () => {
    const { end, state, counts, error } = await run({ sent: [checked('broadcast_err_seq_low')] })
    assert.equal(end, 'unknown')
    assert.equal(state, 'refused')
    assert.equal(error?.code, 'OUTCOME_UNKNOWN')
    assert.equal(error?.members['funds'], 'unknown')
    assert.match(error?.why ?? '', /in no block as of block 121/)
    assert.equal(counts.broadcasts, 1)
    const seen = await run(
      {
        accountStates: [[[121, SEQUENCE]], [[123, SEQUENCE + 1n]]],
        scan: { kind: 'replaced', hash: 'CD'.repeat(32), height: 122 },
      },
      { state: 'refused' },
    )
    assert.equal(seen.end, 'replaced')
    assert.equal(seen.counts.broadcasts, 0)
    assert.equal(seen.error?.code, 'TX_FAILED')
  })

  test('a sequence that is too low after an unclear answer: not reported, because the transaction may be included', async () => {
    const done = inBlock('tx_router_2hop')
    const { end, states } = await run({
      sent: [unknown, checked('broadcast_err_seq_low')],
      found: (look) => (look > 2 ? done : undefined),
    })
    assert.equal(end, 'included')
    assert.ok(!states.includes('refused'))
  })

  test('a sequence that is too low for bytes of an earlier process: not refused, because they may be included', async () => {
    const { at } = await run({ sent: [checked('broadcast_err_seq_low')] }, { state: 'sent' }, 1_000)
    assert.equal(at.intent.txs[0]?.state, 'sent')
    assert.match(at.intent.txs[0]?.log ?? '', /it was waited for 1 s; it may be included/)
  })

  test('a full mempool: the same bytes are sent again', async () => {
    const busy = { ...checked('broadcast_err_seq_low'), reason: 'busy' } as BroadcastResult
    const { at, counts } = await run({ sent: [busy, accepted] }, {}, 1_000)
    assert.equal(at.intent.txs[0]?.state, 'accepted')
    assert.equal(at.intent.txs[0]?.log, null)
    assert.equal(counts.broadcasts, 2)
  })

  test('a node that is a block behind, so that the sequence is too high: the same bytes are sent again', async () => {
    const script = { sent: [checked('broadcast_err_seq_high'), accepted] }
    const { end, counts, states } = await run({ ...script, found: () => inBlock('tx_router_2hop') })
    assert.equal(end, 'included')
    assert.equal(counts.broadcasts, 2)
    assert.ok(states.includes('refused') && states.includes('accepted'))
  })

  test('bytes of an earlier process that are in a block: not sent again', async () => {
    const { end, counts } = await run({ found: () => inBlock('tx_router_2hop') }, { state: 'sent' })
    assert.equal(end, 'included')
    assert.equal(counts.broadcasts, 0)
  })

  test('nothing until the end of the wait: polled once a second, and at its end', async () => {
    assert.equal((await run({ found: () => undefined }, {}, 2_000)).counts.looks, 3)
  })

  test('none until the end of the wait: the reason says so', async () => {
    const found = () => {
      throw new NodeFault('timeout', 'node', 'did not answer in time')
    }
    const { why } = await run({ found }, {}, 2_000)
    assert.equal(why, 'it was waited for 2 s; no node answers')
  })

  test('unclear answers until the end of the wait: sent no more', async () => {
    const { end, counts } = await run({ sent: [unknown], found: () => undefined }, {}, 600)
    assert.deepEqual([end, counts.broadcasts, counts.looks], ['unknown', 2, 1])
  })

  test('four blocks without it: the same bytes are sent again, unless refused or printed', async () => {
    const heights = [121, 122, 123, 124, 125, 126, 127]
    const accountStates = heights.map((height) => [[height, SEQUENCE] as const])
    const rows = [
      ['signed', 'batch', 2],
      ['refused', 'batch', 0],
      ['sent', 'handed', 0],
    ] as const
    for (const [state, mode, broadcasts] of rows) {
      const { session, entry, counts } = scripted({ accountStates })
      const { intent, at } = entry({ state })
      await track(session, { ...untilIncluded, waitMs: 9_000 }, { intent: { ...intent, mode }, at })
      assert.equal(counts.broadcasts, broadcasts)
    }
  })

  test('a defect of this program: thrown, and not taken for a failure of nodes', async () => {
    const found = () => {
      throw new RangeError('a defect')
    }
    await assert.rejects(run({ found }), RangeError)
  })

  test('a memo that is too long: refused also where it may have been sent before', async () => {
    const { at, error } = await run(
      { sent: [checked('broadcast_err_memo_long')] },
      { state: 'sent' },
    )
    assert.equal(at.intent.txs[0]?.state, 'refused')
    assert.match(error?.message ?? '', /memo/)
  })

  test('a sequence that stays too high: refused, and not expired before its timeout height', async () => {
    const { at, counts } = await run({ sent: [checked('broadcast_err_seq_high')] })
    assert.equal(at.intent.txs[0]?.state, 'refused')
    assert.equal(counts.broadcasts, 5)
    const early = { accountStates: [[[130, 20n]]] } as const
    const { end, why } = await run(early, { state: 'refused' }, 5_000)
    assert.equal(end, 'unknown')
    assert.match(
      why ?? '',
      /its sequence is 53, and the account is at 20; it may be included until/,
    )
  })

  test('refused after its timeout height: the error does not say that it may still be included', async () => {
    const { end, error } = await run({
      sent: [checked('broadcast_err_seq_high')],
      accountStates: [[[TIMEOUT + 1, SEQUENCE]], [[TIMEOUT, SEQUENCE]]],
    })
    assert.equal(end, 'unknown')
    assert.doesNotMatch(`${error?.message} ${error?.why}`, /may be until/)
    assert.match(`${error?.message} ${error?.why}`, /the nodes do not agree about the account/)
  })

  test('an unclear answer is final: the same bytes are sent again, and the chain decides', async () => {
    const { end, counts, states } = await run({
      sent: [unknown, unknown, accepted],
      accountStates: [[[121, SEQUENCE]], [[122, SEQUENCE]], [[141, SEQUENCE]]],
    })
    assert.equal(end, 'expired')
    assert.equal(counts.broadcasts, 3)
    assert.equal(states.at(-1), 'expired')
  })

  test('no connection at all: the transaction was not sent, and is abandoned', async () => {
    const { end, error, at, counts } = await run({ sent: [unsent] })
    assert.equal(end, 'abandoned')
    assert.equal(counts.broadcasts, 5)
    assert.equal(error?.code, 'UPSTREAM_ERROR')
    assert.equal(at.intent.txs[0]?.state, 'abandoned')
  })
})

const past = [[TIMEOUT + 1, SEQUENCE]] as const

describe('a finished transaction', () => {
  const endings: readonly (readonly [Partial<TxRecord>, string | undefined])[] = [
    [{ state: 'included', code: 0, height: 125 }, undefined],
    [
      {
        state: 'included',
        code: 5,
        codespace: 'wasm',
        height: 125,
        log: 'Invalid return amount 1 expected 2',
      },
      'SLIPPAGE_EXCEEDED',
    ],
    [{ state: 'expired', log: 'block 141 shows its sequence unused' }, 'TX_FAILED'],
    [{ state: 'replaced', log: 'another' }, 'TX_FAILED'],
    [{ state: 'abandoned', log: 'no node' }, 'UPSTREAM_ERROR'],
    [{ state: 'abandoned', code: 5, codespace: 'sdk', log: 'no coins' }, 'INSUFFICIENT_FUNDS'],
  ]
  for (const [change, code] of endings)
    test(`as ${change.state} ${change.code ?? ''} is reported from the journal, although no node has it any more`, async () => {
      const { end, counts, error } = await run({ accountStates: [[[9_000_000, 900n]]] }, change)
      assert.equal(end, change.state)
      assert.equal(error?.code, code)
      assert.equal(counts.accounts + counts.broadcasts, 0)
    })
})

describe('a disk that is full', () => {
  test('before the bytes are sent prevents sending them', async () => {
    const { session, entry, counts } = scripted({ room: 0 })
    await assert.rejects(track(session, untilIncluded, entry()), (error: SwapError) => {
      assert.equal(error.code, 'NOT_READY')
      assert.equal(error.members['tx_hash'], HASH)
      assert.match(error.message, /what was signed was not sent/)
      assert.match(error.hint ?? '', /swap tx resume x_00000001/)
      return true
    })
    assert.equal(counts.broadcasts, 0)
  })

  test('after the journal has them as sent: unreachable nodes do not prove that they never will be', async () => {
    for (const room of [1, 3]) {
      const { error, report, states, unwritten } = await run({ sent: [unsent], room })
      assert.equal(states.at(-1), 'sent')
      assert.equal(error?.code, 'OUTCOME_UNKNOWN')
      assert.match(error?.why ?? '', /the journal could not be written/)
      assert.equal(report.status, 'unknown')
      assert.match(unwritten?.message ?? '', /cannot be used/)
    }
    await assert.rejects(run({ sent: [unsent], room: 2 }), { code: 'NOT_READY' })
  })

  test('for a moment only: the journal is complete in the end', async () => {
    const { session, entry, states } = scripted({ found: () => inBlock('tx_router_2hop') })
    let writes = 0
    const journal = {
      ...session.journal,
      put(now: Intent) {
        writes += 1
        if (writes === 2) throw new SwapError('NOT_READY', 'the journal cannot be used')
        session.journal.put(now)
      },
    }
    const at = entry()
    await track({ ...session, journal }, untilIncluded, at)
    assert.equal(states.at(-1), 'included')
    assert.equal(at.unwritten, undefined)
  })

  test('afterwards: the outcome is followed and reported, and also that it could not be stored', async () => {
    const done = inBlock('tx_err_out_of_gas')
    for (const room of [1, 2]) {
      const { end, error, unwritten, counts } = await run({ room, found: () => done })
      assert.equal(end, 'included')
      assert.equal(error?.code, 'TX_FAILED')
      assert.equal(counts.broadcasts, 1)
      assert.match(unwritten?.message ?? '', /cannot be used/)
    }
  })
})

describe('a clock that jumps', () => {
  test('by days in either direction changes nothing, since heights decide', async () => {
    for (const days of [-400, -1, 1, 400]) {
      const { session, entry } = scripted({
        accountStates: [[[121, SEQUENCE]], [[122, SEQUENCE]], past],
      })
      let calls = 0
      const time = () =>
        new Date(Date.UTC(2026, 10, 21) + (calls += 1) * days * 86_400_000).toISOString()
      const at = entry()
      await track({ ...session, clock: { ...session.clock, time } }, untilIncluded, at)
      assert.equal(at.intent.txs[0]?.state, 'expired')
    }
  })
})
