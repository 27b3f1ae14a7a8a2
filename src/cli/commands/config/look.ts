import { existsSync } from 'node:fs'
import type { KeyPath } from '../../../config/edit.js'
import {
  type Config,
  type ConfigRow,
  type ConfigSources,
  configFiles,
  shownPath,
} from '../../../config/load.js'
import { isAliasName, isBookName, NAME_RULES } from '../../../config/naming.js'
import { nameOfKey, type Setting, type SettingName, settings } from '../../../config/schema.js'
import { invalidRequest, type SwapError } from '../../../engine/errors.js'
import { counted } from '../../../engine/math/counted.js'
import { didYouMean, foldCase } from '../../../operations/suggest.js'
import { printable } from '../../../platform/printable.js'
import {
  type CsvColumn,
  csv,
  foreignColumns,
  memberColumns,
  tabRows,
  untrustedCell,
} from '../../../render/csv.js'
import type { Style } from '../../../render/style.js'
import { type Column, table } from '../../../render/table.js'
import { padEnd, quote } from '../../../render/width.js'
import type { Context, FlagValues, Run } from '../../command.js'
import { textOf } from '../../flags/checked-flag.js'
import { printAnswer, printOutcome } from '../../print-answer.js'
import type { ConfigAnswer, ConfigCheck, ConfigFiles, ConfigValue } from './config-answers.js'

/** Prints the effective value; nothing if it is not set. */
export async function getConfig(context: Context, [text = '']: readonly string[]): Promise<void> {
  const { rows } = context.config
  const key = keyNamed(text)
  const row = rows.find((each) => each.key === key.text) ?? unsetRow(key)
  const value = () => row.value ?? ''
  const human = () => (context.out.style.tty ? printable(value()) : value())
  return printAnswer(context, rowDocument(row), { quiet: value, human })
}

/** Prints the paths of the files that are read. */
export const pathConfig: Run = async (context, _args, flags) => {
  const { out, surroundings } = context
  const files = configFiles(sourcesOf(context, flags)).map(({ path, origin }) => {
    return { origin, path, exists: existsSync(path) }
  })
  const isPlain = !out.style.tty
  const rows = files.map(({ origin, path, exists }) =>
    isPlain
      ? [origin, path, exists ? 'yes' : 'no'].join('\t')
      : `  ${padEnd(origin, 8)} ${shownPath(path, surroundings.home)}${exists ? '' : '   (not there)'}`,
  )
  const answer: ConfigFiles = { files }
  return printAnswer(context, answer, {
    quiet: () => files[0]?.path ?? '',
    csv: () => csv(files, [...foreignColumns('origin', 'path'), ...memberColumns('exists')]),
    human: () => rows.join('\n'),
  })
}

/** Validates the whole configuration. @throws SwapError for the first invalid part */
export const checkConfig: Run = async (context, _args, flags) => {
  const { config, surroundings } = context
  const [invalid] = config.invalidNetworks
  if (invalid !== undefined) throw invalid
  const files = configFiles(sourcesOf(context, flags))
    .map(({ path }) => path)
    .filter((path) => existsSync(path))
  // A flag, such as the --json of this call, is not of the configuration.
  const explicit = config.rows.filter(({ origin }) => origin !== 'default' && origin !== 'flag')
  const names = files.map((path) => shownPath(path, surroundings.home)).join(', ') || 'no file'
  const places = explicit.map(
    (row) => `  ${row.key} = ${row.value ?? ''}   ${whereOf(row, surroundings.home) || row.origin}`,
  )
  const notes = counted(config.notes.length, 'note')
  const { notes: texts, ignored } = config
  const answer: ConfigCheck = { files, settings: explicit.length, notes: texts, ignored }
  return printOutcome(context, answer, [`${names}: can be used, ${notes}`, ...places].join('\n'))
}

/** Where the configuration of this run was looked up. */
export const sourcesOf = ({ surroundings }: Context, flags: FlagValues): ConfigSources => ({
  ...surroundings,
  configFile: textOf(flags, 'config'),
  flags: {},
})

/** A key on the command line: a setting, an alias, or an address book name. */
export type Key = {
  /** In the form of `swap config list`: `slippage`, `router.address`, `alias.usd`. */
  readonly text: string
  readonly name: SettingName | undefined
  readonly setting: Setting<unknown> | undefined
  readonly path: KeyPath
}

