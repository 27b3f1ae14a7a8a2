import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { Interrupted } from '../../../../src/cli/exit.js'
import { secretLine } from '../../../../src/cli/secret-line.js'
import { MOST } from '../../../../src/wallet/passwords/rules.js'

const typed = (...chunks: readonly (string | Buffer)[]) => {
  const line = secretLine()
  const used = chunks.map((chunk) => line.type(Buffer.from(chunk as string)))
  return { text: line.copy().toString(), used: used.at(-1) }
}

describe('a secret line', () => {
  test('is what was typed, in whatever pieces it arrived', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 40 }).filter((s) => !/\p{Cc}/u.test(s))
    fc.assert(
      fc.property(text, fc.array(fc.nat(30), { maxLength: 5 }), (wanted, cuts) => {
        const bytes = Buffer.from(`${wanted}\r`)
        const places = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b)]
        const pieces = places.map((from, i) => bytes.subarray(from, places[i + 1]))
        assert.equal(typed(...pieces).text, wanted)
      }),
    )
  })
  test('ends at a line break, and leaves what was typed after it', () => {
    for (const end of ['\r', '\n']) assert.deepEqual(typed(`ab${end}cd`), { text: 'ab', used: 3 })
  })
  test('takes back whole characters with backspace, and everything with ctrl-u', () => {
    assert.equal(typed('aé€😀\x7f\x7f\x08b').text, 'ab')
    assert.equal(typed('\x7fa').text, 'a')
    assert.equal(typed('abc\x15d').text, 'd')
  })
  test('ignores cursor keys and other controls', () => {
    assert.equal(typed('a\x1b[Db\x1bOPc\x1b[1;5Cd', '\x1b', '\te').text, 'abcde')
  })
  test('is interrupted by ctrl-c and ctrl-d, and the error names the key', () => {
    for (const [byte, key] of [
      ['\x03', 'ctrl-c'],
      ['\x04', 'ctrl-d'],
    ])
      assert.throws(
        () => typed(`a${byte}`),
        (error) =>
          error instanceof Interrupted && error.why === `you pressed ${key}; nothing was changed`,
      )
  })
  test('keeps one byte more than a password may have, so that a longer one is refused', () => {
    assert.equal(typed('x'.repeat(3 * MOST)).text.length, MOST + 1)
  })
})
