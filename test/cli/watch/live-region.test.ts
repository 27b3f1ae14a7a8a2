import assert from 'node:assert/strict'
import { Text } from 'ink'
import { render } from 'ink-testing-library'
import { createElement } from 'react'
import { describe, test } from 'vitest'
import { type Key, Region } from '../../../src/cli/watch/live-region.js'

const shown = (text: string) => {
  const keys: Key[] = []
  const region = (content: string, pressed?: (key: Key) => void) =>
    createElement(Region, { pressed }, createElement(Text, {}, content))
  const { lastFrame, stdin, rerender, unmount } = render(region(text, (key) => keys.push(key)))
  return { lastFrame, stdin, replace: (next: string) => rerender(region(next)), unmount, keys }
}

describe('a live region', () => {
  test('puts a new frame in the place of the old one', () => {
    const { lastFrame, replace, unmount } = shown('one\ntwo')
    assert.equal(lastFrame(), 'one\ntwo')
    replace('three')
    assert.equal(lastFrame(), 'three')
    unmount()
  })
  test('handles enter, ctrl-c and its letters, and ignores other keys', async () => {
    const { stdin, keys, unmount } = shown('one')
    for (const typed of ['c', 'x', '\r', 'q', '\u001b[A', '\u0003', '\u0001']) stdin.write(typed)
    await new Promise((resolve) => setImmediate(resolve))
    assert.deepEqual(keys, ['c', 'enter', 'q', 'interrupt'])
    unmount()
  })
  test('hears ctrl-c among keys that come at once, and none of the others', async () => {
    const { stdin, keys, unmount } = shown('one')
    for (const typed of ['qc', 'xq\u0003']) stdin.write(typed)
    await new Promise((resolve) => setImmediate(resolve))
    assert.deepEqual(keys, ['interrupt'])
    unmount()
  })
})
