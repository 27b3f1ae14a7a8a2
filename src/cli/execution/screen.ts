import { PassThrough } from 'node:stream'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { type Key, render, Text, useInput, useStdout } from 'ink'
import { createElement as draw, type ReactElement, useEffect, useRef, useState } from 'react'
import { type Style, styleOf } from '../../render/style.js'
import { Interrupted, type InterruptKey } from '../exit.js'
import { shareTerminal, stopJob } from '../job-control.js'
import { askLine, type Ends, terminalEnds } from '../terminal.js'

/** The meaning of a typed line: an empty one asks again, an unknown one declines. */
type AnswerKind = 'sign' | 'show' | 'decline' | 'again'

/** The question before a signature and its possible answers. */
export type Question = {
  readonly lines: readonly string[]
  kindOf(line: string): AnswerKind
  /** Whether the line is an answer without Enter, if no other key follows. */
  isWhole(line: string): boolean
}

/** The screen, the question below it, and the complete document. */
type ConfirmScreen = {
  readonly screen: readonly string[]
  readonly question: Question
  readonly whole: readonly string[]
}

/** The line that ended the question, and its meaning. */
type Answer = { readonly line: string; readonly kind: 'sign' | 'decline' }

/**
 * How long an answer without Enter waits for further keys, in milliseconds. The rest of `yes`, or Enter after
 * `y`, must not reach the password prompt that follows.
 */
const SETTLE_MS = 600

/** How long premature input is collected, in milliseconds. */
const EARLY_MS = 50
const TURNS = 3

const CTRL_C = '\x03'
const CTRL_D = '\x04'
const CTRL_U = '\x15'
const CTRL_W = '\x17'
const BACKSPACE = '\x7f'
const SHOW_CURSOR = '\x1b[?25h'
const HIDE_CURSOR = '\x1b[?25l'

/**
 * Shows what will be signed and waits for a line. If standard input is the quote, the controlling terminal is
 * used. Input typed before the screen appeared is discarded. The screen is written plainly and stays in the
 * scrollback; only the typed line is drawn with ink, so that a small terminal loses nothing. Beside the live
 * views nothing else loads ink.
 *
 * @throws Interrupted for ctrl-c, ctrl-d and an aborted `interrupt`
 */
export async function askOnScreen(
  lines: (style: Style) => ConfirmScreen,
  noteStyle: Style,
  interrupt: AbortSignal,
): Promise<Answer> {
  const keyboard = terminalEnds()
  if (keyboard === undefined) throw new Error('the terminal is gone')
  const { input, output } = keyboard
  const style = styleOf({
    ...noteStyle,
    width: Math.max(20, output.columns || 80),
    tty: true,
  })
  try {
    const isStopped = await discardEarlyInput(input)
    if (isStopped || interrupt.aborted) throw new Interrupted()
    const content = lines(style)
    output.write(textOf([...content.screen, '', ...content.question.lines]))
    const readAnswer = process.env['TERM'] === 'dumb' ? readPlainLine : readTypedLine
    return await readAnswer(keyboard, content, interrupt)
  } finally {
    input.setRawMode(false)
    keyboard.close()
  }
}

const textOf = (lines: readonly string[]): string => `${lines.join('\n')}\n`

/** Discards input typed before the question appeared. @returns whether it contained ctrl-c */
async function discardEarlyInput(input: NodeJS.ReadStream): Promise<boolean> {
  let early = ''
  const collect = () => {
    for (let chunk = input.read(); chunk !== null; chunk = input.read()) early += String(chunk)
  }
  input.setRawMode(true)
  input.on('readable', collect)
  await pause(EARLY_MS)
  // On a slow machine timers may fire before pending input is read: let that happen first.
  for (let turn = 0; turn < TURNS; turn += 1) await nextTurn()
  input.removeListener('readable', collect)
  return early.includes(CTRL_C)
}

/** The text that asks again. */
const askedAgain = ({ question }: ConfirmScreen, shown: readonly string[] = []): string =>
  textOf(['', ...shown, ...question.lines])

/** The answer that a line is, otherwise the text that asks again. */
function heard(content: ConfirmScreen, line: string): Answer | string {
  const kind = content.question.kindOf(line)
  if (kind === 'sign' || kind === 'decline') return { line: line.trim(), kind }
  return askedAgain(content, kind === 'show' ? [...content.whole, ''] : [])
}

/** Asks without drawing. */
async function readPlainLine(
  keyboard: Ends,
  content: ConfirmScreen,
  interrupt: AbortSignal,
): Promise<Answer> {
  for (;;) {
    const answer = heard(content, await askLine('  > ', keyboard, interrupt))
    if (typeof answer !== 'string') return answer
    keyboard.output.write(answer)
  }
}

