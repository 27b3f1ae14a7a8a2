import { closeSync, constants, openSync } from 'node:fs'
import { ReadStream, WriteStream } from 'node:tty'
import { Box, render, Text, useInput } from 'ink'
import { createElement as draw, type ReactElement, useState } from 'react'
import { type Style, styleOf } from '../../render/style.js'

/** What is drawn: the screen, the question below it, and the whole document that `s` shows. */
export type Drawn = {
  readonly screen: readonly string[]
  readonly question: readonly string[]
  readonly whole: readonly string[]
}

type Keyboard = {
  readonly input: NodeJS.ReadStream
  readonly output: NodeJS.WriteStream
  close(): void
}

/**
 * Shows what will be signed and waits for a line. Standard input may be the quote: then the terminal
 * that the process belongs to is asked. The one place beside the live views that loads ink.
 *
 * @returns what was typed, or `interrupt`
 */
export async function askOnScreen(
  lines: (style: Style) => Drawn,
  noteStyle: Style,
): Promise<string> {
  const keyboard = keyboardOf()
  const { output } = keyboard
  const style = styleOf({
    ...noteStyle,
    width: Math.max(20, (output.columns || 80) - 1),
    tty: true,
  })
  try {
    return await new Promise<string>((resolve) => {
      const done = (answer: string) => {
        ink.unmount()
        resolve(answer)
      }
      const ink = render(draw(Screen, { drawn: lines(style), style, done }), {
        stdout: output,
        stdin: keyboard.input,
        exitOnCtrlC: false,
        patchConsole: false,
      })
    })
  } finally {
    keyboard.close()
  }
}

function keyboardOf(): Keyboard {
  const { stdin, stderr } = process
  if (stdin.isTTY && stderr.isTTY)
    // ink lets the process end while the keyboard is silent; a password may still be asked for.
    return { input: stdin, output: stderr, close: () => void stdin.pause().ref() }
  const descriptor = openSync('/dev/tty', constants.O_RDWR)
  try {
    const input = new ReadStream(descriptor)
    const output = new WriteStream(openSync('/dev/tty', constants.O_WRONLY))
    return {
      input: input as NodeJS.ReadStream,
      output: output as NodeJS.WriteStream,
      close() {
        input.destroy()
        output.destroy()
      },
    }
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

type ScreenProps = {
  readonly drawn: Drawn
  readonly style: Style
  readonly done: (answer: string) => void
}

function Screen({ drawn, style, done }: ScreenProps): ReactElement {
  const [typed, setTyped] = useState('')
  const [isWhole, setWhole] = useState(false)
  useInput((input, key) => {
    if (key.ctrl && (input === 'c' || input === 'd')) return done('interrupt')
    if (key.escape) return done('')
    if (key.return) return done(typed.trim())
    if (key.backspace || key.delete) return setTyped(typed.slice(0, -1))
    if (input === 's' && typed === '') return setWhole(!isWhole)
    // A line may come in one piece, as when it is pasted.
    const [line = '', ...rest] = input.split(/[\r\n]/)
    const text = typed + line.replace(/[^\x20-\x7e]/g, '')
    if (rest.length > 0) return done(text.trim())
    setTyped(text.slice(0, 80))
  })
  const shown = [...drawn.screen, '', ...(isWhole ? [...drawn.whole, ''] : []), ...drawn.question]
  return draw(
    Box,
    { flexDirection: 'column' },
    ...shown.map((line, i) => draw(Text, { key: i, wrap: 'truncate' }, line === '' ? ' ' : line)),
    draw(Text, { key: 'ask', bold: true }, `  ${style.ascii ? '>' : '>'} ${typed}`),
  )
}
