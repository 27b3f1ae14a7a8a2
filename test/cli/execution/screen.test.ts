import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { typeKey } from '../../../src/cli/execution/screen.js'
import { Interrupted } from '../../../src/cli/exit.js'

describe('the line that answers the question before a signature', () => {
  test('takes letters and pasted text, of which the first line counts', () => {
    assert.deepEqual(typeKey('y', 'e', {}), { line: 'ye' })
    assert.deepEqual(typeKey('', 'show all\rrest', {}), { line: 'show all', end: 'enter' })
    assert.deepEqual(typeKey('y', '\n', {}), { line: 'y', end: 'enter' })
    assert.equal(typeKey('', 'x'.repeat(200), {}).line.length, 128)
    assert.deepEqual(typeKey('', 'a\x07é\tb', {}), { line: 'ab' })
  })
  test('takes no letter of a key with ctrl, alt or another modifier', () => {
    for (const modifier of ['ctrl', 'meta', 'super', 'hyper'])
      for (const letter of ['y', 'z', 'n', 's'])
        assert.deepEqual(typeKey('a', letter, { [modifier]: true }), { line: 'a' })
  })
  test('is cleared by ctrl-u and ctrl-w, and shortened by backspace', () => {
    for (const letter of ['u', 'w'])
      assert.deepEqual(typeKey('maybe', letter, { ctrl: true }), { line: '' })
    for (const key of [{ backspace: true }, { delete: true }])
      assert.deepEqual(typeKey('ab', '', key), { line: 'a' })
  })
  test('handles keys that come at once like keys one after the other', () => {
    for (const [typed, line] of [
      ['y\x7f', ''],
      ['y\bn', 'n'],
      ['\x7f\x7fno', 'no'],
      ['y\x15n', 'n'],
      ['yes\x17', ''],
    ] as const)
      assert.deepEqual(typeKey('', typed, {}), { line }, JSON.stringify(typed))
    assert.deepEqual(typeKey('y', '\x7f\r', {}), { line: '', end: 'enter' })
    for (const typed of ['y\x03', '\x03y', 'y\r\x03', 'y\x04'])
      assert.throws(() => typeKey('', typed, {}), Interrupted, JSON.stringify(typed))
  })
  test('ends at enter and escape', () => {
    assert.deepEqual(typeKey('y', '', { return: true }), { line: 'y', end: 'enter' })
    assert.deepEqual(typeKey('y', '', { escape: true, meta: true }), { line: '', end: 'escape' })
  })
  test('is interrupted by ctrl-c and ctrl-d, and the error names the key', () => {
    for (const letter of ['c', 'd'])
      assert.throws(
        () => typeKey('y', letter, { ctrl: true }),
        (error) =>
          error instanceof Interrupted &&
          error.why === `you pressed ctrl-${letter}; nothing was changed`,
      )
  })
})
