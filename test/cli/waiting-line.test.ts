import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test, vi } from 'vitest'
import { createOutput } from '../../src/cli/output.js'

const display = { color: 'never', width: undefined, ascii: undefined } as const

describe('a line while something is waited for', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
  afterEach(() => void vi.useRealTimers())

  const waiting = (isTTY: boolean, env = {}) => {
    const texts: string[] = []
    const sink = {
      isTTY,
      columns: 40,
      write: (text: string) => texts.push(text) > 0,
      on: () => undefined,
    }
    const streams = { stdout: sink, stderr: sink, setExit: () => {} }
    const output = createOutput(streams, env, display)
    let finish = () => {}
    const work = () => new Promise<void>((resolve) => (finish = resolve))
    const ended = output.whileWaiting((seconds) => `reading: ${seconds} s`, work)
    const end = () => {
      finish()
      return ended
    }
    return { output, texts, end, sink }
  }

  test('is shown from the first second on, and is gone at the end', async () => {
    const { texts, end } = waiting(true)
    vi.advanceTimersByTime(999)
    assert.deepEqual(texts, [])
    vi.advanceTimersByTime(1_001)
    assert.deepEqual(texts, ['\r\x1b[2Kreading: 1 s', '\r\x1b[2Kreading: 2 s'])
    await end()
    assert.equal(texts.at(-1), '\r\x1b[2K')
  })

  test('fits a terminal that became narrower, which would wrap it', async () => {
    const { texts, end, sink } = waiting(true)
    vi.advanceTimersByTime(1_000)
    sink.columns = 10
    vi.advanceTimersByTime(1_000)
    assert.deepEqual(texts, ['\r\x1b[2Kreading: 1 s', '\r\x1b[2Kreading: '])
    await end()
  })

  test('is whole on a terminal that does not know its size', async () => {
    const { texts, end, sink } = waiting(true)
    sink.columns = 0
    vi.advanceTimersByTime(1_000)
    assert.deepEqual(texts, ['\r\x1b[2Kreading: 1 s'])
    await end()
  })

  test('gives way to a note', async () => {
    const { output, texts, end } = waiting(true)
    vi.advanceTimersByTime(1_000)
    output.note('a note')
    assert.deepEqual(texts.slice(1), ['\r\x1b[2K', 'note: a note\n'])
    await end()
    assert.equal(texts.length, 3)
  })

  test('is gone after ctrl-c, which ends the process unless the command handles it', async () => {
    const others = process.listeners('SIGINT')
    process.removeAllListeners('SIGINT')
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true)
    for (const handled of [false, true]) {
      if (handled) process.once('SIGINT', () => {})
      const { texts, end } = waiting(true)
      vi.advanceTimersByTime(1_000)
      process.emit('SIGINT', 'SIGINT')
      assert.equal(texts.at(-1), '\r\x1b[2K')
      await end()
      assert.equal(process.listenerCount('SIGINT'), 0)
    }
    assert.deepEqual(kill.mock.calls, [[process.pid, 'SIGINT']])
    kill.mockRestore()
    process.removeAllListeners('SIGINT')
    for (const listener of others) process.on('SIGINT', listener)
  })

  test('is not shown in a pipe or on a dumb terminal', async () => {
    for (const { texts, end } of [waiting(false), waiting(true, { TERM: 'dumb' })]) {
      vi.advanceTimersByTime(5_000)
      await end()
      assert.deepEqual(texts, [])
    }
  })
})
