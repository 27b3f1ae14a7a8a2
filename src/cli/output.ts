import type { Env } from '../config/layers.js'
import { errorCode } from '../engine/errors.js'
import { problemOf } from '../operations/problem.js'
import { escapeObeyed, printable } from '../platform/printable.js'
import { sentence, suggesting } from '../render/layout.js'
import {
  glyphsOf,
  type RealNetwork,
  type Style,
  type StyleFacts,
  styleOf,
} from '../render/style.js'
import { truncate } from '../render/width.js'
import { exitClosedPipe, exitOfError, OutputFailed } from './exit.js'
import { isTallerThan, page, pagerOf } from './pager.js'
import { clean, renderProblem, renderProblemLine } from './problem.js'

/** Display settings from flags, variables or `.swaprc`; `undefined` values are detected. */
export type Display = {
  readonly color: 'auto' | 'always' | 'never'
  /** Columns. */
  readonly width: number | undefined
  readonly ascii: boolean | undefined
  /** `-o human`: format stdout as for a terminal. */
  readonly isForPeople?: boolean
  /** Show texts taller than the terminal with a pager. */
  readonly pager?: boolean | undefined
  /** The name of the network, if it has real money. */
  readonly real?: RealNetwork | undefined
  /** Completes the commands that a text suggests. */
  readonly suggest?: Style['suggest']
}

/** The used part of a stream: `process.stdout`, `process.stderr`, or a test's. */
export type OutputStream = {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
  /** Bytes that wait for the reader. */
  readonly writableLength?: number
  write(text: string, done: (error?: Error | null) => void): boolean
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown
}

/** Output streams. `setExit` sets the exit status of the process. */
export type Streams = {
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  readonly setExit: (status: number) => void
}

/** Format of errors: text, or the document of `--json` with a line of text on stderr. */
type ProblemForm = {
  readonly json: boolean
  /** The height of the answering market, if known. */
  readonly height?: number | undefined
  /** Indent the document, for a terminal. */
  readonly isIndented?: boolean
}

/** All output of a command. stdout has the answer only; everything else goes to stderr. */
export type Output = {
  /** Style of stdout. */
  readonly style: Style
  /** Style of stderr, which may be a terminal when stdout is a pipe. */
  readonly noteStyle: Style
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  /** Aborted when the reader of stdout has closed it, or its terminal is gone; loops should end then. */
  readonly closed: AbortSignal
  /**
   * Writes to stdout with a final line break, or to a pager if it is taller than the terminal. Settles when
   * the reader has consumed it.
   *
   * @throws OutputFailed after the first failed write
   */
  result(text: string): Promise<void>
  /** Writes a note to stderr, on a single line unless it is a terminal. Repeated notes are written once. */
  note(text: string): void
  /** A note on something that may cost the user money. */
  warning(text: string): void
  /** Writes a line to stderr as it is; repetitions are not suppressed. */
  say(text: string): void
  /**
   * Runs work; on a terminal, shows a line at the bottom of stderr after one second, and removes it
   * afterwards.
   */
  whileWaiting<T>(line: (seconds: number) => string, work: () => Promise<T>): Promise<T>
  /** Prints the error and sets its exit status. */
  problem(error: unknown, form: ProblemForm): Promise<void>
  /** Sets the exit status; after a closed pipe it stays 141. */
  exit(status: number): void
}

/**
 * Detects colour, width and character set of both streams, and installs their listeners. Called once for each
 * process.
 */
export function createOutput(streams: Streams, env: Env, display: Display): Output {
  const { stdout, stderr, setExit } = streams
  const facts = decideStyle(stdout, env, display)
  const style = styleOf({ ...facts, tty: facts.tty || display.isForPeople === true })
  const noteStyle = styleOf(decideStyle(stderr, env, display))
  const closing = new AbortController()
  const close = () => {
    closing.abort()
    setExit(exitClosedPipe)
  }
  const ignore = () => {}
  const isGone = (error: unknown) =>
    errorCode(error) === 'EPIPE' || (errorCode(error) === 'EIO' && stdout.isTTY === true)
  // Without listeners a closed pipe would end the process with a stack trace.
  stdout.on('error', (error) => (isGone(error) ? close() : undefined))
  stderr.on('error', ignore)
  const seen = new Set<string>()
  const pager = display.pager === true ? pagerOf(stdout, env) : undefined

  const line = statusLine(stderr)
  const say = (text: string) => {
    line.clear()
    return writeTo(stderr, `${text}\n`).catch(ignore)
  }
  const exit = (status: number) => (closing.signal.aborted ? undefined : setExit(status))
  const labelled = (label: string, text: string): void => {
    if (seen.has(text)) return
    seen.add(text)
    void say(sentence(`${label}: ${clean(text, noteStyle)}`, noteStyle))
  }
  let failed: OutputFailed | undefined
  const result = async (text: string): Promise<void> => {
    if (text === '' || closing.signal.aborted) return
    if (failed !== undefined) throw failed
    const shown = stdout.isTTY === true ? escapeObeyed(text) : text
    const lines = shown.endsWith('\n') ? shown : `${shown}\n`
    if (pager !== undefined && isTallerThan(lines, stdout) && (await page(lines, pager, env)))
      return
    await writeTo(stdout, lines).catch((error) => {
      if (isGone(error)) return close()
      if (errorCode(error) === undefined) throw error
      failed = new OutputFailed(error.message)
      throw failed
    })
  }
  return {
    style,
    noteStyle,
    stdout,
    stderr,
    closed: closing.signal,
    result,
    exit,
    say: (text) => void say(text),
    whileWaiting(text, work) {
      if (stderr.isTTY !== true || env['TERM'] === 'dumb') return work()
      const { ellipsis } = glyphsOf(noteStyle)
      const fitted = (seconds: number) =>
        noteStyle.muted(truncate(printable(text(seconds)), noteStyle.width - 1, ellipsis))
      return showSeconds(line, fitted, work)
    },
    note: (text) => labelled('note', text),
    warning: (text) => labelled('warning', text),
    async problem(error, { json, height, isIndented = false }) {
      exit(exitOfError(error))
      // After stdout has failed or was closed, stderr gets the whole error.
      const isDocument = json && failed === undefined && !closing.signal.aborted
      await say((isDocument ? renderProblemLine : renderProblem)(error, noteStyle))
      if (!isDocument) return
      const problem = problemOf(error, height)
      const { hint } = problem
      const document = hint === undefined ? problem : { ...problem, hint: suggesting(hint, style) }
      await result(JSON.stringify(document, null, isIndented ? 2 : 0)).catch(async (unwritten) => {
        await say(renderProblemLine(unwritten, noteStyle))
        await say(renderProblem(error, noteStyle))
      })
    },
  }
}

