import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { editDistance, suggest } from '../../src/operations/suggest.js'

const commands = ['tokens', 'route', 'sroute', 'simulate', 'arbs', 'arbroute', 'history', 'config']

const rows: readonly (readonly [sentence: string, typed: string, words: readonly string[]])[] = [
  ['a missing letter', 'srote', ['sroute', 'route']],
  ['two letters swapped', 'rouet', ['route', 'sroute']],
  ['the beginning of a word', 'arb', ['arbroute', 'arbs']],
  ['a word in capitals', 'TOKNES', ['tokens']],
  ['no similar word', 'execute', []],
  ['an empty word', '', []],
]
for (const [sentence, typed, choices] of rows)
  test(`the command suggested for ${sentence}: ${typed}`, () =>
    assert.deepEqual(suggest(typed, commands), choices))

test('a suggestion has at most three words', () =>
  assert.equal(suggest('a', ['ab', 'ac', 'ad', 'ae']).length, 3))

test('a suggestion is never a short word that only has the same length', () =>
  assert.deepEqual(suggest('xy', ['ab', 'cd']), []))

test('the edit distance of two swapped neighbours is one', () =>
  assert.equal(editDistance('abcd', 'abdc'), 1))

test('the edit distance is symmetric, and zero only between equal words', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 })
  fc.assert(
    fc.property(word, word, (one, other) => {
      assert.equal(editDistance(one, other), editDistance(other, one))
      assert.equal(editDistance(one, other) === 0, one === other)
    }),
  )
})
