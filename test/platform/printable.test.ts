import assert from 'node:assert/strict'
import { test } from 'vitest'
import { printable } from '../../src/platform/printable.js'

test('control characters and direction marks are made visible', () => {
  assert.equal(printable('a\u001b[31m\n'), 'a\\u{1b}[31m\\u{a}')
  assert.equal(printable('\u202egold\u200b\u009b'), '\\u{202e}gold\\u{200b}\\u{9b}')
  assert.equal(printable('RUNE → €'), 'RUNE → €')
})
