import assert from 'node:assert/strict'
import { test } from 'vitest'
import { attempt } from '../../src/platform/attempt.js'

const fail = (): never => {
  throw new RangeError('out of range')
}

test('an attempt gives what the work returns, or nothing where it throws', () => {
  assert.equal(
    attempt(() => 5),
    5,
  )
  assert.equal(attempt(fail), undefined)
})

test('an attempt with a class throws every other error', () => {
  assert.equal(attempt(fail, RangeError), undefined)
  assert.throws(() => attempt(fail, SyntaxError), RangeError)
})
