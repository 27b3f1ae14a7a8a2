import { field, formOf, indentOf, paragraph } from '../../../render/layout.js'
import type { Style } from '../../../render/style.js'
import { type Column, table } from '../../../render/table.js'
import { padEnd, truncate } from '../../../render/width.js'

/** A key as `--json` prints it. Nothing in it is secret. */
export type KeyInfo = {
  readonly name: string
  readonly address: string
  /** Compressed secp256k1, in hex; `null` where of an external key the address alone is known. */
  readonly pubkey: string | null
  /** Of BIP-32; `null` for a private key without a mnemonic. */
  readonly path: string | null
  /** `swap.key/1`, `swap.external/1`, or `built-in`. */
  readonly format: string
  readonly kdf: {
    readonly name: string
    readonly n: number
    readonly r: number
    readonly p: number
  } | null
  /** Costs less to guess than a new key file would. */
  readonly weak: boolean
  /** RFC 3339; `null` for the built-in key. */
  readonly created_at: string | null
  /** Whether the configuration names it. */
  readonly default: boolean
  /** What may be sold with it unattended, in dollars; `null` where nothing limits that. */
  readonly limits: { readonly per_tx_usd: string | null; readonly per_day_usd: string | null }
  /** `checked`, `written`, `imported`; `null` for the built-in key. */
  readonly backup: string | null
  /** Of the key file. */
  readonly file: string | null
  /** Of an external key: the command that signs, and the mode. */
  readonly signer?: string
  readonly sign_mode?: 'direct' | 'amino'
}

/** The list of keys: a table for people; in a pipe tab-separated rows without a heading. */
export function renderKeys(keys: readonly KeyInfo[], style: Style): string {
  if (!style.tty) return keys.map((key) => plainRow(key).join('\t')).join('\n')
  if (keys.length === 0)
    return paragraph('There are no keys yet. Make one: swap keys new main', style, 0).join('\n')
  return table(
    columnsOf(style),
    keys.map((key) => rowOf(key, style)),
    style,
    0,
  ).join('\n')
}

/** Name, address, key file, path, day, note: the columns of a pipe. */
const plainRow = (key: KeyInfo): readonly string[] => [
  key.name,
  key.address,
  fileOf(key, true),
  key.path ?? '',
  dayOf(key),
  noteOf(key),
]

function columnsOf(style: Style): readonly Column[] {
  const wide = formOf(style) === 'wide'
  return [
    { head: '' },
    { head: 'NAME' },
    { head: 'ADDRESS' },
    { head: 'KEY FILE', drop: 2 },
    ...(wide ? [{ head: 'PATH', drop: 3 }] : []),
    { head: 'MADE', drop: 1 },
    { head: 'NOTE', drop: 4 },
  ]
}

function rowOf(key: KeyInfo, style: Style): readonly string[] {
  const wide = formOf(style) === 'wide'
  return [
    key.default ? '*' : ' ',
    key.name,
    key.address,
    fileOf(key, wide),
    ...(wide ? [(key.path ?? '').replace(/^m\//, '')] : []),
    dayOf(key),
    noteOf(key),
  ]
}

/** How the file is protected: `scrypt 2^17`, or with everything else. */
function fileOf({ kdf, format, sign_mode }: KeyInfo, whole: boolean): string {
  if (sign_mode !== undefined) return `external, ${sign_mode}`
  if (kdf === null) return format.replace('-', ' ')
  const cost = `${kdf.name} 2^${Math.log2(kdf.n)}`
  return whole ? `${format.replace('.key', '')} ${cost} r${kdf.r} p${kdf.p}` : cost
}

const dayOf = ({ created_at }: KeyInfo): string => created_at?.slice(0, 10) ?? ''

function noteOf({ weak, format, limits, signer }: KeyInfo): string {
  if (signer !== undefined) return truncate(signer, 40, '...')
  if (format === 'built-in') return 'play money, no password'
  if (weak) return 'weak: reencrypt'
  return limits.per_day_usd === null ? '' : `limit $${limits.per_day_usd}/day`
}

/** One key: its public side, and where it lies. `shown` is its path as people write it. */
export function renderKey(key: KeyInfo, shown: string, style: Style): string {
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

function backupOf({ backup }: KeyInfo): readonly string[] {
  if (backup === null) return []
  if (backup === 'checked') return ['its words were written down']
  return [backup === 'written' ? 'its words were written to a file' : 'it was imported']
}

/** What was done, with the key's address, its file and what may be done next. */
export function renderDone(
  done: string,
  key: KeyInfo,
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
