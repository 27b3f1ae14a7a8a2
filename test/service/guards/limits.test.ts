import assert from 'node:assert/strict'
import { test } from 'vitest'
import { connectionsWithin, mostOpenFiles } from '../../../src/service/guards/limits.js'

test('connections leave files to nodes and databases', () => {
  const limits = [100, 1_024, 20_000, Number.POSITIVE_INFINITY].map(connectionsWithin)
  assert.deepEqual(limits, [50, 768, 12_000, 12_000])
  assert.ok(mostOpenFiles() >= 100)
})
