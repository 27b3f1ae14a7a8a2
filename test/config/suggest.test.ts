import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { editDistance, suggest } from '../../src/config/suggest.js'

const commands = ['tokens', 'route', 'sroute', 'simulate', 'arbs', 'arbroute', 'history', 'config']

const rows: readonly (readonly [sentence: string, typed: string, words: readonly string[]])[] = [
  ['a missing letter', 'srote', ['sroute', 'route']],
  ['two letters swapped', 'rouet', ['route', 'sroute']],
  ['a beginning', 'arb', ['arbroute', 'arbs']],
  ['case does not matter', 'TOKNES', ['tokens']],
  ['nothing near', 'execute', []],
  ['nothing typed', '', []],
]
for (const [sentence, typed, words] of rows)
  test(`${sentence}: ${typed}`, () => assert.deepEqual(suggest(typed, commands), words))

test('at most three words are suggested', () =>
  assert.equal(suggest('a', ['ab', 'ac', 'ad', 'ae']).length, 3))

test('short words are not near for having the same length', () =>
  assert.deepEqual(suggest('xy', ['ab', 'cd']), []))

test('swapping two neighbours is one error', () => assert.equal(editDistance('abcd', 'abdc'), 1))

test('the distance is the same both ways, and zero only between equals', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 })
  fc.assert(
    fc.property(word, word, (one, other) => {
      assert.equal(editDistance(one, other), editDistance(other, one))
      assert.equal(editDistance(one, other) === 0, one === other)
    }),
  )
})
