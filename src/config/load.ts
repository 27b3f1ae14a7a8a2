import { realpathSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import type { Network } from '../chain/networks/network.js'
import type { SwapError } from '../engine/errors.js'
import { attempt } from '../platform/attempt.js'
import { printable } from '../platform/printable.js'
import {
  builtIn,
  defaultLayer,
  type Entry,
  type Env,
  envLayer,
  fileLayer,
  flagLayer,
  type LayerFile,
  mergeLayers,
  type SettingTexts,
  type ValueOrigin,
} from './layers.js'
import { builtInAliases, keyOf } from './naming.js'
import { isSameNetwork, networkOf } from './network.js'
import { isYoursAlone, settingNames, settingOf, type Values } from './schema.js'
import { changeableBecause, overrideNote, type ProjectOverride } from './trust.js'

export type ConfigSources = {
  readonly env: Env
  readonly cwd: string
  /** The user's home folder; without one there is no user file. */
  readonly home: string | undefined
  /** `--config FILE` or `SWAP_CONFIG`, which replaces both files; `null` for no file. */
  readonly configFile?: string | null | undefined
  /** The texts of flags, by the setting's name: `{ maxHops: '2' }`. */
  readonly flags: SettingTexts
}

/** One line of `swap config list`: the effective text, its place, and the values that it overrides. */
export type ConfigRow = ValueOrigin & {
  readonly key: string
  /** The original text; `null` if the setting is not set and has no default. */
  readonly value: string | null
  /** What it overrode, nearest first. */
  readonly overrides: readonly (ValueOrigin & { readonly value: string })[]
}

/** A line of a project's file that only the user's own configuration may set. */
type IgnoredRow = ValueOrigin & { readonly key: string; readonly value: string }

/** The configuration of one run, with the origin of its values. */
export type Config = {
  readonly values: Values
  /** The selected network, with the configured nodes and router. */
  readonly network: Network
  /** Why networks of the configuration that are not selected cannot be used. */
  readonly invalidNetworks: readonly SwapError[]
  /** Tokens by alias in lower case, including built-in aliases; `''` for a removed one. */
  readonly aliases: ReadonlyMap<string, string>
  /** The address book: addresses of any network, by name in lower case. */
  readonly book: ReadonlyMap<string, string>
  readonly rows: readonly ConfigRow[]
  readonly ignored: readonly IgnoredRow[]
  /** Aliases, a market and fewer hops that a project's file sets. If there are any, signing is refused. */
  readonly projectOverrides: readonly ProjectOverride[]
  /** For stderr: unknown keys with a suggestion, ignored lines, files that others can change. */
  readonly notes: readonly string[]
}

/**
 * Precedence: flags, `SWAP_` variables, the project's `./.swaprc`, the user's `~/.swaprc`, defaults.
 *
 * @throws SwapError INVALID_REQUEST for an invalid file or value, also for a value that is overridden, and for the
 * selected network only
 */
export async function loadConfig(sources: ConfigSources): Promise<Config> {
  const { env, cwd, flags } = sources
  const paths = configFiles(sources)
  const files = await Promise.all(paths.map((file) => fileLayer(file)))
  const layers = [defaultLayer(cwd), ...files, envLayer(env, cwd), flagLayer(flags, cwd)]
  const merged = mergeLayers(layers)
  const { entries, strange } = withoutForeignNetworks(merged.entries)
  const keys = [...settingNames.map(keyOf), ...entries.map(({ key }) => key)]
  const byKey = new Map<string, Entry[]>(keys.map((key) => [key, []]))
  for (const entry of entries) byKey.get(entry.key)?.push(entry)
  const settings = [...byKey].map(([key, those]) => effectiveSetting(key, those))
  const ignored = settings.flatMap((setting) => setting.ignored)
  const at = ({ file, line }: ValueOrigin) => `${shownPath(file ?? '', sources.home)}:${line}`
  const notes = [
    ...ignored.map((entry) => {
      const isOfValue = entry.name !== undefined && !isYoursAlone(entry.name)
      const may = isOfValue ? 'may set to that' : 'may'
      return `${at(entry)} sets ${entry.key}, which only your own configuration ${may}; ignored`
    }),
    ...strange.map((entry) => `${at(entry)} sets ${entry.key} for another network; not used`),
  ]
  const projectOverrides = settings.flatMap(overrideOf)
  const override = overrideNote(projectOverrides, (path) => shownPath(path, sources.home))
  const effective = settings.flatMap(({ kept }) => kept.slice(-1))
  const values = valuesOf(effective)
  const { network, invalid } = await networkOf(
    values,
    effective.filter(isNetwork).map((entry) => ({ ...entry, at: at(entry) })),
  )
  return {
    values,
    network,
    invalidNetworks: invalid.map(({ error }) => error),
    aliases: namesIn('alias', effective),
    book: namesIn('book', effective),
    rows: settings.map(rowOf),
    ignored: ignored.map((entry) => ({ ...placeOf(entry), key: entry.key, value: entry.text })),
    projectOverrides,
    notes: [
      ...changeableNotes(paths),
      ...merged.notes,
      ...notes,
      ...invalid.map(({ at, error }) => `${at}: ${error.message}: ${error.why}`),
      ...(override === undefined ? [] : [override]),
    ],
  }
}

/** One line for each of the user's files that others can change. */
function changeableNotes(files: readonly LayerFile[]): readonly string[] {
  const userFiles = files.filter(({ origin }) => origin === 'user')
  return userFiles.flatMap(({ path, shown }) => {
    const why = changeableBecause(path)
    return why === undefined
      ? []
      : [`others can change ${shown}: ${why}; they could name nodes and tokens of theirs`]
  })
}

/** A path under the home folder as `~/...`, for messages; escaped. */
export const shownPath = (path: string, home: string | undefined): string =>
  printable(
    home && path.startsWith(join(home, '/')) ? join('~', path.slice(join(home, '/').length)) : path,
  )

/** The files to read, lowest precedence first; they need not exist. */
export function configFiles({ env, cwd, home, configFile }: ConfigSources): readonly LayerFile[] {
  if (configFile === null) return []
  const requested = configFile ?? (env['SWAP_CONFIG'] || undefined)
  if (requested !== undefined)
    return [{ path: resolve(cwd, requested), shown: requested, isAsked: true, origin: 'user' }]
  const fileIn = (folder: string, origin: LayerFile['origin']): LayerFile => {
    const path = join(folder, '.swaprc')
    return { path, shown: shownPath(path, home), isAsked: false, origin }
  }
  const user = home && isAbsolute(home) ? [fileIn(home, 'user')] : []
  // In the home folder the project's file and the user's file are the same.
  const isHome = home ? realFolder(home) === realFolder(cwd) : false
  return isHome ? user : [...user, fileIn(cwd, 'project')]
}

const realFolder = (folder: string): string => attempt(() => realpathSync.native(folder)) ?? folder

/** Whether an entry defines a network. */
const isNetwork = ({ key }: Entry): boolean => key.startsWith('networks.')

/** Settings that belong to one network. */
const ofNetwork: ReadonlySet<string> = new Set([
  'rpc',
  'rest',
  'router.address',
  'router.dialect',
  'database',
  'history.from_height',
])

/**
 * Removes the nodes and the router of a file that names another network than the selected one: they belong to that
 * network.
 */
function withoutForeignNetworks(entries: readonly Entry[]) {
  const networkEntries = entries.filter(({ name }) => name === 'network')
  const networkName = String(networkEntries.at(-1)?.value)
  const isStrange = ({ key, file }: Entry): boolean =>
    ofNetwork.has(key) &&
    file !== null &&
    networkEntries.some(
      (entry) => entry.file === file && !isSameNetwork(String(entry.value), networkName),
    )
  return {
    entries: entries.filter((entry) => !isStrange(entry)),
    strange: entries.filter(isStrange),
  }
}

type EffectiveSetting = {
  readonly key: string
  /** Lowest precedence first; the last one is effective. */
  readonly kept: readonly Entry[]
  readonly ignored: readonly Entry[]
}

/** Decides which entries of one key apply, given lowest precedence first. */
function effectiveSetting(key: string, entries: readonly Entry[]): EffectiveSetting {
  const kept: Entry[] = []
  const ignored: Entry[] = []
  for (const entry of entries) (isAllowed(entry, kept.at(-1)) ? kept : ignored).push(entry)
  return { key, kept, ignored }
}

function isAllowed(entry: Entry, below: Entry | undefined): boolean {
  if (entry.origin !== 'project') return true
  if (isNetwork(entry)) return false
  // A project could redirect payments to its own address.
  if (entry.key.startsWith('book.')) return false
  // A project that renames usdc could sell one token for another.
  if (entry.name === undefined) return !builtInAliases.has(entry.key.slice('alias.'.length))
  return settingOf(entry.name).projectMay(entry.value, below?.value, entry.folder)
}

/** An alias, a snapshot or fewer hops that a project's file sets and the user's does not. */
function overrideOf({ key, kept }: EffectiveSetting): readonly ProjectOverride[] {
  const effective = kept.at(-1)
  if (effective?.origin !== 'project' || effective.file === null) return []
  // With fewer hops a swap can be worse than any guard of its own quote shows.
  const hasFewerHops = key === 'max_hops' && Number(effective.value) < Number(kept.at(-2)?.value)
  if (!hasFewerHops && key !== 'snapshot' && !key.startsWith('alias.')) return []
  const isAgreed = kept.some(({ origin, value }) => origin === 'user' && value === effective.value)
  return isAgreed ? [] : [{ key, file: effective.file, line: effective.line }]
}

const valuesOf = (effective: readonly Entry[]): Values => {
  const values = new Map(effective.map(({ key, value }) => [key, value]))
  // The types of the settings table are restored here only.
  return Object.fromEntries(settingNames.map((name) => [name, values.get(keyOf(name))])) as Values
}

const namesIn = (
  group: 'alias' | 'book',
  effective: readonly Entry[],
): ReadonlyMap<string, string> =>
  new Map(
    effective
      .filter(({ key }) => key.startsWith(`${group}.`))
      .map(({ key, text }) => [key.slice(group.length + 1), text]),
  )

const placeOf = ({ origin, file, line, env }: Entry): ValueOrigin => ({ origin, file, line, env })

function rowOf({ key, kept }: EffectiveSetting): ConfigRow {
  const [effective, ...overridden] = [...kept].reverse()
  return {
    key,
    value: effective?.text ?? null,
    ...(effective === undefined ? builtIn : placeOf(effective)),
    overrides: overridden.map((entry) => ({ ...placeOf(entry), value: entry.text })),
  }
}
