import { type IPty, spawn } from '@lydell/node-pty'
import headless from '@xterm/headless'
import { closing } from './closing.js'
import { folder } from './program.js'

/** A program in a terminal, with the screen as a user sees it. */
export type Screen = {
  /** The rows of the screen, without trailing spaces. */
  rows(): readonly string[]
  /** Rows that have scrolled off the top of the screen. */
  scrolled(): readonly string[]
  /** The text of the screen, or of the main one, with what has scrolled off it. */
  text(of?: 'active' | 'normal'): string
  /** Whether the program shows the alternate screen. */
  isApart(): boolean
  /** All output, escape codes included. */
  raw(): string
  type(text: string): void
  resize(columns: number, rows: number): void
  /** Settles once the screen satisfies a condition, which is checked after every output. */
  shows(what: (rows: readonly string[]) => boolean): Promise<void>
  /** The exit status, once all output is on the screen. */
  readonly exited: Promise<number>
  kill(): void
  signal(name: NodeJS.Signals): void
  readonly pid: number
}

/** Starts a command in a terminal of this size, which closes after the test. */
export function inTerminal(
  command: readonly [program: string, ...args: string[]],
  {
    columns = 80,
    rows = 24,
    env = {},
  }: {
    readonly columns?: number
    readonly rows?: number
    readonly env?: Readonly<Record<string, string>>
  } = {},
): Screen {
  const terminal = new headless.Terminal({
    cols: columns,
    rows,
    allowProposedApi: true,
    scrollback: 10_000,
  })
  const [program, ...args] = command
  const pty: IPty = spawn(program, args, {
    cols: columns,
    rows,
    cwd: folder,
    env: {
      PATH: process.env['PATH'] ?? '',
      LANG: 'C.UTF-8',
      TERM: 'xterm-256color',
      PAGER: 'cat',
      SWAP_HOME: folder,
      HOME: folder,
      ...env,
    },
  })
  let written = ''
  let looking: (() => void)[] = []
  const look = () => {
    for (const each of looking) each()
  }
  pty.onData((text) => {
    written += text
    terminal.write(text, look)
  })
  const exited = new Promise<number>((resolve) => {
    pty.onExit(({ exitCode, signal }) =>
      terminal.write('', () => resolve(signal ? 128 + signal : exitCode)),
    )
  })
  const linesOf = (from: number, to: number): readonly string[] => {
    const { active } = terminal.buffer
    return Array.from({ length: Math.max(0, to - from) }, (_, i) =>
      (active.getLine(from + i)?.translateToString(true) ?? '').trimEnd(),
    )
  }
  const shown = () => {
    const { baseY } = terminal.buffer.active
    return linesOf(baseY, baseY + terminal.rows)
  }
  const screen: Screen = {
    rows: shown,
    scrolled: () => linesOf(0, terminal.buffer.active.baseY),
    text(of = 'active') {
      const buffer = terminal.buffer[of]
      return Array.from({ length: buffer.length }, (_, i) =>
        buffer.getLine(i)?.translateToString(true),
      ).join('\n')
    },
    isApart: () => terminal.buffer.active.type === 'alternate',
    raw: () => written,
    type: (text) => pty.write(text),
    resize(cols, lines) {
      terminal.resize(cols, lines)
      pty.resize(cols, lines)
    },
    shows: (what) =>
      new Promise((resolve, reject) => {
        const check = () => {
          if (!what(shown())) return
          looking = looking.filter((each) => each !== check)
          resolve()
        }
        looking.push(check)
        void exited.then((status) => {
          check()
          reject(new Error(`it ended with ${status} before it showed that:\n${shown().join('\n')}`))
        })
        check()
      }),
    exited,
    kill: () => pty.kill('SIGKILL'),
    signal: (name) => pty.kill(name),
    pid: pty.pid,
  }
  closing({ close: () => screen.kill() })
  return screen
}
