import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { track } from '../../../src/execution/lifecycle/track.js'
import type { Step } from '../../../src/execution/session.js'
import {
  accepted,
  HASH,
  run,
  SEQUENCE,
  scripted,
  TIMEOUT,
  unknown,
  untilIncluded,
} from '../script.js'

describe('waiting for a transaction', () => {
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
})
