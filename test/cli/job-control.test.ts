import { afterEach, expect, test, vi } from 'vitest'
import { shareTerminal } from '../../src/cli/job-control.js'

const signals = ['SIGHUP', 'SIGQUIT', 'SIGTSTP'] as const
const others = signals.map((signal) => process.listeners(signal))
afterEach(() => {
  vi.restoreAllMocks()
  for (const [at, signal] of signals.entries()) {
    process.removeAllListeners(signal)
    for (const listener of others[at]!) process.on(signal, listener)
  }
})

/** What happens in the process, in order. */
function sharing() {
  const events: unknown[] = []
  vi.spyOn(process, 'kill').mockImplementation((_, signal) => {
    events.push([signal, process.listenerCount(String(signal))])
    return true
  })
  const end = shareTerminal({
    input: { setRawMode: (mode) => events.push(mode ? 'raw' : 'cooked') as never },
    leave: () => events.push('restored'),
    takeAgain: () => events.push('drawn'),
  })
  return { events, end }
}

test.each(['SIGHUP', 'SIGQUIT'] as const)(
  '%s restores the terminal, and then no listener of a library delays the end',
  (signal) => {
    process.on(signal, () => events.push('library'))
    const { events, end } = sharing()
    process.emit(signal, signal)
    end()
    expect(events).toEqual(['library', 'restored', 'cooked', [signal, 0]])
  },
)

test('after a stop the keyboard is taken, the screen drawn and the question asked, also where no signal says so', () => {
  const { events, end } = sharing()
  const asked = () => events.push('asked')
  process.on('SIGCONT', asked)
  process.emit('SIGTSTP', 'SIGTSTP')
  end()
  process.off('SIGCONT', asked)
  const taken = ['restored', 'cooked', 'raw', 'drawn', 'asked']
  expect(events).toEqual(['restored', 'cooked', ['SIGTSTP', 0], ...taken])
})
