import { PassThrough } from 'node:stream'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { type Key, render, Text, useInput, useStdout } from 'ink'
import { createElement as draw, type ReactElement, useEffect, useRef, useState } from 'react'
import { type Style, styleOf } from '../../render/style.js'
import { Interrupted, type InterruptKey } from '../exit.js'
import { type Ends, terminalEnds } from '../terminal.js'

/** What a typed line means: an empty one asks again, an unknown one declines. */
type AnswerKind = 'sign' | 'show' | 'decline' | 'again'

/** The question before a signature: its text, and what may be answered. */
export type Question = {
  readonly lines: readonly string[]
  kindOf(line: string): AnswerKind
  /** Whether the line is an answer without Enter, once no other key follows it. */
  isWhole(line: string): boolean
}

/** What is shown: the screen, the question below it, and the whole document. */
type ConfirmScreen = {
  readonly screen: readonly string[]
  readonly question: Question
  readonly whole: readonly string[]
}

/** The line that ended the question, and what it means. */
type Answer = { readonly line: string; readonly kind: 'sign' | 'decline' }

/**
 * How long an answer without Enter waits for another key, in milliseconds: `yes` and the Enter
 * after `y` belong to the answer, not to the password that is asked for next.
 */
const SETTLE_MS = 600

/** How long what was typed too early is collected, in milliseconds. */
const EARLY_MS = 50
const TURNS = 3

const CTRL_C = '\x03'

/**
 * Shows what will be signed and waits for a line. Standard input may be the quote: then the controlling
 * terminal is used. What was typed before anything was shown answers nothing.
 * The screen is written as it is and stays in the scrollback; only the line that is typed is drawn
 * with ink, so that a small terminal loses nothing. The one place beside the live views that loads
 * ink.
 *
 * @throws Interrupted for ctrl-c, ctrl-d and where `interrupt` was aborted
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
    width: Math.max(20, (output.columns || 80) - 1),
    tty: true,
  })
  try {
    const isStopped = await discardEarlyInput(input)
    if (isStopped || interrupt.aborted) throw new Interrupted()
    const content = lines(style)
    output.write(textOf([...content.screen, '', ...content.question.lines]))
    return await readTypedLine(keyboard, content, interrupt)
  } finally {
    input.setRawMode(false)
    keyboard.close()
  }
}

const textOf = (lines: readonly string[]): string => `${lines.join('\n')}\n`

/** Throws away what was typed before there was anything to answer. @returns whether ctrl-c was */
async function discardEarlyInput(input: NodeJS.ReadStream): Promise<boolean> {
  let early = ''
  const collect = () => {
    for (let chunk = input.read(); chunk !== null; chunk = input.read()) early += String(chunk)
  }
  input.setRawMode(true)
  input.on('readable', collect)
  await pause(EARLY_MS)
  // Timers come before what has arrived where the machine is slow: let that be read as well.
  for (let turn = 0; turn < TURNS; turn += 1) await nextTurn()
  input.removeListener('readable', collect)
  return early.includes(CTRL_C)
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
    const ink = render(draw(Line, { content, done, failed }), {
      stdout: output,
      stdin: keys,
      exitOnCtrlC: false,
      patchConsole: false,
    })
  })
}

/**
 * The keyboard as ink reads it. Ink turns its input into texts for good; a password that is typed
 * afterwards has to be read as bytes.
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
  readonly done: (answer: Answer) => void
  readonly failed: (error: unknown) => void
}

/** The line that is typed. */
function Line({ content: { question, whole }, done, failed }: LineProps): ReactElement {
  const [typed, show] = useState('')
  // The line is kept outside the state: a key may come before the line of the last one is drawn.
  const line = useRef('')
  const settling = useRef<NodeJS.Timeout>(undefined)
  const { write } = useStdout()
  const setLine = (text: string) => {
    clearTimeout(settling.current)
    line.current = text
    show(text)
    if (question.isWhole(text)) settling.current = setTimeout(enter, SETTLE_MS)
  }
  const enter = () => {
    const kind = question.kindOf(line.current)
    if (kind === 'sign' || kind === 'decline') return done({ line: line.current.trim(), kind })
    setLine('')
    write(textOf(['', ...(kind === 'show' ? [...whole, ''] : []), ...question.lines]))
  }
  useEffect(() => () => clearTimeout(settling.current), [])
  useInput((input, key) => {
    try {
      const { line: text, end } = typeKey(line.current, input, key)
      if (end === 'escape') return done({ line: text, kind: 'decline' })
      setLine(text)
      if (end === 'enter') enter()
    } catch (error) {
      failed(error)
    }
  })
  return draw(Text, { bold: true, wrap: 'truncate' }, `  > ${typed}`)
}

/** Characters that a line may have, as many as a denom; more are dropped. */
const MOST = 128

/** What the line is after a key, and whether the key ended it. */
type TypedLine = { readonly line: string; readonly end?: 'enter' | 'escape' }

const interruptKeys: Readonly<Record<string, InterruptKey>> = { c: 'ctrl-c', d: 'ctrl-d' }

/**
 * Takes one key, or a pasted text, of which only the first line counts. Keys with ctrl, alt and
 * other modifiers never insert their letter.
 *
 * @throws Interrupted for ctrl-c and ctrl-d
 */
export function typeKey(line: string, input: string, key: Partial<Key>): TypedLine {
  if (key.escape) return { line: '', end: 'escape' }
  if (key.ctrl) {
    const interrupt = interruptKeys[input]
    if (interrupt !== undefined) throw new Interrupted(interrupt)
    // Answers are one word, or two: ctrl-w, which deletes a word, clears them too.
    return { line: input === 'u' || input === 'w' ? '' : line }
  }
  if (key.return) return { line, end: 'enter' }
  if (key.backspace || key.delete) return { line: line.slice(0, -1) }
  if (key.meta || key.super || key.hyper) return { line }
  const [first = '', ...rest] = input.split(/[\r\n]/)
  const text = line + first.replace(/[^\x20-\x7e]/g, '')
  return rest.length > 0 ? { line: text, end: 'enter' } : { line: text.slice(0, MOST) }
}
