import assert from 'node:assert/strict'
import { test } from 'vitest'
import { escapeObeyed, printable } from '../../src/platform/printable.js'

test('control characters and direction marks are made visible', () => {
  assert.equal(printable('a\u001b[31m\n'), 'a\\u{1b}[31m\\u{a}')
  assert.equal(printable('\u202egold\u200b\u009b'), '\\u{202e}gold\\u{200b}\\u{9b}')
  assert.equal(printable('RUNE → €'), 'RUNE → €')
  const marks = '\u0301'.repeat(4)
  assert.equal(printable(`e${marks}\u0301\u0301x${marks}`), `e${marks}\\u{301}\\u{301}x${marks}`)
})

test('JSON keeps its meaning without the characters that a terminal obeys', () => {
  const value = { name: 'a\u001b[31m\u009b2J\u202eb\u200b\u{e0041}\u2028€ →\n' }
  const json = JSON.stringify(value)
  const escaped = escapeObeyed(json)
  assert.deepEqual(JSON.parse(escaped), value)
  assert.match(escaped, /^[\x20-\x7e€→]*$/)
  assert.equal(escapeObeyed('two\n\u001b[1mlines\u001b[22m'), 'two\n\u001b[1mlines\u001b[22m')
})
