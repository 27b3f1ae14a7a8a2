import { type Instance, render, useInput } from 'ink'
import type { ReactElement, ReactNode } from 'react'
import { displayWidth } from '../../render/width.js'
import { shareTerminal } from '../job-control.js'
import { textOf } from './frame.js'

export type Terminal = {
  readonly stdout: NodeJS.WriteStream
  /** If `undefined`, keys are not read and the terminal stays out of raw mode. */
  readonly stdin: NodeJS.ReadStream | undefined
}

export type Key = 'enter' | 'interrupt' | 'stop' | 'c' | 'q'

/** A region of the screen that is redrawn in place. */
export type LiveRegion = {
  /**
   * Draws a frame, which has fewer lines than the screen and is no wider, in place of the last one; below it after
   * another program had the terminal.
   */
  show(frame: ReactElement): void
  /**
   * Erases the last frame in a terminal that became too narrow for it. The terminal has wrapped its lines,
   * but ink counts the unwrapped ones and would leave the rest. Called before ink handles the resize.
   */
  eraseWrapped(): void
  /** Clears the alternate screen, where lines of another width may remain after a resize. */
  clear(): void
  /** A frame as text, for output that is not redrawn. */
  textOf(frame: ReactElement, columns: number): string
  /** Leaves the last frame with the cursor below it, or the alternate screen. */
  close(): void
}

type RegionOptions = {
  readonly first: ReactElement
  /** Use the alternate screen, which is left at the end, also when the process exits. */
  readonly fullscreen: boolean
}

const CLEAR = '\x1b[2J\x1b[H'
const ENTER = `\x1b[?1049h${CLEAR}`
/** Up a line, and erase it. Unlike the sequence that erases all below, tmux keeps no copy of it. */
const ERASE_UP = '\x1b[1A\x1b[2K'
const LEAVE = '\x1b[?1049l'

/** Rows reported to ink: more than any frame, so that it never clears the screen above the frame. */
const MANY_ROWS = 10_000

export function openLive(
  { stdout, stdin }: Terminal,
  pressed: (key: Key) => void,
  { first, fullscreen }: RegionOptions,
): LiveRegion {
  const region = (frame: ReactElement) => (
    <Region pressed={stdin === undefined ? undefined : pressed}>{frame}</Region>
  )
  let shown = { frame: first, columns: stdout.columns }
  let ink: Instance | undefined
  const draw = () => {
    if (ink !== undefined) return ink.rerender(region(shown.frame))
    if (fullscreen) stdout.write(ENTER)
    // Without `incrementalRendering`: in ink 6.8 it is a line off where a region does not fill the screen.
    ink = render(region(shown.frame), {
      stdout: withRows(stdout),
      ...(stdin !== undefined && { stdin }),
      exitOnCtrlC: false,
      patchConsole: false,
    })
  }
  const leave = () => {
    ink?.unmount()
    if (ink !== undefined && fullscreen) stdout.write(LEAVE)
    ink = undefined
  }
  // Before the first frame: keys may follow it at once.
  const endSharing = shareTerminal({ input: stdin, leave, takeAgain: draw })
  draw()
  return {
    show(frame) {
      shown = { frame, columns: stdout.columns }
      draw()
    },
    eraseWrapped() {
      const { columns } = stdout
      if (fullscreen || !(columns < shown.columns)) return
      const widths = textOf(shown.frame, shown.columns).split('\n').map(displayWidth)
      const rows = widths.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / columns)), 0)
      // Ink moves up by the lines of the frame before it writes the next one.
      stdout.write(`${ERASE_UP.repeat(rows)}\r${'\n'.repeat(widths.length)}`)
    },
    clear() {
      if (fullscreen) stdout.write(CLEAR)
    },
    textOf,
    close() {
      endSharing()
      leave()
    },
  }
}

type RegionProps = {
  readonly children?: ReactNode
  /** Called for a key that is handled; `undefined` leaves the keyboard alone. */
  readonly pressed: ((key: Key) => void) | undefined
}

/** A frame, and the keys that are handled while it is shown. */
export function Region({ children, pressed }: RegionProps): ReactElement {
  useInput(
    (input, { return: enter, ctrl }) => {
      const key = enter ? 'enter' : ctrl ? controlKeys[input] : input
      // Keys that came at once are a text, of which only ctrl-c counts.
      if (isKey(key)) pressed?.(key)
      else if (input.includes('\x03')) pressed?.('interrupt')
    },
    { isActive: pressed !== undefined },
  )
  return <>{children}</>
}

const controlKeys: Readonly<Record<string, Key>> = { c: 'interrupt', z: 'stop' }

const isKey = (text: string | undefined): text is Key =>
  ['enter', 'interrupt', 'stop', 'c', 'q'].includes(text ?? '')

/** The stream with `MANY_ROWS` rows. */
const withRows = (stream: NodeJS.WriteStream): NodeJS.WriteStream =>
  new Proxy(stream, {
    get(target, name) {
      if (name === 'rows') return MANY_ROWS
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
