import { givenFlags } from '../../../config/configured.js'
import { type Config, shownPath } from '../../../config/load.js'
import { demoChainId } from '../../../config/network.js'
import { formatMicroUsd } from '../../../engine/math/units.js'
import { type CsvColumn, foreignColumns, memberColumns, tabRows } from '../../../render/csv.js'
import { fields, formatTime, formOf, nextLine, paragraph } from '../../../render/layout.js'
import type { Style } from '../../../render/style.js'
import { type Columns, table } from '../../../render/table.js'
import { truncate } from '../../../render/width.js'
import { addressOf } from '../../../wallet/address.js'
import { DEMO } from '../../../wallet/demo-key.js'
import { COST } from '../../../wallet/keyfile/key-document.js'
import type { StoredKey } from '../../../wallet/store/keys.js'
import type { Context } from '../../command.js'
import { printAnswer } from '../../print-answer.js'
import type { KeyAnswer, KeyChange } from './key-answer.js'

/** Whether the selected network is that of the built-in key. */
export const isBuiltInHere = ({ network }: Config): boolean => network.chainId === demoChainId

/** The document of a stored key: the unencrypted members of its file, and its path. */
export function keyInfoOf({ config }: Context, { name, path, document }: StoredKey): KeyAnswer {
  const sealed = 'signer' in document ? undefined : document
  const { n, r, p } = sealed?.kdf ?? COST
  return {
    name,
    address: document.address,
    pubkey: document.pubkey,
    path: sealed?.hd_path ?? null,
    format: document.format,
    kdf: sealed === undefined ? null : { name: sealed.kdf.name, n, r, p },
    weak: n * r * p < COST.n * COST.r * COST.p,
    created_at: document.created_at,
    default: name === config.values.from,
    limits: limitsOf(config),
    backup: sealed?.backup ?? null,
    file: path,
    ...('signer' in document && { signer: document.signer, sign_mode: document.sign_mode }),
  }
}

/** The document of the demo network's built-in key. */
export const builtInKeyInfo = ({ config }: Context): KeyAnswer => ({
  name: DEMO.name,
  address: addressOf(Buffer.from(DEMO.publicKey, 'hex'), config.network.prefix),
  pubkey: DEMO.publicKey,
  path: DEMO.path,
  format: 'built-in',
  kdf: null,
  weak: false,
  created_at: null,
  default: DEMO.name === config.values.from,
  limits: limitsOf(config),
  backup: null,
  file: null,
})

const limitsOf = ({ values }: Context['config']): KeyAnswer['limits'] => ({
  per_tx_usd: formatMicroUsd(values.limitsPerTxUsd),
  per_day_usd: formatMicroUsd(values.limitsPerDayUsd),
})

/** A path for display: below the home folder with `~`. */
const displayPath = ({ surroundings }: Context, path: string | null): string =>
  shownPath(path ?? '', surroundings.home)

/** Suggestions for a new account: fund it with play money, or show its balances. */
export const nextFor = (config: Context['config'], name: string): string =>
  isBuiltInHere(config)
    ? ['swap demo faucet', name, ...givenFlags(config, ['network'])].join(' ')
    : `swap balances ${name}`

/** Prints the result of an action on a key, and the next step; with `--quiet` the path of its file. */
export async function printDone(
  context: Context,
  done: string,
  stored: StoredKey,
  {
    next,
    members,
  }: { readonly next?: string; readonly members?: Omit<KeyChange, keyof KeyAnswer> },
): Promise<void> {
  const { style } = context.out
  const key = keyInfoOf(context, stored)
  const lines = () => [
    style.good(done),
    ...fields(style, [
      ['Address', [key.address, key.path !== null && `path ${key.path}`]],
      ['File', [`${displayPath(context, key.file)} (0600)`, fileOf(key, false)]],
    ]),
    ...(next === undefined ? [] : [nextLine(next, style)]),
  ]
  const forms = { quiet: () => key.file ?? key.name, human: () => lines().join('\n') }
  return printAnswer(context, { ...key, ...members }, forms)
}

/** The list of keys: a table for people; in a pipe tab-separated rows without a heading. */
export function renderKeys(keys: readonly KeyAnswer[], style: Style): string {
  if (!style.tty) return tabRows(keys, rowColumns)
  if (keys.length === 0)
    return paragraph('There are no keys yet. Make one: swap keys new main', style, 0).join('\n')
  const columns: Columns<KeyAnswer> = [
    ['', (key) => (key.default ? '*' : '')],
    ['NAME', ({ name }) => name],
    ['ADDRESS', ({ address }) => address],
    ['KEY FILE', (key) => fileOf(key, formOf(style) === 'wide'), { drop: 1 }],
    ['PATH', ({ path }) => (path ?? '').replace(/^m\//, ''), { drop: 3, isWide: true }],
    ['MADE', dayOf, { drop: 2 }],
    ['NOTE', noteOf, { drop: 4 }],
  ]
  return table(keys, style, columns, 0).join('\n')
}

/** The columns of CSV. */
export const keyColumns: readonly CsvColumn<KeyAnswer>[] = [
  ...foreignColumns('name', 'address', 'pubkey', 'path', 'format'),
  ['sign_mode', ({ sign_mode }) => sign_mode ?? null],
  ...memberColumns('weak', 'created_at', 'default', 'backup'),
  ...foreignColumns('file'),
]

/** The columns of a pipe. */
const rowColumns: readonly CsvColumn<KeyAnswer>[] = [
  ...memberColumns('name', 'address'),
  ['file', (key) => fileOf(key, true)],
  ...memberColumns('path'),
  ['made', (key) => dayOf(key)],
  ['note', (key) => noteOf(key)],
]

/** How the file is encrypted: `scrypt 2^17`, or with all parameters. */
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

/** One key: its public members and its file. */
export function renderKey(key: KeyAnswer, context: Context): string {
  const { style } = context.out
  const file = key.file !== null && `${displayPath(context, key.file)} (0600)`
  return [
    style.bold(key.name),
    ...fields(style, [
      ['Address', [key.address]],
      ['Public key', [key.pubkey ?? 'not known yet']],
      key.signer !== undefined && ['Signer', [key.signer]],
      key.path !== null && ['Path', [key.path]],
      ['File', [file, fileOf(key, true)]],
      key.created_at !== null && ['Made', [formatTime(key.created_at), backupOf(key)]],
    ]),
  ].join('\n')
}

function backupOf({ backup }: KeyAnswer): string | false {
  if (backup === null) return false
  if (backup === 'checked') return 'its words were written down'
  return backup === 'written' ? 'its words were written to a file' : 'it was imported'
}
