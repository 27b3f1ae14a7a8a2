import assert from 'node:assert/strict'
import { test } from 'vitest'
import { feedLogOf } from '../../../../src/cli/commands/serve/log-events.js'
import { SwapError } from '../../../../src/engine/errors.js'
import type { FailureFields, ServiceLog } from '../../../../src/service/metrics/log.js'

function recordedLog() {
  const events: unknown[] = []
  const event = (...[, , fields]: Parameters<ServiceLog['event']>) => void events.push(fields)
  const log = feedLogOf({ request() {}, event }, () => {})
  return { log, events, reasons: () => events.map((fields) => (fields as FailureFields).reason) }
}

test('the log of a market that cannot be read has the cause, and each cause once', () => {
  const { log, reasons } = recordedLog()
  const failure = (why: string) =>
    new SwapError('UPSTREAM_INVALID_DATA', 'the market of demo cannot be read', { why })
  for (const why of ['the router is a pair', 'the router is a pair', 'height 5 is pruned'])
    log.failed(failure(why))
  log.failed(failure('height 6 is pruned'))
  assert.deepEqual(reasons(), [
    'the market of demo cannot be read: the router is a pair',
    'the market of demo cannot be read: height 5 is pruned',
  ])
})

test('the log of a market that cannot be read has the next step', () => {
  const { log, events } = recordedLog()
  log.failed(new SwapError('UPSTREAM_ERROR', 'the node is gone', { hint: 'name another: --rpc' }))
  assert.deepEqual(events, [{ reason: 'the node is gone', hint: 'name another: --rpc' }])
})

test('of ever different causes the log remembers the last twenty', () => {
  const { log, reasons } = recordedLog()
  const cause = (n: number) => String.fromCharCode(97 + n)
  const failAt = (n: number) => log.failed(new SwapError('UPSTREAM_ERROR', cause(n)))
  for (let n = 0; n <= 20; n += 1) failAt(n)
  for (const n of [1, 0]) failAt(n)
  assert.deepEqual(reasons().slice(21), [cause(0)])
})