/** Milliseconds before the line is shown, and between two updates. */
const WAITING_MS = 1_000

/** Runs work, and shows a line with the elapsed seconds. */
async function showSeconds<T>(
  line: ReturnType<typeof statusLine>,
  text: (seconds: number) => string,
  work: () => Promise<T>,
): Promise<T> {
  let seconds = 0
  const interrupted = () => {
    line.clear()
    if (process.listenerCount('SIGINT') === 0) process.kill(process.pid, 'SIGINT')
  }
  const timer = setInterval(() => {
    // Not before: work that never yields would delay the signal.
    if (seconds === 0) process.prependOnceListener('SIGINT', interrupted)
    seconds += 1
    line.show(text(seconds))
  }, WAITING_MS)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    process.off('SIGINT', interrupted)
    line.clear()
  }
}

/** Settles when the stream has flushed the text. */
const writeTo = (stream: OutputStream, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()))
  })

/** The style of one stream; stdout and stderr may differ. */
export const decideStyle = (
  stream: Pick<OutputStream, 'isTTY' | 'columns'>,
  env: Env,
  display: Display,
): StyleFacts => ({
  width: display.width ?? columnsOf(stream.columns) ?? columnsOf(env['COLUMNS']) ?? 80,
  color: decideColor(stream, env, display.color),
  ascii: display.ascii ?? !isUtf8(env),
  tty: stream.isTTY === true,
  links: stream.isTTY === true && opensLinks(env),
  real: display.real,
  suggest: display.suggest,
})

/** A number of columns, from 1 to 9999. */
export function columnsOf(value: number | string | undefined): number | undefined {
  return /^[1-9]\d{0,3}$/.test(String(value)) ? Number(value) : undefined
}

function decideColor(
  stream: Pick<OutputStream, 'isTTY'>,
  env: Env,
  asked: Display['color'],
): boolean {
  if (asked !== 'auto') return asked === 'always'
  // Set means not empty, by no-color.org and force-color.org.
  if (env['NO_COLOR']) return false
  if (env['FORCE_COLOR']) return !['0', 'false'].includes(env['FORCE_COLOR'])
  if (env['CLICOLOR_FORCE']) return env['CLICOLOR_FORCE'] !== '0'
  return env['TERM'] !== 'dumb' && stream.isTTY === true
}

/** Terminals known to support hyperlinks; others may print the OSC 8 codes. */
function opensLinks(env: Env): boolean {
  if (env['FORCE_HYPERLINK']) return env['FORCE_HYPERLINK'] !== '0'
  if (env['TERM'] === 'dumb' || env['CI'] || env['TMUX']) return false
  return (
    Number(env['VTE_VERSION'] ?? 0) >= 5000 ||
    ['iTerm.app', 'WezTerm', 'vscode', 'ghostty', 'Hyper', 'zed'].includes(
      env['TERM_PROGRAM'] ?? '',
    ) ||
    ['xterm-kitty', 'alacritty', 'xterm-ghostty'].includes(env['TERM'] ?? '') ||
    ['WT_SESSION', 'KONSOLE_VERSION', 'DOMTERM'].some((name) => Boolean(env[name]))
  )
}

/** No locale is the C locale, except on Windows, which sets none but supports Unicode. */
function isUtf8(env: Env): boolean {
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG']
  return locale ? /utf-?8/i.test(locale) : env['OS'] === 'Windows_NT'
}

/** A line of a terminal that is updated in place. */
export function statusLine(stream: Pick<OutputStream, 'columns' | 'write'>) {
  let isShown = false
  const write = (text: string) => {
    stream.write(`\r\x1b[2K${text}`, () => {})
    isShown = text !== ''
  }
  return {
    // The terminal may be narrower than at the start, and a line that it wraps could not be removed.
    show: (text: string) =>
      write(truncate(text, (stream.columns || Number.POSITIVE_INFINITY) - 1, '')),
    /** Removes the line if it is shown. */
    clear() {
      if (isShown) write('')
    },
  }
}
