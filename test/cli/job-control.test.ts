import { afterEach, expect, test, vi } from 'vitest'
import { shareTerminal } from '../../src/cli/job-control.js'

const others = process.listeners('SIGHUP')
afterEach(() => {
  vi.restoreAllMocks()
  process.removeAllListeners('SIGHUP')
  for (const listener of others) process.on('SIGHUP', listener)
})

test('a hang-up restores the terminal, and then no listener of a library delays the end', () => {
  const events: unknown[] = []
  vi.spyOn(process, 'kill').mockImplementation((_, signal) => {
    events.push([signal, process.listenerCount('SIGHUP')])
    return true
  })
  process.on('SIGHUP', () => events.push('library'))
  const end = shareTerminal(
    () => events.push('restored'),
    () => events.push('drawn'),
  )
  process.emit('SIGHUP', 'SIGHUP')
  end()
  expect(events).toEqual(['library', 'restored', ['SIGHUP', 0]])
})
