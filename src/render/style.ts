import { Chalk } from 'chalk'
import { printable } from '../platform/printable.js'

/** Adds the escape codes of a colour or weight; returns the text as it is if colour is off. */
type Paint = (text: string) => string

/** A network with real money, and its conspicuous name in titles: `MAINNET`. */
export type RealNetwork = { readonly network: string; readonly title: string }

/** The output that a renderer renders for. Plain data: renderers do not query the terminal. */
export type Style = {
  /** Columns of the terminal, or of `--width`. */
  readonly width: number
  readonly color: boolean
  /** Only characters 0x20 to 0x7e may be printed. */
  readonly ascii: boolean
  /** Formatted as for a terminal: numbers are grouped, addresses may be shortened. */
  readonly tty: boolean
  /** The terminal opens hyperlinks (OSC 8). */
  readonly links?: boolean | undefined
  /** The network's name, if real money is at stake. */
  readonly real?: RealNetwork | undefined
  /** Completes the commands that a text suggests, so that they can be pasted. */
  readonly suggest?: ((text: string) => string) | undefined
} & { readonly [Role in keyof typeof roles]: Paint }

/**
 * Text styles. Only codes readable on light and dark terminals: each colour has a contrast of 3:1 or more on
 * the backgrounds of the usual palettes, unlike green, yellow, blue, cyan and faint text.
 */
const roles = {
  bold: ['bold'],
  /** Less important text. */
  muted: [],
  /** Success, profit, a change for the better. */
  good: ['bold'],
  /** Errors, refusals, losses. */
  bad: ['redBright'],
  warning: ['magenta'],
  /** An emphasized name, such as that of the demo network. */
  accent: ['bold'],
  buy: [],
  sell: ['redBright'],
  /** Black on white, whatever the terminal's own colours are. */
  paper: ['bgWhiteBright', 'black'],
} as const satisfies Readonly<Record<string, readonly Code[]>>

type Code = 'bold' | 'redBright' | 'magenta' | 'black' | 'bgWhiteBright'

export const roleNames = Object.keys(roles) as readonly (keyof typeof roles)[]

/** The data of a `Style`. */
export type StyleFacts = Pick<
  Style,
  'width' | 'color' | 'ascii' | 'tty' | 'links' | 'real' | 'suggest'
>

/** Uses chalk level 1, the sixteen ANSI colours, which follow the palette of the terminal. */
export function styleOf(facts: StyleFacts): Style {
  const chalk = new Chalk({ level: facts.color ? 1 : 0 })
  const paintOf = (codes: readonly Code[]): Paint => {
    const paint = codes.reduce((built, code) => built[code], chalk)
    return (text) => paint(text)
  }
  const paints = Object.fromEntries(roleNames.map((role) => [role, paintOf(roles[role])]))
  return { ...facts, ...(paints as { readonly [Role in keyof typeof roles]: Paint }) }
}

/** A hyperlink, if the terminal supports it; otherwise the text. */
export const hyperlink = (text: string, url: string | undefined, { links }: Style): string =>
  links !== true || url === undefined ? text : `\x1b]8;;${url}\x1b\\${text}\x1b]8;;\x1b\\`

/** The style of pipes: 80 columns, no colour, not a terminal. */
export const plainStyle: Style = styleOf({ width: 80, color: false, ascii: false, tty: false })

const unicodeGlyphs = {
  arrow: '→',
  line: '─',
  heavyLine: '━',
  arrowHead: '▶',
  branch: '└',
  ellipsis: '…',
  dot: '·',
  yes: '✓',
  no: '✗',
  block: '█',
  shade: '▓',
  up: '▲',
  down: '▼',
} as const

/** The drawing characters of renderers. */
export type Glyphs = { readonly [Name in keyof typeof unicodeGlyphs]: string }

const asciiGlyphs: Glyphs = {
  arrow: '->',
  line: '-',
  heavyLine: '=',
  arrowHead: '>',
  branch: '`',
  ellipsis: '...',
  dot: '-',
  yes: '+',
  no: 'x',
  block: '#',
  shade: '%',
  up: '^',
  down: 'v',
}

/** Glyphs of width 1; in ASCII `arrow` takes 2 columns and `ellipsis` 3. */
export const glyphsOf = (style: Pick<Style, 'ascii'>): Glyphs =>
  style.ascii ? asciiGlyphs : unicodeGlyphs

const ASCII_OF: ReadonlyMap<string, string> = new Map([
  ...Object.entries(unicodeGlyphs).map(
    ([name, glyph]) => [glyph, asciiGlyphs[name as keyof Glyphs]] as const,
  ),
  ['—', '-'],
  ['–', '-'],
  ['−', '-'],
  ['×', 'x'],
  ['≥', '>='],
  ['≤', '<='],
  ['±', '+/-'],
])

/**
 * Transliterates a sentence for terminals without UTF-8; unknown characters become `?`. For running
 * text only, since widths change; tables choose their glyphs with `glyphsOf`.
 */
export const toAscii = (text: string): string =>
  text.replace(/[^\p{ASCII}]/gu, (glyph) => ASCII_OF.get(glyph) ?? '?')

/** Untrusted text, escaped and in the character set of the output. */
export const safeText = (text: string, { ascii }: Pick<Style, 'ascii'>): string =>
  ascii ? toAscii(printable(text)) : printable(text)
