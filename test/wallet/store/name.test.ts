import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { SwapError } from '../../../src/engine/errors.js'
import { checkName, isKeyName } from '../../../src/wallet/store/name.js'
import { runs } from '../../support/books.js'

describe('the name of a key', () => {
  for (const name of ['main', 'a', '0', 'bot-2', 'my_key', 'x'.repeat(32), 'console'])
    test(`may be ${name}`, () => assert.equal(isKeyName(name), true))

  const bad = [
    '',
    '.',
    '..',
    '../x',
    'a/b',
    'a\\b',
    'Main',
    'CON',
    'con',
    'nul',
    'com1',
    'lpt9',
    '-a',
    '_a',
    'a b',
    'a.json',
    'a\u0000',
    'a\n',
    'ä',
    'ａ',
    'x'.repeat(33),
    'x'.repeat(300),
    '~',
    '$HOME',
    '*',
    'a:b',
    '\u202ea',
    '%2e%2e',
  ]
  for (const name of bad)
    test(`is never ${JSON.stringify(name.slice(0, 20))}, and is not repeated`, () => {
      assert.throws(
        () => checkName(name),
        (error) => {
          assert.ok(error instanceof SwapError)
          assert.equal(error.code, 'INVALID_REQUEST')
          if (name.length > 5)
            assert.ok(!JSON.stringify([error.message, error.why, error.members]).includes(name))
          return true
        },
      )
    })

  test('never has characters with a meaning in a path', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string()), (name) => {
        if (isKeyName(name)) assert.match(name, /^[a-z0-9_-]{1,32}$/)
      }),
      runs(1000),
    )
  })
})
