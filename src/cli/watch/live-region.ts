import { Box, render, Text, useInput } from 'ink'
import { createElement, type ReactElement } from 'react'

/** The streams of a terminal. */
export type Terminal = {
  readonly stdout: NodeJS.WriteStream
  /** If `undefined`, keys are not read and the terminal stays out of raw mode. */
  readonly stdin: NodeJS.ReadStream | undefined
}

/** A key that is handled. */
export type Key = 'enter' | 'interrupt' | 'c' | 'q'

/** A region of the screen that is redrawn in place. */
export type LiveRegion = {
  /** Draws these lines, which are fewer than the screen has and no wider, in place of the last ones. */
  show(lines: readonly string[]): void
  /** Makes a screen of its own empty: lines of another width may stand there. */
  clear(): void
  /** Leaves what was shown last, with the cursor below it; a screen of its own with all that is on it. */
  close(): void
}

/** How it begins. */
export type RegionOptions = {
  readonly first: readonly string[]
  /** On a screen of its own, which is left at the end, also when the process is ended. */
  readonly fullscreen: boolean
}

const CLEAR = '\x1b[2J\x1b[H'
const ENTER = `\x1b[?1049h${CLEAR}`
const LEAVE = '\x1b[?1049l'

/** Rows that are reported to ink: so many that it never clears the screen and what was above. */
const MANY_ROWS = 10_000

/** Begins to draw. The one place that knows ink, which takes long to load. */
export function openLive(
  { stdout, stdin }: Terminal,
  pressed: (key: Key) => void,
  { first, fullscreen }: RegionOptions,
): LiveRegion {
  const element = (lines: readonly string[]) =>
    createElement(Region, { lines, pressed: stdin === undefined ? undefined : pressed })
  const leave = () => void stdout.write(LEAVE)
  if (fullscreen) {
    stdout.write(ENTER)
    process.once('exit', leave)
  }
  // Not with `incrementalRendering`: in 6.8 it is a line off where a region does not fill the screen.
  const ink = render(element(first), {
    stdout: withRows(stdout),
    ...(stdin !== undefined && { stdin }),
    exitOnCtrlC: false,
    patchConsole: false,
  })
  return {
    show: (lines) => ink.rerender(element(lines)),
    clear() {
      if (fullscreen) stdout.write(CLEAR)
    },
    close() {
      ink.unmount()
      if (!fullscreen) return
      process.off('exit', leave)
      leave()
    },
  }
}

type RegionProps = {
  readonly lines: readonly string[]
  readonly pressed: ((key: Key) => void) | undefined
}

/** The lines, and the keys that are pressed while they are shown. */
export function Region({ lines, pressed }: RegionProps): ReactElement {
  useInput(
    (input, { return: enter, ctrl }) => {
      const key = enter ? 'enter' : ctrl && input === 'c' ? 'interrupt' : ctrl ? '' : input
      if (isKey(key)) pressed?.(key)
    },
    { isActive: pressed !== undefined },
  )
  return createElement(
    Box,
    { flexDirection: 'column' },
    ...lines.map((line, i) =>
      // A line without a character would take no row.
      createElement(Text, { key: i, wrap: 'truncate' }, line === '' ? ' ' : line),
    ),
  )
}

const isKey = (text: string): text is Key => ['enter', 'interrupt', 'c', 'q'].includes(text)

/** The stream with other rows; everything else is its own. */
const withRows = (stream: NodeJS.WriteStream): NodeJS.WriteStream =>
  new Proxy(stream, {
    get(target, name) {
      if (name === 'rows') return MANY_ROWS
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
