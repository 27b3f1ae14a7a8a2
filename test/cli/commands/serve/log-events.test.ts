import assert from 'node:assert/strict'
import { test } from 'vitest'
import { feedLogOf, nodeLogOf } from '../../../../src/cli/commands/serve/log-events.js'
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

test('the log names a node that fails in two polls in a row, once, and when it answers again', () => {
  const lines: string[] = []
  const seen = nodeLogOf({
    request() {},
    event: (level, text, { node, reason = '' } = {}) =>
      void lines.push([level, text, node, reason].join(' ')),
  })
  for (const fault of [undefined, 'is late', undefined, 'is 9 behind', 'is 8 behind', 'is late'])
    seen([
      { node: 'a', height: 9, fault: undefined },
      { node: 'b', height: undefined, fault },
    ])
  assert.deepEqual(lines, ['warn a node cannot be used b is 8 behind'])
  for (const fault of [undefined, 'is late', undefined, undefined, undefined])
    seen([{ node: 'b', height: 9, fault }])
  assert.deepEqual(lines.slice(1), ['info a node can be used again b '])
})
