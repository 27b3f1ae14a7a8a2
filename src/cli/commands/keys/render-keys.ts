import { field, formOf, indentOf, paragraph } from '../../../render/layout.js'
import type { Style } from '../../../render/style.js'
import { type Column, table } from '../../../render/table.js'
import { padEnd, truncate } from '../../../render/width.js'
import type { KeyAnswer } from './key-answer.js'

/** The list of keys: a table for people; in a pipe tab-separated rows without a heading. */
export function renderKeys(keys: readonly KeyAnswer[], style: Style): string {
  if (!style.tty) return keys.map((key) => plainRow(key).join('\t')).join('\n')
  if (keys.length === 0)
    return paragraph('There are no keys yet. Make one: swap keys new main', style, 0).join('\n')
  const rows = keys.map((key) => [
    key.default ? '*' : ' ',
    key.name,
    key.address,
    fileOf(key, formOf(style) === 'wide'),
    (key.path ?? '').replace(/^m\//, ''),
    dayOf(key),
    noteOf(key),
  ])
  return table(columns, rows, style, 0).join('\n')
}

const columns: readonly Column[] = [
  { head: '' },
  { head: 'NAME' },
  { head: 'ADDRESS' },
  { head: 'KEY FILE', drop: 2 },
  { head: 'PATH', drop: 3, isWide: true },
  { head: 'MADE', drop: 1 },
  { head: 'NOTE', drop: 4 },
]

/** Name, address, key file, path, day, note: the columns of a pipe. */
const plainRow = (key: KeyAnswer): readonly string[] => [
  key.name,
  key.address,
  fileOf(key, true),
  key.path ?? '',
  dayOf(key),
  noteOf(key),
]

/** How the file is protected: `scrypt 2^17`, or with everything else. */
function fileOf({ kdf, format, sign_mode }: KeyAnswer, whole: boolean): string {
  if (sign_mode !== undefined) return `external, ${sign_mode}`
  if (kdf === null) return format.replace('-', ' ')
  const cost = `${kdf.name} 2^${Math.log2(kdf.n)}`
  return whole ? `${format.replace('.key', '')} ${cost} r${kdf.r} p${kdf.p}` : cost
}

const dayOf = ({ created_at }: KeyAnswer): string => created_at?.slice(0, 10) ?? ''

function noteOf({ weak, format, limits, signer }: KeyAnswer): string {
  if (signer !== undefined) return truncate(signer, 40, '...')
  if (format === 'built-in') return 'play money, no password'
  if (weak) return 'weak: reencrypt'
  return limits.per_day_usd === null ? '' : `limit $${limits.per_day_usd}/day`
}

/** One key: its public side, and where it lies. `shown` is its path as people write it. */
export function renderKey(key: KeyAnswer, shown: string, style: Style): string {
  return [
    style.bold(key.name),
    ...field('address', [key.address], style),
    ...field('public key', [key.pubkey ?? 'not known yet'], style),
    ...(key.signer === undefined ? [] : field('signer', [key.signer], style)),
    ...(key.path === null ? [] : field('path', [key.path], style)),
    ...field(
      'file',
      [key.file === null ? 'built in' : `${shown} (0600)`, fileOf(key, true)],
      style,
    ),
    ...(key.created_at === null ? [] : field('made', [key.created_at, ...backupOf(key)], style)),
  ].join('\n')
}

function backupOf({ backup }: KeyAnswer): readonly string[] {
  if (backup === null) return []
  if (backup === 'checked') return ['its words were written down']
  return [backup === 'written' ? 'its words were written to a file' : 'it was imported']
}

/** What was done, with the key's address, its file and what may be done next. */
export function renderDone(
  done: string,
  key: KeyAnswer,
  file: { readonly shown: string; readonly next?: string },
  style: Style,
): string {
  const indent = ' '.repeat(indentOf(style))
  const path = key.path === null ? [] : [`path ${key.path}`]
  return [
    style.good(done),
    ...field('address', [key.address, ...path], style),
    ...field('file', [`${file.shown} (0600)`, fileOf(key, false)], style),
    ...(file.next === undefined ? [] : [`${indent}${padEnd('next', 12)}${file.next}`]),
  ].join('\n')
}
