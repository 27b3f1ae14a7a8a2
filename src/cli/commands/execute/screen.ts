import { PassThrough } from 'node:stream'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { render, Text, useInput, useStdout } from 'ink'
import { createElement as draw, type ReactElement, useState } from 'react'
import { type Style, styleOf } from '../../../render/style.js'
import { type Ends, terminalEnds } from '../../terminal.js'

/** What is shown: the screen, the question below it, and the whole document with the key for it. */
export type ConfirmScreen = {
  readonly screen: readonly string[]
  readonly question: readonly string[]
  readonly whole: readonly string[]
  readonly wholeKey: string
}

/** How long what was typed too early is collected, in milliseconds. */
const EARLY_MS = 50
const TURNS = 3

const CTRL_C = '\x03'

/**
 * Shows what will be signed and waits for a line. Standard input may be the quote: then the terminal
 * that the process belongs to is asked. What was typed before anything was shown answers nothing.
 * The screen is written as it is and stays in the scrollback; only the line that is typed is drawn
 * with ink, so that a small terminal loses nothing. The one place beside the live views that loads
 * ink.
 *
 * @returns what was typed; `undefined` after ctrl-c and where `interrupt` was aborted
 */
export async function askOnScreen(
  lines: (style: Style) => ConfirmScreen,
  noteStyle: Style,
  interrupt: AbortSignal,
): Promise<string | undefined> {
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
    if (isStopped || interrupt.aborted) return undefined
    const content = lines(style)
    output.write(textOf([...content.screen, '', ...content.question]))
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
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const keys = keysOf(input)
    const done = (answer: string | undefined) => {
      interrupt.removeEventListener('abort', stop)
      ink.unmount()
      input.unpipe(keys).pause()
      resolve(answer)
    }
    const stop = () => done(undefined)
    interrupt.addEventListener('abort', stop)
    const ink = render(draw(Line, { content, done }), {
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
  readonly done: (answer: string | undefined) => void
}

/** The line that is typed. The key for the whole document counts as long as the line is empty. */
function Line({ content, done }: LineProps): ReactElement {
  const [typed, setTyped] = useState('')
  const { write } = useStdout()
  useInput((input, key) => {
    if (key.ctrl && (input === 'c' || input === 'd')) return done(undefined)
    if (key.escape) return done('')
    if (key.return) return done(typed.trim())
    if (key.backspace || key.delete) return setTyped(typed.slice(0, -1))
    if (input === content.wholeKey && typed === '')
      return write(textOf(['', ...content.whole, '', ...content.question]))
    // A line may come in one piece, as when it is pasted.
    const [line = '', ...rest] = input.split(/[\r\n]/)
    const text = typed + line.replace(/[^\x20-\x7e]/g, '')
    if (rest.length > 0) return done(text.trim())
    setTyped(text.slice(0, 80))
  })
  return draw(Text, { bold: true, wrap: 'truncate' }, `  > ${typed}`)
}
