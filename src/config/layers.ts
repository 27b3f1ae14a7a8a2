import { readlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { SwapError } from '../engine/errors.js'
import { didYouMean, foldCase, suggest } from '../operations/suggest.js'
import { attempt } from '../platform/attempt.js'
import { quote } from '../render/width.js'
import { type ConfigFile, entriesOf, type FileEntry, invalidFile, readConfigText } from './file.js'
import {
  builtInAliases,
  envOf,
  flagOf,
  isAddressShaped,
  isAliasName,
  isBookName,
  keyOf,
  NAME_RULES,
} from './naming.js'
import { nameOfKey, type SettingName, settingNames, settingOf, settings } from './schema.js'

/** The origin of a value; later ones override earlier ones. */
export type Origin = 'default' | 'user' | 'project' | 'env' | 'flag'

/** The place of a value. `line` counts from 1; `env` is the name of the variable. */
export type ValueOrigin = {
  readonly origin: Origin
  readonly file: string | null
  readonly line: number | null
  readonly env: string | null
}

/**
 * One value of one layer. `key` is e.g. `slippage`, `alias.usd`, `book.alice` or `networks.mine`; only settings have a
 * `name`.
 */
export type Entry = ValueOrigin & {
  readonly key: string
  readonly name: SettingName | undefined
  /** As written, without secrets. */
  readonly text: string
  /** The parsed value: the text itself of aliases and address book entries, plain data of networks. */
  readonly value: unknown
  /** The folder to which relative paths refer. */
  readonly folder: string
}

/** The place of a value, its name there, and the folder to which relative paths refer. */
type Spot = { readonly place: ValueOrigin; readonly label: string; readonly folder: string }

/** The entries of one layer, and notes about them. */
export type Layer = { readonly entries: readonly Entry[]; readonly notes: readonly string[] }

/** Concatenates layers. */
export const mergeLayers = (layers: readonly Layer[]): Layer => ({
  entries: layers.flatMap(({ entries }) => entries),
  notes: layers.flatMap(({ notes }) => notes),
})

/** The file of a layer and its owner. */
export type LayerFile = ConfigFile & { readonly origin: 'user' | 'project' }

const noPlace = { file: null, line: null, env: null } as const
/** The place of what is built in. */
export const builtIn: ValueOrigin = { origin: 'default', ...noPlace }

/** The default values. */
export const defaultLayer = (folder: string): Layer => ({
  entries: [
    ...settingNames.flatMap((name) =>
      settingEntries(name, settings[name].fallback, { place: builtIn, label: keyOf(name), folder }),
    ),
    ...[...builtInAliases].map(([alias, denom]) =>
      namedEntry('alias', alias, denom, { place: builtIn, label: alias, folder }),
    ),
  ],
  notes: [],
})

/** The values of flags, by the setting's name. */
export function flagLayer(flags: SettingTexts, folder: string): Layer {
  const place: ValueOrigin = { ...noPlace, origin: 'flag' }
  const entries = settingNames.flatMap((name) =>
    settingEntries(name, flags[name], { place, label: flagOf(name), folder }),
  )
  return { entries, notes: [] }
}

export type SettingTexts = { readonly [Name in SettingName]?: string | undefined }

/** Variables of the process. */
export type Env = Readonly<Record<string, string | undefined>>

/** The values of `SWAP_` variables; empty ones are ignored. */
export function envLayer(env: Env, cwd: string): Layer {
  const entries = settingNames.flatMap((name) => {
    const label = envOf(name)
    const place: ValueOrigin = { ...noPlace, origin: 'env', env: label }
    const read = () => settingEntries(name, env[label] || null, { place, label, folder: cwd })
    return withPlace('the environment', read)
  })
  return { entries, notes: unknownVariables(env) }
}

/** Reports misspelled names only: other `SWAP_` variables may belong to other parts of the program. */
function unknownVariables(env: Env): readonly string[] {
  const names = [...settingNames.map(envOf), 'SWAP_CONFIG'].map((label) => label.slice(5))
  return Object.keys(env)
    .filter((label) => label.startsWith('SWAP_') && env[label] && !names.includes(label.slice(5)))
    .flatMap((label) => {
      const [nearest] = suggest(label.slice(5), names)
      return nearest === undefined ? [] : [`${label} is not read; did you mean SWAP_${nearest}?`]
    })
}

/**
 * The values of a file. Unknown keys are noted; invalid values and keys that are set twice throw with the line.
 *
 * @param text that it is to have, by default the one that it has
 */
export async function fileLayer(file: LayerFile, text?: string): Promise<Layer> {
  const found = text ?? (await readConfigText(file))
  const link = found === undefined ? attempt(() => readlinkSync(file.path)) : undefined
  if (link !== undefined) throw invalidFile(file, `it is a link to ${link}, which does not exist`)
  const read = await entriesOf(file, found)
  const layer = mergeLayers(read.map((entry) => readEntry(entry, file)))
  const known = new Set<string>()
  for (const { key, line } of layer.entries) {
    // YAML takes `usd` and `USD`, or `router.address` and a member of `router`, for two keys.
    if (known.has(key)) throw invalidFile(file, `it sets ${key} twice`, line ?? undefined)
    known.add(key)
  }
  return layer
}

const placeIn = ({ origin, path }: LayerFile, line: number): ValueOrigin => ({
  origin,
  file: path,
  line,
  env: null,
})

const spotIn = (file: LayerFile, { line, key }: FileEntry): Spot => ({
  place: placeIn(file, line),
  label: key,
  folder: dirname(file.path),
})

function readEntry(entry: FileEntry, file: LayerFile): Layer {
  const { key, line, text, inner, list } = entry
  if (isNamed(key)) return readNames(key, entry, file)
  if (key === 'networks') return readNetworks(entry, file)
  if (GROUPS.includes(key)) return readGroup(entry, file)
  for (const group of ['alias', 'book'] as const)
    if (key.startsWith(`${group}.`))
      return readNames(
        group,
        { ...entry, inner: [{ ...entry, key: key.slice(group.length + 1) }] },
        file,
      )
  const name = nameOfKey.get(key)
  if (name === undefined) return { entries: [], notes: [unknownKey(key, line, file)] }
  const value = settingOf(name).many && list !== undefined ? list.join(' ') : text
  if (value === undefined || inner !== undefined)
    throw invalidFile(file, `${key} takes one value, not a list or group`, line)
  const read = () => settingEntries(name, value, spotIn(file, entry))
  return { entries: withPlace(`${file.shown}:${line}`, read), notes: [] }
}

/** Keys that are groups of settings. */
const GROUPS = ['router', 'history', 'limits']

/** A group of settings: `router: { address: ... }` is `router.address: ...`. */
function readGroup({ key, text, inner, line }: FileEntry, file: LayerFile): Layer {
  if (inner === undefined && text !== null) {
    const members = [...nameOfKey.keys()].filter((name) => name.startsWith(`${key}.`))
    const names = members.map((name) => name.slice(key.length + 1)).join(', ')
    throw invalidFile(file, `${key} takes a group of settings: ${names}`, line)
  }
  return mergeLayers(
    (inner ?? []).map((entry) => readEntry({ ...entry, key: `${key}.${entry.key}` }, file)),
  )
}

/** Networks are kept as plain data until the configuration is complete. */
function readNetworks({ text, inner, line }: FileEntry, file: LayerFile): Layer {
  if (inner === undefined && text !== null)
    throw invalidFile(file, 'networks takes a group of networks by their names', line)
  const entries = (inner ?? []).map((entry) => ({
    ...placeIn(file, entry.line),
    key: `networks.${entry.key}`,
    name: undefined,
    text: entry.text ?? 'as the file has it',
    value: entry.plain(),
    folder: dirname(file.path),
  }))
  return { entries, notes: [] }
}

/** The two groups whose members the user names. */
const NAMED = {
  alias: {
    noun: 'alias',
    example: 'usd: usdc',
    isName: isAliasName,
    isTarget: (text: string) => /^[\x21-\x7e]{0,128}$/.test(text),
    target: 'one token',
  },
  book: {
    noun: 'entry',
    example: 'alice: thor1...',
    isName: isBookName,
    isTarget: isAddressShaped,
    target: 'one address',
  },
} as const

export const isNamed = (group: string): group is keyof typeof NAMED => Object.hasOwn(NAMED, group)

function readNames(
  group: keyof typeof NAMED,
  { text, inner, line }: FileEntry,
  file: LayerFile,
): Layer {
  const { noun, example, isName, isTarget, target: targetNoun } = NAMED[group]
  if (inner === undefined && text !== null)
    throw invalidFile(file, `${group} takes a group of names: "${example}"`, line)
  const entries = (inner ?? []).map((entry) => {
    if (!isName(entry.key))
      throw invalidFile(
        file,
        `${quote(entry.key)} cannot be the name of an ${noun}: ${NAME_RULES[group]}`,
        entry.line,
      )
    const target = entry.text ?? (entry.text === null ? '' : ' ')
    if (!isTarget(target))
      throw invalidFile(file, `the ${noun} ${entry.key} is defined for ${targetNoun}`, entry.line)
    return namedEntry(group, foldCase(entry.key), target, spotIn(file, entry))
  })
  return { entries, notes: [] }
}

const namedEntry = (
  group: keyof typeof NAMED,
  name: string,
  target: string,
  { place, folder }: Spot,
): Entry => ({
  ...place,
  key: `${group}.${name}`,
  name: undefined,
  text: target,
  value: target,
  folder,
})

/** The entry of one setting; empty if it is not set. */
function settingEntries(
  name: SettingName,
  text: string | null | undefined,
  spot: Spot,
): readonly Entry[] {
  if (text === null || text === undefined) return []
  const { place, label, folder } = spot
  const row = settingOf(name)
  const value = row.read(text, { label, folder })
  return [{ ...place, key: keyOf(name), name, text: row.show?.(value) ?? text, value, folder }]
}

/** Puts the place of an invalid value in front of the error's message; not used for flags. */
function withPlace<T>(place: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof SwapError)) throw error
    const { message, why, hint, members } = error
    throw new SwapError('INVALID_REQUEST', `${place}: ${message}`, {
      ...(why === undefined ? {} : { why }),
      ...(hint === undefined ? {} : { hint }),
      members,
    })
  }
}

function unknownKey(key: string, line: number, file: ConfigFile): string {
  const suggestion = didYouMean(key, [...nameOfKey.keys(), 'alias', 'book', 'networks'])
  return `${file.shown}:${line}: no setting is called ${quote(key)}${suggestion ? `; ${suggestion}` : ''}`
}