/** Parses a key; the flag's spellings are accepted too: `max-hops`, `--max-hops`. */
export function keyNamed(text: string): Key {
  const [, group = '', entry = ''] = /^(alias|book)\.(.*)$/s.exec(text) ?? []
  if (group === 'alias' ? isAliasName(entry) : group === 'book' && isBookName(entry)) {
    const path = [group, foldCase(entry)] as const
    return { text: path.join('.'), name: undefined, setting: undefined, path }
  }
  const key = text.replace(/^--/, '').replaceAll('-', '_')
  const name = nameOfKey.get(key)
  if (name === undefined) throw unknownSetting(text)
  const [section = '', ...member] = key.split('.')
  const path: KeyPath = member.length === 0 ? [section] : [section, member.join('.')]
  return { text: key, name, setting: settings[name], path }
}

function unknownSetting(text: string): SwapError {
  const group = (['alias', 'book'] as const).find((each) => text.startsWith(`${each}.`))
  if (group !== undefined)
    return invalidRequest(`${quote(text)} cannot be a name of ${group}`, '', {
      why: `after ${group}. come ${NAME_RULES[group]}`,
      hint: 'write another name',
    })
  const isNetwork = text.startsWith('networks')
  const near = didYouMean(text, [...nameOfKey.keys(), 'alias.NAME', 'book.NAME'])
  return invalidRequest(`no setting is called ${quote(text)}`, '', {
    why: isNetwork
      ? 'a network has many members; it is written into the file by hand'
      : `the settings are ${[...nameOfKey.keys()].join(', ')}, alias.NAME and book.NAME`,
    hint: isNetwork
      ? 'see .swaprc.example; your files: swap config path'
      : (near ?? 'list them: swap config list'),
  })
}

/** Lists every setting with its value and its origin. */
export async function listConfig(context: Context): Promise<void> {
  const { config, out, surroundings } = context
  const text = () => renderConfig(config, out.style, surroundings.home)
  const answer: ConfigAnswer = {
    values: [
      ...config.rows.map(rowDocument),
      ...config.ignored.map((row) => ({ ...row, overrides: [], ignored: true })),
    ],
  }
  return printAnswer(context, answer, {
    quiet: text,
    csv: () => csv(answer.values, valueColumns),
    human: text,
  })
}

const valueColumns: readonly CsvColumn<ConfigValue>[] = [
  ...foreignColumns('key', 'value', 'origin', 'file'),
  ...memberColumns('line'),
  ...foreignColumns('env'),
  ['overrides', ({ overrides }) => untrustedCell(overriddenText(overrides, '; '))],
  ...memberColumns('ignored'),
]

/** A value with its layer, for documents. */
const rowDocument = (row: ConfigRow): ConfigValue => ({ ...row, ignored: false })

const unsetRow = ({ text }: Key): ConfigRow => ({
  key: text,
  value: null,
  origin: 'default',
  file: null,
  line: null,
  env: null,
  overrides: [],
})

const overriddenText = (overrides: ConfigValue['overrides'], between: string): string =>
  overrides.map(({ origin, value }) => `${origin}: ${value}`).join(between)

/** The table of `swap config list`; tab-separated in a pipe. */
function renderConfig({ rows, ignored }: Config, style: Style, home: string | undefined): string {
  const settings = [
    ...rows.map((row) => ({
      ...row,
      overridden: overriddenText(row.overrides, ', '),
    })),
    ...ignored.map((row) => ({
      ...row,
      value: `(ignored: ${row.value})`,
      overridden: 'not allowed in a project',
    })),
  ]
  const columns: readonly Column<(typeof settings)[number]>[] = [
    ['KEY', ({ key }) => printable(key)],
    ['VALUE', ({ value }) => printable(value ?? ''), { shrink: 24 }],
    ['FROM', ({ origin }) => origin],
    ['WHERE', (row) => whereOf(row, home), { shrink: 16, drop: 3 }],
    ['OVERRIDES', ({ overridden }) => printable(overridden), { shrink: 12, drop: 4 }],
  ]
  if (!style.tty) return tabRows(settings, columns)
  const used = columns.filter(([, cell]) => settings.some((row, i) => cell(row, i) !== ''))
  return table(settings, style, used).join('\n')
}

/** The variable, or the file and line. */
export const whereOf = (
  row: Pick<ConfigRow, 'file' | 'line' | 'env'>,
  home: string | undefined,
): string => {
  if (row.env !== null) return row.env
  return row.file === null ? '' : `${shownPath(row.file, home)}:${row.line ?? ''}`
}
