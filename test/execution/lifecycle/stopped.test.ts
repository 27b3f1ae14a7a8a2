import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { BroadcastResult } from '../../../src/chain/tx/outcome.js'
import { Interrupted } from '../../../src/execution/interrupted.js'
import { track } from '../../../src/execution/lifecycle/track.js'
import { accepted, checked, SEQUENCE, scripted, unknown, untilIncluded } from '../script.js'

const unsent: BroadcastResult = { kind: 'unsent', why: 'refused' }

describe('a user who stops it', () => {
  test('before the first attempt: nothing is sent', async () => {
    const stopped = { interrupt: AbortSignal.abort() }
    for (const state of ['sent', 'accepted'] as const) {
      const { session, entry, counts } = scripted({})
      const { kind } = await track({ ...session, ...stopped }, untilIncluded, entry({ state }))
      assert.deepEqual([kind, counts.broadcasts], ['unknown', 0])
    }
    const { session, entry } = scripted({})
    const stays = entry()
    await assert.rejects(track({ ...session, ...stopped }, untilIncluded, stays), (error) => {
      assert.ok(error instanceof Interrupted)
      assert.equal(error.signed, stays.intent.id)
      return true
    })
  })

  test('between two attempts: nothing more is sent', async () => {
    for (const [first, state] of [
      [unsent, 'abandoned'],
      [unknown, 'sent'],
      [checked('broadcast_err_seq_high'), 'refused'],
    ] as const) {
      const { session, entry, counts } = scripted({ sent: [first, accepted] })
      const stopping = new AbortController()
      const sleep = async () => stopping.abort()
      const at = entry()
      const clock = { ...session.clock, sleep }
      await track({ ...session, clock, interrupt: stopping.signal }, untilIncluded, at)
      assert.equal(counts.broadcasts, 1)
      assert.equal(at.intent.txs[0]?.state, state)
    }
  })
})

test('a process that has lost the lock of its account follows a transaction, and sends nothing again', async () => {
  const accountStates = Array.from({ length: 30 }, (_, i) => [[121 + i, SEQUENCE] as const])
  for (const state of ['sent', 'accepted'] as const) {
    const { session, entry, counts } = scripted({ accountStates })
    const lost = { ...session, isHeld: () => false }
    const { kind } = await track(lost, { ...untilIncluded, waitMs: 10_000 }, entry({ state }))
    assert.deepEqual([kind, counts.broadcasts], ['unknown', 0])
  }
})
