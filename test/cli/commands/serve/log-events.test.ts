import assert from 'node:assert/strict'
import { test } from 'vitest'
import { feedLogOf } from '../../../../src/cli/commands/serve/log-events.js'
import { SwapError } from '../../../../src/engine/errors.js'

test('the log of a market that cannot be read has the cause, and each cause once', () => {
  const reasons: unknown[] = []
  const log = feedLogOf(
    { request() {}, event: (_level, _name, fields) => void reasons.push(fields?.['reason']) },
    () => {},
  )
  const failure = (why: string) =>
    new SwapError('UPSTREAM_INVALID_DATA', 'the market of demo cannot be read', { why })
  for (const why of ['the router is a pair', 'the router is a pair', 'height 5 is pruned'])
    log.failed(failure(why))
  log.failed(failure('height 6 is pruned'))
  assert.deepEqual(reasons, [
    'the market of demo cannot be read: the router is a pair',
    'the market of demo cannot be read: height 5 is pruned',
  ])
})
