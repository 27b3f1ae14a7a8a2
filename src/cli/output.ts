import { errorCode } from '../engine/errors.js'
import { problemOf } from '../operations/problem.js'
import { printable } from '../platform/printable.js'
import { sentence } from '../render/layout.js'
import {
  glyphsOf,
  type RealNetwork,
  type Style,
  type StyleFacts,
  styleOf,
} from '../render/style.js'
import { truncate } from '../render/width.js'
import { exitClosedPipe, exitOfError } from './exit.js'
import { OutputFailed } from './file-fault.js'
import { isTallerThan, page, pagerOf } from './pager.js'
import { clean, renderProblem, renderProblemLine } from './problem.js'

/** The display as set by flag, variable or `.swaprc`; `undefined` values are detected. */
export type Display = {
  readonly color: 'auto' | 'always' | 'never'
  /** Columns. */
  readonly width: number | undefined
  readonly ascii: boolean | undefined
  /** `-o human`: stdout is written as on a terminal. */
  readonly isForPeople?: boolean
  /** Texts taller than the terminal are shown with a pager. */
  readonly pager?: boolean | undefined
  /** The network of the command, if real money is at stake. */
  readonly real?: RealNetwork | undefined
}

/** Variables of the process. */
export type Env = Readonly<Record<string, string | undefined>>

/** The part of a stream that is used: `process.stdout`, `process.stderr`, or a test's. */
export type Sink = {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
  write(text: string, done: (error?: Error | null) => void): boolean
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown
}

/** Where output goes. `setExit` stores the exit status that the process will end with. */
export type Streams = {
  readonly stdout: Sink
  readonly stderr: Sink
  readonly setExit: (status: number) => void
}

/** Format of errors: text, or the document of `--json` with a line of text on stderr. */
type ProblemForm = {
  readonly json: boolean
  /** Of the market that answered, where one did. */
  readonly height?: number | undefined
  /** The document on several lines, for a terminal. */
  readonly isIndented?: boolean
}

/** The one way out. stdout carries the answer and nothing else; everything else goes to stderr. */
export type Output = {
  /** For what goes to stdout. */
  readonly style: Style
  /** For what goes to stderr, which may be a terminal when stdout is a pipe. */
  readonly noteStyle: Style
  readonly stdout: Sink
  readonly stderr: Sink
  /** Aborted when the reader of stdout has closed it: loops should end. */
  readonly closed: AbortSignal
  /**
   * Writes to stdout, with a line break at the end; a text taller than the terminal with a pager. Settles
   * when the reader has taken it.
   *
   * @throws OutputFailed from the first text on that could not be written
   */
  result(text: string): Promise<void>
  /** On stderr, on one line but for a terminal; the same note is written once. */
  note(text: string): void
  /** As a note, of what may cost the user money. */
  warning(text: string): void
  /** A line on stderr as it is, which may come again. */
  say(text: string): void
  /**
   * Runs work, and shows a line below everything else on stderr while it takes more than a second, where
   * that is a terminal. The line is gone afterwards.
   */
  whileWaiting<T>(line: (seconds: number) => string, work: () => Promise<T>): Promise<T>
  /** Prints the error and sets its exit status. */
  problem(error: unknown, form: ProblemForm): Promise<void>
  /** Sets the exit status, unless the reader has gone: then it stays 141. */
  exit(status: number): void
}

/** Decides colour, width and characters for both streams, and takes them over. Once a process. */
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
  // Without listeners a reader that leaves early would end the process with a stack trace.
  stdout.on('error', (error) => (error.code === 'EPIPE' ? close() : undefined))
  stderr.on('error', ignore)
  const seen = new Set<string>()
  const pager = display.pager === true ? pagerOf(stdout, env) : undefined

  const line = statusLine(stderr)
  const say = (text: string) => {
    line.clear()
    return written(stderr, `${text}\n`).catch(ignore)
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
    const lines = text.endsWith('\n') ? text : `${text}\n`
    if (pager !== undefined && isTallerThan(lines, stdout) && (await page(lines, pager, env)))
      return
    await written(stdout, lines).catch((error) => {
      if (errorCode(error) === 'EPIPE') return close()
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
      // stdout takes no document any more where it has failed or is closed: stderr tells all of it.
      const isDocument = json && failed === undefined && !closing.signal.aborted
      await say((isDocument ? renderProblemLine : renderProblem)(error, noteStyle))
      if (!isDocument) return
      const document = JSON.stringify(problemOf(error, height), null, isIndented ? 2 : 0)
      await result(document).catch(async (unwritten) => {
        await say(renderProblemLine(unwritten, noteStyle))
        await say(renderProblem(error, noteStyle))
      })
    },
  }
}

/** The time before a line is shown, and between two of them, in milliseconds. */
const WAITING_MS = 1_000

/** Runs work, and shows a line with the seconds that it has taken. */
async function showSeconds<T>(
  line: StatusLine,
  text: (seconds: number) => string,
  work: () => Promise<T>,
): Promise<T> {
  let seconds = 0
  const timer = setInterval(() => {
    seconds += 1
    line.show(text(seconds))
  }, WAITING_MS)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    line.clear()
  }
}

/** Settles when the stream has handed the text on, however slowly its reader reads. */
const written = (stream: Sink, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()))
  })

/** The style of one stream; stdout and stderr may differ. */
export const decideStyle = (
  stream: Pick<Sink, 'isTTY' | 'columns'>,
  env: Env,
  display: Display,
): StyleFacts => ({
  width: display.width ?? columnsOf(stream.columns) ?? columnsOf(env['COLUMNS']) ?? 80,
  color: decideColor(stream, env, display.color),
  ascii: display.ascii ?? !isUtf8(env),
  tty: stream.isTTY === true,
  links: stream.isTTY === true && opensLinks(env),
  real: display.real,
})

/** A number of columns, from 1 to 9999. */
export function columnsOf(value: number | string | undefined): number | undefined {
  return /^[1-9]\d{0,3}$/.test(String(value)) ? Number(value) : undefined
}

function decideColor(stream: Pick<Sink, 'isTTY'>, env: Env, asked: Display['color']): boolean {
  if (asked !== 'auto') return asked === 'always'
  // Set means not empty, as no-color.org and force-color.org have it.
  if (env['NO_COLOR']) return false
  if (env['FORCE_COLOR']) return !['0', 'false'].includes(env['FORCE_COLOR'])
  if (env['CLICOLOR_FORCE']) return env['CLICOLOR_FORCE'] !== '0'
  return env['TERM'] !== 'dumb' && stream.isTTY === true
}

/** Terminals that are known to open hyperlinks; others may print the codes of OSC 8. */
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

/** No locale at all is the C locale; only Windows has none and still speaks Unicode. */
function isUtf8(env: Env): boolean {
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG']
  return locale ? /utf-?8/i.test(locale) : env['OS'] === 'Windows_NT'
}

/** A line of a terminal that is rewritten in place. */
type StatusLine = {
  show(text: string): void
  /** Removes the line where it is shown. */
  clear(): void
}

type Terminal = { write(text: string, done: () => void): unknown }

export function statusLine(stream: Terminal): StatusLine {
  let isShown = false
  const write = (text: string) => {
    stream.write(`\r\x1b[2K${text}`, () => {})
    isShown = text !== ''
  }
  return {
    show: write,
    clear() {
      if (isShown) write('')
    },
  }
}
