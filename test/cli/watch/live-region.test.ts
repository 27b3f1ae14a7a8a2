import assert from 'node:assert/strict'
import { render } from 'ink-testing-library'
import { createElement } from 'react'
import { describe, test } from 'vitest'
import { type Key, Region } from '../../../src/cli/watch/live-region.js'

const shown = (lines: readonly string[]) => {
  const keys: Key[] = []
  const { lastFrame, stdin, rerender, unmount } = render(
    createElement(Region, { lines, pressed: (key: Key) => keys.push(key) }),
  )
  return { lastFrame, stdin, rerender, unmount, keys }
}

describe('a live region', () => {
  test('shows its lines as they are, and an empty one takes a row', () => {
    const { lastFrame, unmount } = shown(['one', '', '  three · █▊'])
    assert.equal(lastFrame(), 'one\n\n  three · █▊')
    unmount()
  })
  test('puts new lines in the place of the old ones', () => {
    const { lastFrame, rerender, unmount } = shown(['one', 'two'])
    rerender(createElement(Region, { lines: ['three'], pressed: undefined }))
    assert.equal(lastFrame(), 'three')
    unmount()
  })
  test('knows enter, ctrl-c and its letters, and passes over everything else', async () => {
    const { stdin, keys, unmount } = shown(['one'])
    for (const typed of ['c', 'x', '\r', 'q', '\u001b[A', '\u0003', '\u0001']) stdin.write(typed)
    await new Promise((resolve) => setImmediate(resolve))
    assert.deepEqual(keys, ['c', 'enter', 'q', 'interrupt'])
    unmount()
  })
})
