import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { NodeFault } from '../../../src/chain/rpc/faults.js'
import type { BroadcastResult } from '../../../src/chain/tx/outcome.js'
import type { LegRecord } from '../../../src/execution/journal/intent.js'
import { track, type Waiting } from '../../../src/execution/lifecycle/track.js'
import type { Step } from '../../../src/execution/session.js'
import {
  accepted,
  checked,
  HASH,
  inBlock,
  intent,
  run,
  type Script,
  SEQUENCE,
  scripted,
  TIMEOUT,
  unknown,
  untilIncluded,
} from '../script.js'

describe('waiting for a transaction', () => {
  test('goes on after a refusal where no node can be reached any more: the one that refused had the bytes', async () => {
    const busy = { ...checked('broadcast_err_seq_low'), reason: 'busy' } as BroadcastResult
    const { states, error, counts } = await run({ sent: [busy, { kind: 'unsent', why: 'down' }] })
    assert.equal(states.at(-1), 'refused')
    assert.ok(!states.includes('signed'))
    assert.equal(error?.members['funds'], 'unknown')
    assert.equal(counts.broadcasts, 5)
  })

  test('says what is missing, and not that there are no new blocks, while one node alone has it', async () => {
    let height = 125
    const { session, entry } = scripted({ found: () => inBlock('tx_router_2hop') })
    const chain = {
      ...session.chain,
      inspect: async () => ({ kind: 'unsupported', why: 'one has it', height: height++ }) as const,
    }
    const outcome = await track({ ...session, chain }, untilIncluded, entry())
    const blocks = TIMEOUT - 125 + session.stallMs / session.pollIntervalMs
    assert.ok(height > 125 + blocks)
    assert.match(
      'why' in outcome ? outcome.why : '',
      /^its timeout height has passed.*; one has it$/,
    )
  })

  test.each([
    { kind: 'unsupported', why: 'one has it', height: 130 },
    {
      kind: 'included',
      included: inBlock('tx_router_2hop'),
      evidence: 'one_node',
      isProvisional: true,
    },
  ] as const)(
    'does not say of a refused one that it is in no block where a node is $kind',
    async (inspection) => {
      const script = { sent: [checked('broadcast_err_fee_too_low')], inspection }
      const { error } = await run({ ...script, found: () => inBlock('tx_router_2hop') })
      assert.match(error?.why ?? '', /; (one has it|it is in block 125, and the header.*)$/)
    },
  )

  test('shows the node that accepted it, and none where no answer came', async () => {
    for (const [sent, state, expected] of [
      [accepted, 'signed', [{ stage: 'accepted', hash: HASH, by: 'node' }]],
      [unknown, 'accepted', []],
    ] as const) {
      const { session, entry } = scripted({ sent: [sent] })
      const steps: Step[] = []
      const progress = (step: Step) => void steps.push(step)
      await track({ ...session, progress }, { ...untilIncluded, waitMs: 1 }, entry({ state }))
      assert.deepEqual(
        steps.filter(({ stage }) => stage === 'accepted'),
        expected,
      )
    }
  })

  test('asks nodes that hang once, where that takes longer than it is to wait', async () => {
    const { session, entry, counts } = scripted({})
    let polls = 0
    const find = async () => {
      polls += 1
      await session.clock.sleep(8_000, session.interrupt)
      throw new NodeFault('timeout', 'node', 'did not answer within 8000 ms')
    }
    const chain = { ...session.chain, find }
    const waiting = { ...untilIncluded, waitMs: 1_000 }
    const outcome = await track({ ...session, chain }, waiting, entry({ state: 'sent' }))
    assert.deepEqual(outcome, {
      kind: 'unknown',
      why: 'it was waited for 1 s; no node answers',
    })
    assert.deepEqual([polls, counts.broadcasts], [1, 0])
  })

  test.each([
    [TIMEOUT, TIMEOUT + 30, TIMEOUT],
    [TIMEOUT, TIMEOUT - 5, TIMEOUT - 5],
    [0, TIMEOUT + 30, TIMEOUT + 30],
  ])(
    'with the timeout height %s at block %s reads blocks up to %s',
    async (timeout_height, height, last) => {
      const ends: number[] = []
      await run(
        {
          accountStates: [[[height, SEQUENCE + 1n]]],
          scan: (_, to) => {
            ends.push(to)
            return { kind: 'absent' }
          },
        },
        { timeout_height },
      )
      assert.equal(ends[0], last)
    },
  )

  test('without a timeout height ends although blocks come', async () => {
    const accountStates = Array.from({ length: 90 }, (_, i) => [
      [121 + Math.floor(i / 3), SEQUENCE] as const,
    ])
    const { end, why, counts } = await run({ accountStates }, { timeout_height: 0 })
    assert.deepEqual([end, counts.accounts], ['unknown', 31])
    assert.match(why, /^it has no timeout height; /)
    assert.equal((await run({ accountStates })).end, 'expired')
  })

  test('ends once its timeout height has passed on nodes without the blocks up to it', async () => {
    const accountStates = Array.from({ length: 90 }, (_, i) => [
      [TIMEOUT + 1 + i, SEQUENCE] as const,
    ])
    const scan = { kind: 'incomplete', passes: true, why: 'block 130 is not there' } as const
    const { end, why, counts } = await run({ accountStates, scan }, { state: 'accepted' })
    assert.deepEqual([end, counts.accounts], ['unknown', 32])
    assert.match(why, /^its timeout height has passed, and these nodes do not have the blocks/)
    assert.match(why, /; block 130 is not there$/)
  })

  test('is left out where the caller does not wait, unless another transaction follows', async () => {
    const taken: Script = { found: () => inBlock('tx_router_2hop') }
    const silent: Script = { found: () => undefined, sent: [unknown] }
    const tracked = async (script: Script, wait: Waiting['wait'], legs: readonly LegRecord[]) => {
      const { session, entry } = scripted(script)
      const { at, intent: one } = entry()
      const waiting = { wait, waitMs: 1_000 }
      return (await track(session, waiting, { at, intent: { ...one, legs } })).kind
    }
    const [leg] = intent.legs as [LegRecord]
    for (const wait of ['accepted', 'none'] as const) {
      assert.equal(await tracked(taken, wait, [leg]), 'accepted')
      assert.equal(await tracked(taken, wait, [leg, leg]), 'settled')
      assert.equal(await tracked(silent, wait, [leg]), 'unknown')
    }
    assert.equal(await tracked(taken, 'included', [leg]), 'settled')
  })

  test('begins without the code of a refusal that was repeated', async () => {
    const sent = [checked('broadcast_err_seq_high'), accepted]
    const { at, state } = await run({ sent }, {}, 1_000)
    const { code, codespace, log } = at.intent.txs[0]!
    assert.deepEqual([state, code, codespace, log], ['accepted', null, null, null])
  })
})