function readTypedLine(
  { input, output }: Ends,
  content: ConfirmScreen,
  interrupt: AbortSignal,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const keys = keysOf(input)
    const end = () => {
      interrupt.removeEventListener('abort', stop)
      ink.unmount()
      input.unpipe(keys).pause()
    }
    const done = (answer: Answer) => {
      end()
      resolve(answer)
    }
    const failed = (error: unknown) => {
      end()
      reject(error)
    }
    const stop = () => failed(new Interrupted())
    interrupt.addEventListener('abort', stop)
    const ink = render(draw(Line, { content, input, done, failed }), {
      stdout: output,
      stdin: keys,
      exitOnCtrlC: false,
      patchConsole: false,
    })
  })
}

/**
 * The keyboard stream for ink. Ink sets the encoding of its input for good, but a password typed afterwards
 * must be read as bytes.
 */
function keysOf(input: NodeJS.ReadStream): NodeJS.ReadStream {
  const none = () => {}
  const setRawMode = (mode: boolean) => input.setRawMode(mode)
  const keys = Object.assign(new PassThrough(), { isTTY: true, setRawMode, ref: none, unref: none })
  input.pipe(keys)
  return keys as unknown as NodeJS.ReadStream
}

type LineProps = {
  readonly content: ConfirmScreen
  readonly input: NodeJS.ReadStream
  readonly done: (answer: Answer) => void
  readonly failed: (error: unknown) => void
}

function Line({ content, input, done, failed }: LineProps): ReactElement {
  const [typed, show] = useState('')
  // Kept outside the state: a key may arrive before the previous one has been drawn.
  const line = useRef('')
  const settling = useRef<NodeJS.Timeout>(undefined)
  const { stdout, write } = useStdout()
  const setLine = (text: string) => {
    clearTimeout(settling.current)
    line.current = text
    show(text)
    if (content.question.isWhole(text)) settling.current = setTimeout(enter, SETTLE_MS)
  }
  const enter = () => {
    const answer = heard(content, line.current)
    if (typeof answer !== 'string') return done(answer)
    setLine('')
    write(answer)
  }
  useEffect(() => () => clearTimeout(settling.current), [])
  useEffect(() => {
    // Ink hides the cursor.
    const leave = () => void stdout.write(SHOW_CURSOR)
    const takeAgain = () => {
      stdout.write(HIDE_CURSOR)
      setLine('')
      write(askedAgain(content))
    }
    return shareTerminal({ input, leave, takeAgain })
  })
  useInput((typed, key) => {
    if (key.ctrl && typed === 'z') return stopJob()
    try {
      const { line: text, end } = typeKey(line.current, typed, key)
      if (end === 'escape') return done({ line: text, kind: 'decline' })
      setLine(text)
      if (end === 'enter') enter()
    } catch (error) {
      failed(error)
    }
  })
  return draw(Text, { bold: true, wrap: 'truncate' }, `  > ${typed}`)
}

/** Maximum characters of the line: those of a denom; more are dropped. */
const MOST = 128

/** The line after a key, and whether the key ended it. */
type TypedLine = { readonly line: string; readonly end?: 'enter' | 'escape' }

const interruptKeys: Readonly<Record<string, InterruptKey>> = { c: 'ctrl-c', d: 'ctrl-d' }

/**
 * Handles one key or a text that came at once: pasted, or keys that were pressed quickly. Only its first line counts,
 * but ctrl-c anywhere. Keys with ctrl, alt and other modifiers never insert their letter.
 *
 * @throws Interrupted for ctrl-c and ctrl-d
 */
export function typeKey(line: string, input: string, key: Partial<Key>): TypedLine {
  if (key.escape) return { line: '', end: 'escape' }
  if (key.ctrl) {
    const interrupt = interruptKeys[input]
    if (interrupt !== undefined) throw new Interrupted(interrupt)
    // Answers have at most two words, so ctrl-w clears the line.
    return { line: input === 'u' || input === 'w' ? '' : line }
  }
  if (key.return) return { line, end: 'enter' }
  if (key.backspace || key.delete) return { line: line.slice(0, -1) }
  if (key.meta || key.super || key.hyper) return { line }
  if (input.includes(CTRL_C)) throw new Interrupted()
  let text = line
  for (const typed of input) {
    if (typed === '\r' || typed === '\n') return { line: text, end: 'enter' }
    if (typed === CTRL_D) throw new Interrupted('ctrl-d')
    if (typed === BACKSPACE || typed === '\b') text = text.slice(0, -1)
    else if (typed === CTRL_U || typed === CTRL_W) text = ''
    else if (/[\x20-\x7e]/.test(typed)) text += typed
  }
  return { line: text.slice(0, MOST) }
}
