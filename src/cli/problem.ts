import { type Json, SwapError } from '../engine/errors.js'
import { beside, suggesting } from '../render/layout.js'
import { glyphsOf, type Style, safeText } from '../render/style.js'
import { displayWidth, padEnd, shortenMiddle, wrap } from '../render/width.js'
import { exitOfError } from './exit.js'

/** Columns before the text of a line: `  why   `. */
const margin = 8

/** The parts of an error message, before layout. */
type ErrorText = Pick<SwapError, 'code' | 'message' | 'why' | 'hint' | 'members'>

/**
 * An error as four lines for a person: what happened, why, what to do, the code. The candidates of an
 * ambiguous name follow the reason. No stack trace, and control characters are escaped.
 */
export function renderProblem(error: unknown, style: Style): string {
  const { code, message, why, hint, members } = textOf(error)
  const lines = [
    ...labelledLines(style.bad('error:'), message, style, 'error: '.length),
    ...(code === 'AMBIGUOUS_TOKEN' ? candidateRows(members['candidates'] ?? [], style) : []),
    ...(why === undefined ? [] : labelledLines('  why', why, style)),
    ...(hint === undefined ? [] : labelledLines('  do', hint, style)),
    style.muted(`  code  ${code} (exit ${exitOfError(error)})`),
  ]
  return lines.join('\n')
}

/** The error as one line, printed on stderr beside the document of `--json`. */
export function renderProblemLine(error: unknown, style: Style): string {
  const { code, message } = textOf(error)
  return `${style.bad('error:')} ${clean(message, style)} (${code})`
}

/** The message of a bug; the stack trace goes to the log. */
const bug: ErrorText = {
  code: 'INTERNAL',
  message: 'internal error in swap',
  why: 'this is a bug in the program, not a mistake in the command',
  hint: 'report it, with the command that you typed',
  members: {},
}

const textOf = (error: unknown): ErrorText => (error instanceof SwapError ? error : bug)

/** Escapes a text and shortens words longer than any path, hash or address. */
export const clean = (text: string, style: Style): string =>
  safeText(
    text.replace(/\S{401,}/g, (word) => `${word.slice(0, 60)}…${word.slice(-60)}`),
    style,
  )

/** A label with wrapped text; all lines begin in the same column. */
function labelledLines(
  label: string,
  text: string,
  style: Style,
  indent = margin,
): readonly string[] {
  const lines = suggesting(text, style)
    .split('\n')
    .map((line) => clean(line, style))
  return beside(label, wrap(lines.join('\n'), Math.max(20, style.width - indent)), indent)
}

type Row = { readonly alias: string; readonly denom: string }

function candidateRows(candidates: Json, style: Style): readonly string[] {
  const rows = Array.isArray(candidates) ? candidates.map((row) => readRow(row, style)) : []
  const shown = [{ alias: 'ALIAS', denom: 'DENOM' }, ...rows]
  const aliasWidth = Math.max(...shown.map(({ alias }) => displayWidth(alias)))
  // Denoms are shortened on terminals only: from a pipe they may be copied.
  const room = Math.max(16, style.width - margin - aliasWidth - 2)
  const shorten = (denom: string) =>
    style.tty ? shortenMiddle(denom, room, glyphsOf(style).ellipsis) : denom
  return shown.map(({ alias, denom }) =>
    `${' '.repeat(margin)}${padEnd(alias, aliasWidth)}  ${shorten(denom)}`.trimEnd(),
  )
}

function readRow(row: Json, style: Style): Row {
  const cells = new Map(Object.entries(row !== null && typeof row === 'object' ? row : {}))
  const text = (name: string) => clean(String(cells.get(name) ?? ''), style)
  return { alias: text('alias'), denom: text('denom') }
}
