import { resolve } from 'node:path'
import { spawn } from '@lydell/node-pty'
import xterm from '@xterm/headless'

/** A person before a terminal in which the program runs. */
export type Screen = {
  /** Waits until the screen, or the other screen alone, shows this; fails when the program ends without it. */
  until(text: string | RegExp, onScreen?: 'alternate'): Promise<string>
  type(text: string): void
  kill(signal: NodeJS.Signals): void
  readonly pid: number
  /** Everything that the program wrote, as bytes came. */
  raw(): string
  /** What stands on the screen now. */
  shown(): string
  /** What stands on the screen and in the scrollback of the main screen. */
  everything(): string
  /** Whether the program shows its other screen. */
  isApart(): boolean
  /** How it ended. */
  readonly ended: Promise<number>
}

const bin = resolve('bin/swap.js')

/** Runs a line of shell in a terminal of 80 by 24, in which `$SWAP` is the program. */
export function screen(line: string, env: Record<string, string>): Screen {
  const terminal = new xterm.Terminal({ cols: 80, rows: 24, allowProposedApi: true })
  const child = spawn('/bin/sh', ['-c', line], {
    cols: 80,
    rows: 24,
    cwd: '/',
    env: {
      PATH: process.env['PATH'] ?? '',
      LANG: 'C.UTF-8',
      TERM: 'xterm-256color',
      SWAP: `${process.execPath} ${bin}`,
      ...env,
    },
  })
  let raw = ''
  let over = false
  const watchers = new Set<() => void>()
  const wake = () => {
    for (const watcher of watchers) watcher()
  }
  child.onData((data) => {
    raw += data
    terminal.write(data, wake)
  })
  const ended = new Promise<number>((settle) => {
    child.onExit(({ exitCode, signal }) => {
      over = true
      terminal.write('', () => {
        wake()
        settle(signal ? 128 + signal : exitCode)
      })
    })
  })
  const lines = (from: 'active' | 'normal') => {
    const buffer = terminal.buffer[from]
    return Array.from({ length: buffer.length }, (_, at) =>
      buffer.getLine(at)?.translateToString(true),
    ).join('\n')
  }
  const until: Screen['until'] = (text, onScreen) =>
    new Promise<string>((settle, fail) => {
      const look = () => {
        const shown = lines('active')
        const isHere = (onScreen ?? terminal.buffer.active.type) === terminal.buffer.active.type
        const found = isHere && (typeof text === 'string' ? shown.includes(text) : text.test(shown))
        if (!found && !over) return
        watchers.delete(look)
        if (found) settle(shown)
        else fail(new Error(`ended without ${text}:\n${shown}`))
      }
      watchers.add(look)
      look()
    })
  return {
    until,
    type: (text) => child.write(text),
    kill: (signal) => child.kill(signal),
    pid: child.pid,
    raw: () => raw,
    shown: () => lines('active'),
    everything: () => lines('normal'),
    isApart: () => terminal.buffer.active.type === 'alternate',
    ended,
  }
}
