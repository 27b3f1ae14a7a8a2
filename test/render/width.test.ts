import assert from 'node:assert/strict'
import fc from 'fast-check'
import stringWidth from 'string-width'
import { describe, test } from 'vitest'
import { glyphsOf, plainStyle, styleOf, toAscii } from '../../src/render/style.js'
import {
  displayWidth,
  padEnd,
  padStart,
  quote,
  shortenMiddle,
  truncate,
  wrap,
} from '../../src/render/width.js'

const colored = styleOf({ ...plainStyle, color: true })

test('colour codes have no width', () => {
  assert.equal(displayWidth(colored.bad('abc')), 3)
  assert.equal(padEnd(colored.bad('abc'), 5), `${colored.bad('abc')}  `)
  assert.equal(padStart(colored.bad('abc'), 5), `  ${colored.bad('abc')}`)
})

test('without colour, painting a text adds nothing', () =>
  assert.equal(plainStyle.bad('abc'), 'abc'))

test('padding never cuts a text', () => assert.equal(padStart('12345', 3), '12345'))

test('shortening removes the middle and keeps both ends', () => {
  assert.equal(shortenMiddle('thor1gys8lu7cdxlpcmqu3wwajp', 15), 'thor1gy…u3wwajp')
  assert.equal(shortenMiddle('thor1gys8lu7cdxlpcmqu3wwajp', 15, '...'), 'thor1g...3wwajp')
  assert.equal(shortenMiddle('rune', 15), 'rune')
  assert.equal(shortenMiddle('abcdef', 2), 'a…')
})

test('a shortened text fits any width', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.integer({ min: -2, max: 40 }),
      (text, width) => {
        assert.ok(displayWidth(shortenMiddle(text, width)) <= Math.max(0, width))
        assert.ok(displayWidth(truncate(text, width)) <= Math.max(0, width))
      },
    ),
  )
})

test('lines break at spaces, keep a long word whole and keep runs of spaces', () => {
  assert.deepEqual(wrap('one two three', 8), ['one two', 'three'])
  assert.deepEqual(wrap('a eth-usdc-0xa0b86991 b', 8), ['a', 'eth-usdc-0xa0b86991', 'b'])
  assert.deepEqual(wrap('this    that', 20), ['this    that'])
  assert.deepEqual(wrap('one\n\ntwo', 20), ['one', '', 'two'])
  assert.deepEqual(wrap('', 20), [''])
})

test('wrapping loses no word', () => {
  const words = fc.array(fc.stringMatching(/^[a-z]{1,12}$/))
  fc.assert(
    fc.property(words, fc.integer({ min: 1, max: 30 }), (some, width) =>
      assert.equal(wrap(some.join(' '), width).join(' '), some.join(' ')),
    ),
  )
})

test('a quotation of any text is short and without control characters', () => {
  assert.equal(quote('runr'), '"runr"')
  assert.ok(quote('\u0007'.repeat(1_000_000)).length <= 62)
})

test('glyphs and sentences have an ASCII form', () => {
  for (const glyph of Object.values(glyphsOf({ ascii: true })))
    assert.match(glyph, /^[\x20-\x7e]+$/)
  assert.equal(toAscii('USDC → RUNE · 12 … é'), 'USDC -> RUNE - 12 ... ?')
})

test('the width of narrow texts equals that of string-width for any mixture', () => {
  const unit = fc.oneof(
    fc.constantFrom(
      ...Object.values(glyphsOf(plainStyle)),
      '•',
      '–',
      '↓',
      '▁',
      '┃',
      '\x1b[1m',
      '\ufe0f',
    ),
    fc.string({ maxLength: 3 }),
  )
  fc.assert(
    fc.property(fc.array(unit), (parts) => {
      const text = parts.join('')
      assert.equal(displayWidth(text), stringWidth(text))
    }),
  )
})

describe('text of wide scripts and emoji', () => {
  const coins = ['金', '🪙', '❤️', '👩‍👩‍👧', '🇩🇪', '🫠']

  test('has two columns a character', () => {
    for (const coin of coins) assert.equal(displayWidth(coin), 2, coin)
    assert.equal(displayWidth('e\u0301'), 1)
  })

  test('is padded by columns, not by code points', () => {
    assert.equal(padEnd('金🪙', 6), '金🪙  ')
    assert.equal(padStart('👩‍👩‍👧', 3), ' 👩‍👩‍👧')
  })

  test('is cut between characters and fits the width', () => {
    assert.equal(truncate('金金金金', 5), '金金…')
    assert.equal(truncate('金金金金', 6), '金金…')
    assert.equal(truncate('👩‍👩‍👧👩‍👩‍👧', 3), '👩‍👩‍👧…')
    assert.equal(shortenMiddle('金金金金金', 7), '金…金')
    assert.equal(shortenMiddle('factory/金金金金', 9, '...'), 'fac...金')
  })

  test('is wrapped by columns', () => assert.deepEqual(wrap('金金 金金 a', 6), ['金金', '金金 a']))
})
