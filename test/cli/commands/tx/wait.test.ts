import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { Inspection } from '../../../../src/chain/tx/outcome.js'
import type { Context } from '../../../../src/cli/command.js'
import { waitForForeign } from '../../../../src/cli/commands/tx/run.js'
import type { Chain } from '../../../../src/execution/ports.js'
import type { Clock } from '../../../../src/platform/clock.js'
import { inBlock, tx } from '../../../execution/script.js'

const included = inBlock('tx_router_2hop')

/** Waits at most three seconds for a transaction that the nodes show in this way, poll by poll. */
async function waiting(polls: readonly (Inspection | undefined)[]) {
  let now = 0
  const at = () => polls[Math.min(now / 1_000, polls.length - 1)]
  const chain = {
    network: 'demo',
    find: async () => at() && included,
    inspect: async () => at(),
  } as unknown as Chain
  const clock: Clock = {
    now: () => now,
    sleep: async (ms) => void (now += ms),
    time: () => '2026-11-21T16:55:07.123Z',
  }
  const printed: string[] = []
  const context = {
    form: { kind: 'json', quiet: 0 },
    out: { result: async (text: string) => void printed.push(text), style: {} },
  } as unknown as Context
  const interrupt = new AbortController().signal
  const session = { chain, clock, pollIntervalMs: 1_000 }
  const limits = { wait: 'included', waitMs: 3_000 } as const
  const ended = waitForForeign({ context, interrupt }, { ...session, waiting: limits }, tx.hash)
  const error = await ended.then(
    () => undefined,
    (failed) => failed,
  )
  return { error, printed, waited: () => now }
}

test('a transaction signed elsewhere that one of two nodes shows is waited for, not printed as open', async () => {
  const alone: Inspection = { kind: 'unsupported', why: 'one alone says so', height: 130 }
  const { error, printed, waited } = await waiting([alone])
  assert.equal(error?.code, 'OUTCOME_UNKNOWN')
  assert.equal(error?.why, 'one alone says so')
  assert.deepEqual(printed, [])
  assert.equal(waited(), 3_000)
  const later = await waiting([
    undefined,
    alone,
    { kind: 'included', included, evidence: 'agreed' },
  ])
  assert.equal(later.error, undefined)
  assert.equal(JSON.parse(later.printed[0]!).state, 'included')
})

test('a transaction that no node knows is waited for as long as --wait-timeout says', async () => {
  const { error, waited } = await waiting([undefined])
  assert.equal(error?.code, 'TX_NOT_FOUND')
  assert.equal(waited(), 3_000)
})
