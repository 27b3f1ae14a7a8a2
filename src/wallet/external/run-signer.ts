import { spawn } from 'node:child_process'
import { invalidRequest } from '../../engine/errors.js'
import { jsonOf } from '../../platform/encoding.js'
import { commandWords, notStarted } from '../../platform/user-command.js'
import { SignerFailed, type SignRequest } from '../signing/protocol.js'

/** How a signer program is run. */
export type SignerTerms = {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Milliseconds until it is killed. */
  readonly timeoutMs: number
  /** Called for each line of its standard error, at most 64 of at most 500 characters. */
  readonly line: (text: string) => void
}

/** Bytes of an answer at most; real ones have some 200. */
const ANSWER_BYTES = 64 * 1024
const LINES = 64
const LINE_LENGTH = 500

/**
 * Starts a signer program without a shell, writes the request to its standard input, and reads the answer from its
 * standard output until it exits. Does not wait for the end of standard error, which a background process of the
 * signer may hold open.
 *
 * @returns the bytes of the answer
 * @throws SignerFailed if it cannot be started, exceeds a limit of time or size, or fails
 */
export function runSigner(
  command: SignerCommand,
  request: SignRequest,
  { env, timeoutMs, line }: SignerTerms,
  interrupt: AbortSignal,
): Promise<Uint8Array> {
  const { text } = command
  const stopped = () =>
    new SignerFailed(text, 'it was stopped', 'nothing was sent; run the command again')
  // `kill` of a program that could not be started signals an arbitrary process until the error is emitted.
  if (interrupt.aborted) return Promise.reject(stopped())
  return new Promise((resolve, reject) => {
    const child = started(command, env)
    const answer: Buffer[] = []
    let size = 0
    let last = ''
    const end = (settle: () => void) => {
      clearTimeout(timer)
      interrupt.removeEventListener('abort', stop)
      child.kill('SIGKILL')
      // A background process of the signer may hold its pipes open.
      for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.destroy()
      settle()
    }
    const fail = (why: string, hint?: string) =>
      end(() => reject(new SignerFailed(text, why, hint)))
    const stop = () => end(() => reject(stopped()))
    const timer = setTimeout(() => {
      const limit = `${timeoutMs / 1000} s`
      // A device's library often keeps the process alive after the answer.
      if (jsonOf(Buffer.concat(answer)) !== undefined)
        return fail(
          `it answered, and it, or what it started, had not ended after ${limit}`,
          'nothing was sent; let the signer, and what it started, end after the answer',
        )
      fail(
        `it took longer than ${limit}`,
        'nothing was sent; give it longer: --signer-timeout <time>',
      )
    }, timeoutMs)
    child.on('error', (error) => end(() => reject(startFailure(command, error))))
    interrupt.addEventListener('abort', stop)
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > ANSWER_BYTES) return fail(`it answered more than ${ANSWER_BYTES} bytes`)
      answer.push(chunk)
    })
    const flush = linesOf(child.stderr, (text, at) => {
      last = text
      if (at < LINES) line(text)
    })
    const ended = new Promise<{ status: number | null; signal: string | null }>((done) =>
      child.on('exit', (status, signal) => done({ status, signal })),
    )
    const answered = new Promise((done) => child.stdout.on('end', done))
    void Promise.all([ended, answered]).then(async ([{ status, signal }]) => {
      // The last output of the signer is read in the next turn of the event loop.
      for (let turn = 0; turn < 2; turn += 1) await new Promise(setImmediate)
      flush()
      if (status === 0) return end(() => resolve(Buffer.concat(answer)))
      const how = status === null ? `it was ended by ${signal}` : `it ended with status ${status}`
      fail(last === '' ? how : `${how}: ${last}`)
    })
    // A signer that exits without reading the request is reported by its status.
    child.stdin.on('error', () => {})
    child.stdin.end(`${JSON.stringify(request)}\n`)
  })
}

function started({ text, program, args, cwd }: SignerCommand, env: SignerTerms['env']) {
  try {
    return spawn(program, args, { cwd, env, stdio: 'pipe', windowsHide: true })
  } catch (error) {
    throw startFailure({ text, program }, error)
  }
}

function startFailure({ text, program }: Pick<SignerCommand, 'text' | 'program'>, error: unknown) {
  const { why, hint } = notStarted(program, error)
  return new SignerFailed(text, `it cannot be started: ${why}`, hint)
}

/**
 * Reports the lines of a stream as they arrive, numbered from 0.
 *
 * @returns reports a last line without a line break
 */
function linesOf(
  stream: NodeJS.ReadableStream,
  report: (line: string, at: number) => void,
): () => void {
  let held = ''
  let count = 0
  const take = (line: string) => {
    if (line.trim() !== '') report(line.trimEnd().slice(0, LINE_LENGTH), count++)
  }
  stream.setEncoding('utf8')
  stream.on('data', (chunk: string) => {
    const lines = (held + chunk).split('\n')
    held = lines.pop()!.slice(0, LINE_LENGTH)
    for (const line of lines) take(line)
  })
  return () => take(held)
}

/** A signer program and its arguments, started without a shell. */
export type SignerCommand = {
  /** The original text: `exec:` and the words. */
  readonly text: string
  readonly program: string
  readonly args: readonly string[]
  /** The folder that it runs in. */
  readonly cwd: string
}

/**
 * Splits `exec:COMMAND` into words, as `commandWords` does.
 *
 * @throws SwapError INVALID_REQUEST
 */
export function parseSigner(text: string, cwd: string): SignerCommand {
  const source = /^exec:(.*)$/s.exec(text)?.[1]
  if (source === undefined)
    throw notASigner(
      'it does not begin with exec:',
      'write e.g. --signer "exec:my-signer --account 0"',
    )
  if (/\p{Cc}/u.test(source.replaceAll('\t', ' ')))
    throw notASigner('it has a control character', 'write the command in one line')
  const words = commandWords(source)
  if (words === undefined)
    throw notASigner('a quote is not closed', 'close it, or write a backslash before it')
  const [program, ...args] = words
  if (program === undefined || program === '')
    throw notASigner('it names no program', 'write e.g. --signer "exec:my-signer --account 0"')
  return { text, program, args, cwd }
}

/** Refuses a relative path of a program, which depends on the current folder. */
export function requireFixedProgram({ program }: SignerCommand): void {
  const isPath = /[/\\]/.test(program)
  if (!isPath || /^([/\\]|[a-z]:[/\\])/i.test(program)) return
  throw notASigner(
    `${program} is in the folder that a command happens to run in`,
    'write its whole path, or a name that is in PATH',
  )
}

const notASigner = (why: string, hint: string) =>
  invalidRequest('this is not the command of a signer', '', { why, hint })
