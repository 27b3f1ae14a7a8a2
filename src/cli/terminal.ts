import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { ReadStream, WriteStream } from 'node:tty'
import { SwapError } from '../engine/errors.js'
import { attempt } from '../platform/attempt.js'
import { wrap } from '../render/width.js'
import { Interrupted, type InterruptKey } from './exit.js'
import { keepRaw, shareTerminal, stopJob } from './job-control.js'
import { readSecretLine } from './secret-line.js'

/** Interaction at a terminal, independent of standard input and output. */
export type Terminal = {
  readonly columns: number
  readonly rows: number
  /** Prompts for a line without echo. @throws Interrupted */
  secret(question: string): Promise<Buffer>
  /** Prompts for a line. @throws Interrupted */
  line(question: string): Promise<string>
  /** Writes a text, broken at spaces where the terminal is narrower. */
  say(text: string): void
  /**
   * Shows a text on the alternate screen while `work` runs. The screen is restored afterwards, also when the
   * process ends, and nothing stays in the scrollback. A terminal without an alternate screen shows the text
   * only after a confirmed warning.
   *
   * @throws Interrupted, SwapError DECLINED
   */
  apart<T>(text: string, work: () => Promise<T>): Promise<T>
  close(): void
}

const ENTER = '\x1b[?1049h\x1b[2J\x1b[H'
const LEAVE = '\x1b[2J\x1b[H\x1b[?1049l'

/** The input and the output of a terminal. */
export type Ends = {
  readonly input: NodeJS.ReadStream
  readonly output: NodeJS.WriteStream
  close(): void
}

/**
 * The terminal of this process; `undefined` if there is none to prompt at.
 *
 * @param interrupt ends a prompt like ctrl-c
 */
export function openTerminal(
  surroundings: { readonly isDetached?: boolean },
  interrupt?: AbortSignal,
): Terminal | undefined {
  const ends = surroundings.isDetached === true ? undefined : terminalEnds()
  return ends && terminalOf(ends, interrupt)
}

/** The error of a question without a terminal to ask it at. */
export const noTerminal = (
  what: string,
  hint: string,
  why = 'there is no terminal, or --no-input was given',
): SwapError =>
  new SwapError('CONFIRMATION_REQUIRED', `${what}, and there is no terminal to ask at`, {
    why,
    hint,
  })

/** Input and output of the process's terminal; `undefined` if there is none. */
export const terminalEnds = (): Ends | undefined => standardEnds() ?? controllingEnds()

/** Standard input and error, if both are terminals. */
function standardEnds(): Ends | undefined {
  const { stdin, stderr } = process
  if (!stdin.isTTY || !stderr.isTTY) return undefined
  return { input: stdin, output: stderr, close: () => void stdin.pause() }
}

/** The controlling terminal, if the standard streams are redirected. */
function controllingEnds(): Ends | undefined {
  const descriptor = attempt(() => openSync('/dev/tty', constants.O_RDWR))
  if (descriptor === undefined) return undefined
  try {
    const input = new ReadStream(descriptor)
    const output = new WriteStream(openSync('/dev/tty', constants.O_WRONLY))
    return {
      input: input as NodeJS.ReadStream,
      output: output as NodeJS.WriteStream,
      close: () => {
        input.destroy()
        output.destroy()
      },
    }
  } catch {
    closeSync(descriptor)
    return undefined
  }
}

const terminalOf = (ends: Ends, interrupt?: AbortSignal): Terminal => ({
  columns: ends.output.columns || 80,
  rows: ends.output.rows || 24,
  secret: (question) => askSecret(question, ends, interrupt),
  line: (question) => askLine(question, ends, interrupt),
  say: (text) => {
    ends.output.write(`${wrap(text, ends.output.columns || 80).join('\n')}\n`)
  },
  apart: async (text, work) => {
    if (process.env['TERM'] !== 'dumb') return onScreen(ends, text, work)
    await agreeToScrollback(ends, interrupt)
    ends.output.write(text)
    return work()
  },
  close: ends.close,
})

async function askSecret(
  question: string,
  { input, output }: Ends,
  interrupt?: AbortSignal,
): Promise<Buffer> {
  try {
    return await readSecretLine(input, () => output.write(`${question} `), interrupt)
  } finally {
    output.write('\n')
  }
}

export async function askLine(
  question: string,
  { input, output }: Ends,
  interrupt?: AbortSignal,
): Promise<string> {
  const reader = createInterface({ input, output, terminal: true, historySize: 0 })
  const stop = new AbortController()
  const signal = AbortSignal.any([stop.signal, ...(interrupt ? [interrupt] : [])])
  let key: InterruptKey = 'ctrl-c'
  reader.once('SIGINT', () => stop.abort())
  reader.on('SIGTSTP', () => stopJob(input))
  const endRaw = keepRaw(input, () => reader.prompt(true))
  reader.once('close', () => {
    if (!signal.aborted) key = 'ctrl-d'
    stop.abort()
  })
  try {
    return await reader.question(question, { signal })
  } catch (error) {
    if (!signal.aborted) throw error
    output.write('\n')
    throw new Interrupted(key)
  } finally {
    endRaw()
    reader.close()
  }
}

export const isYes = (line: string): boolean => /^y(es)?$/i.test(line.trim())

/** @throws SwapError DECLINED */
async function agreeToScrollback(ends: Ends, interrupt?: AbortSignal): Promise<void> {
  ends.output.write(
    'Warning: this terminal (TERM=dumb) cannot show a secret on a separate screen.\n' +
      'What is shown now stays in its scrollback, and in its log if it keeps one.\n',
  )
  if (isYes(await askLine('Show it here? [y/N] ', ends, interrupt))) return
  throw new SwapError('DECLINED', 'the secret was not shown', {
    why: 'this terminal would keep it',
    hint: 'use another terminal, or write it to a file: --mnemonic-file or --out',
  })
}

async function onScreen<T>(
  { input, output }: Ends,
  text: string,
  work: () => Promise<T>,
): Promise<T> {
  const { fd = 2 } = output as { readonly fd?: number }
  let shown = false
  const show = () => {
    output.write(ENTER + text)
    shown = true
  }
  const leave = () => {
    if (shown) writeSync(fd, LEAVE)
    shown = false
  }
  const endSharing = shareTerminal({ input, leave, takeAgain: show, ends: ['SIGTERM', 'SIGINT'] })
  show()
  try {
    return await work()
  } finally {
    endSharing()
    leave()
  }
}
