import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig } from '../../config/load.js'
import { networkNames } from '../../config/network.js'
import { nameOfKey, settingWords } from '../../config/schema.js'
import { isPlainWord } from '../../platform/shell-word.js'
import { keysFolder, stateFolder } from '../../platform/user-folders.js'
import { formatTime } from '../../render/layout.js'
import {
  type Choice,
  type Command,
  choices,
  commandPath,
  type Flag,
  flag,
  flagsOf,
  namedCommands,
  type Surroundings,
  shownCommands,
  type ValueKind,
} from '../command.js'
import { commonFlags } from '../common-flags.js'
import { topicNames } from '../help/topics.js'
import type { Output } from '../output.js'
import { storedQuotes } from '../quotes/quote-store.js'
import { keptNames } from './cache.js'

/** What a shell offers: continuations of the typed word, or files. */
type Offer = 'files' | readonly Choice[]

/** Candidates known without a query. */
export type LocalCandidates = {
  readonly surroundings: Surroundings
  readonly commands: readonly Command[]
  /** The configured network, unless the line has another one. */
  readonly network: string
  readonly aliases: readonly string[]
  /** Names of the address book. */
  readonly book: readonly string[]
  readonly faults: readonly Choice[]
  readonly schemas: readonly string[]
}

/** Number of newest quotes, and of executions, to offer. */
const NEWEST = 20
const STAMP = /^(.{4})(..)(..)T(..)(..)(..).*/

/** Candidates for the last word. Reads caches and file names only. */
export function offer(words: readonly string[], known: LocalCandidates): Offer {
  const line = readLine(words, known.commands, commonFlags)
  const sign = line.current === '=' ? '' : line.current
  const kinds = kindsAt(line, known)
  const offered = kinds
    .flatMap((kind) => candidatesOf(kind, line, known))
    // Shells put a candidate on the line as it is, and would run a command in it.
    .filter(([word]) => word.startsWith(sign) && isPlainWord(word))
    .map(([word, meaning]) => [line.prefix + word, meaning] as const)
  // Known names come before file names.
  return offered.length === 0 && kinds.includes('file') ? 'files' : offered
}

function kindsAt(line: Line, { commands }: LocalCandidates): readonly ValueKind[] {
  const { flag, word, command, args, current, literal } = line
  if (flag !== undefined) return flagValue(flag, [...flagsOf(command), ...commonFlags])
  if (!literal && current.startsWith('-')) return [flagChoices(command)]
  if (word === undefined)
    return [[...namesOf(commands), ['help', 'Show help on a command or a topic']]]
  if (command === undefined) return word === 'help' ? topicsAt(args, commands) : []
  const inner = args.length === 0 ? [namesOf(shownCommands(command))] : []
  return [...inner, ...(argumentAt(command, args.length)?.values ?? [])]
}

const namesOf = (commands: readonly Command[]): readonly Choice[] =>
  commands.map(({ name, summary }) => [name, summary] as const)

/** `help` takes a topic, or a command and its sub-command. */
function topicsAt(args: readonly string[], commands: readonly Command[]): readonly ValueKind[] {
  if (args.length === 0) return ['topic']
  return [namesOf(shownCommands(commandPath(args, commands)?.at(-1)))]
}

/** The argument at a position; a variadic one extends to the end. */
function argumentAt({ arguments: declared = [] }: Command, at: number) {
  const last = declared.at(-1)
  return declared[at] ?? (last?.form.includes('...') ? last : undefined)
}

/** Candidates for a flag's value. */
function flagValue(flag: string, flags: readonly Flag[]): readonly ValueKind[] {
  const { value } =
    flags.find((each) => spellings(each).some(([spelled]) => spelled === flag)) ?? {}
  return value === undefined ? [] : [value]
}

/** Candidates for a setting's value: those of its flag. */
function valuesOfSetting(key: string, commands: readonly Command[]): readonly ValueKind[] {
  if (key.startsWith('alias.')) return ['token']
  const name = nameOfKey.get(key)
  if (name === undefined) return []
  if (name in settingWords) return [choices(...settingWords[name as keyof typeof settingWords])]
  const every = namedCommands(commands).flatMap(([, command]) => flagsOf(command))
  return flagValue(`--${key.replaceAll(/[_.]/g, '-')}`, [...commonFlags, ...every])
}

const flagChoices = (command: Command | undefined): readonly Choice[] =>
  [...flagsOf(command), ...commonFlags, flag('--help', 'examples, flags and exit codes')].flatMap(
    (flag) =>
      spellings(flag)
        .filter(([spelled]) => spelled.startsWith('--'))
        .map(([spelled]) => [spelled, flag.meaning] as const),
  )

function candidatesOf(kind: ValueKind, line: Line, known: LocalCandidates): readonly Choice[] {
  if (typeof kind !== 'string') return kind
  const network = line.given.get('--network') ?? line.given.get('-n') ?? known.network
  return sources[kind]?.(known, network, line) ?? []
}

const plain = (list: readonly string[]): readonly Choice[] =>
  list.map((each) => [each, ''] as const)

type Source = (known: LocalCandidates, network: string, line: Line) => readonly Choice[]

/** Where the candidates of a kind are from. Files are completed by the shell. */
const sources: { readonly [Kind in Extract<ValueKind, string>]?: Source } = {
  token: (known, network, line) => tokensOf(line, known, network),
  pair: ({ surroundings }, network) => keptNames(surroundings, network).pairs,
  quote: ({ surroundings }) =>
    storedQuotes(surroundings)
      .slice(0, NEWEST)
      .map(({ id, made }) => [id, `made ${formatTime(new Date(made).toISOString())}`]),
  // The names of the journal's files have the time and the id.
  execution: ({ surroundings }) =>
    filesIn(join(stateFolder(surroundings) ?? '', 'journal'), /^\d{8}T\d{9}\.x_[0-9a-f]{8}\./)
      .toSorted((a, b) => (a < b ? 1 : -1))
      .slice(0, NEWEST)
      .map((name) => [name.slice(19, 29), name.replace(STAMP, 'signed $1-$2-$3 $4:$5:$6 UTC')]),
  key: ({ surroundings }) => keysIn(surroundings),
  account: ({ surroundings, book }, network) => [
    ...keysIn(surroundings),
    ...(network === 'demo' ? [['demo', 'the key of the demo chain'] as const] : []),
    ...book.map((name) => [name, 'of the address book'] as const),
  ],
  network: () => plain(networkNames()),
  setting: ({ aliases, book }) =>
    plain([
      ...nameOfKey.keys(),
      ...aliases.map((alias) => `alias.${alias}`),
      ...book.map((name) => `book.${name}`),
    ]),
  'setting-value': (known, _, line) =>
    valuesOfSetting(line.args[0] ?? '', known.commands).flatMap((each) =>
      candidatesOf(each, line, known),
    ),
  topic: ({ commands }) => [...namesOf(commands), ...plain(topicNames)],
  schema: ({ schemas }) => plain(schemas),
  fault: ({ faults }) => faults,
}

/** Tokens of the last market that was read, else the built-in aliases; without the token already given. */
function tokensOf(line: Line, known: LocalCandidates, network: string): readonly Choice[] {
  const { tokens } = keptNames(known.surroundings, network)
  const names = tokens.length > 0 ? tokens : known.aliases.map((alias) => [alias, ''] as const)
  const taken = new Set(line.args.map((word) => word.toLowerCase()))
  return names.filter(([word]) => !taken.has(word))
}

const keysIn = (surroundings: Surroundings): readonly Choice[] =>
  filesIn(keysFolder(surroundings) ?? '', /^[^.].*\.json$/).map((name) => [
    name.replace(/\.json$/, ''),
    'a key of yours',
  ])

function filesIn(folder: string, like: RegExp): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => like.test(name))
  } catch {
    return []
  }
}

/** A partial command line: its words so far, and the word to complete. */
type Line = {
  /** The innermost command named so far. */
  readonly command: Command | undefined
  /** The first word, even if it is not a command, e.g. `help`. */
  readonly word: string | undefined
  /** Arguments of the command before the current word, without flags and their values. */
  readonly args: readonly string[]
  /** Values of the flags before it, by the flag as typed. */
  readonly given: ReadonlyMap<string, string>
  /** The flag whose value is being typed. */
  readonly flag: string | undefined
  /** The word being typed; for `--flag=val` the part after the sign. */
  readonly current: string
  /** The part of the same word before `current`: `--flag=`. */
  readonly prefix: string
  /** After `--` nothing is a flag. */
  readonly literal: boolean
}

/** Flags as typed, and whether a value follows. */
const spellings = ({ flags }: Flag): readonly (readonly [string, boolean])[] => {
  const takes = flags.includes('<')
  return (flags.match(/(?<![\w-])--?[a-z][a-z-]*/g) ?? []).map((each) => [each, takes] as const)
}

/** Parses a partial line. `words` begin after the program's name; the last one is being typed. */
function readLine(
  words: readonly string[],
  commands: readonly Command[],
  common: readonly Flag[],
): Line {
  const joined = withSigns(words)
  const before = joined.slice(0, -1)
  const last = joined.at(-1) ?? ''
  let command: Command | undefined
  let word: string | undefined
  let pending: string | undefined
  let literal = false
  const args: string[] = []
  const given = new Map<string, string>()
  const takes = (flag: string) =>
    [...common, ...flagsOf(command)]
      .flatMap(spellings)
      .some(([spelled, value]) => spelled === flag && value)
  for (const each of before) {
    if (pending !== undefined) {
      given.set(pending, each)
      pending = undefined
    } else if (!literal && each === '--') literal = true
    else if (!literal && each.startsWith('-') && each !== '-') {
      const [flag = '', value] = halves(each)
      if (value !== undefined) given.set(flag, value)
      else if (takes(flag)) pending = flag
    } else if (word === undefined) {
      word = each
      command = commands.find(({ name }) => name === each)
    } else {
      const inner =
        args.length === 0 ? command?.commands?.find(({ name }) => name === each) : undefined
      if (inner === undefined) args.push(each)
      else command = inner
    }
  }
  const line = { command, word, args, given, literal }
  if (pending !== undefined) return { ...line, flag: pending, current: last, prefix: '' }
  const [flag = '', value] = literal || !last.startsWith('--') ? [] : halves(last)
  if (value === undefined) return { ...line, flag: undefined, current: last, prefix: '' }
  return { ...line, flag, current: value, prefix: `${flag}=` }
}

const halves = (word: string): readonly [string, string?] => {
  const at = word.indexOf('=')
  return at < 0 ? [word] : [word.slice(0, at), word.slice(at + 1)]
}

/** Bash passes `--flag = value` as three words; then only the value is completed. */
function withSigns(words: readonly string[]): readonly string[] {
  return words.filter((word, i) => {
    const isSign = word === '=' && words[i - 1]?.startsWith('--')
    return !isSign || i === words.length - 1
  })
}

/** Candidates, loaded on demand. */
type LoadedValues = {
  readonly faults: () => Promise<readonly Choice[]>
  readonly schemas: () => Promise<readonly string[]>
}

/**
 * Answers a shell: one candidate a line with its description after a tab, or `:files`. Errors produce no
 * candidates and no output.
 */
export async function answerShell(
  argv: readonly string[],
  surroundings: Surroundings,
  commands: readonly Command[],
  load: LoadedValues,
  out: Output,
): Promise<void> {
  const at = argv.indexOf('--')
  // Shells that cannot pass an empty word use a flag instead.
  const words = [...argv.slice(at + 1), ...(argv.slice(0, at).includes('--next') ? [''] : [])]
  const { env, cwd, home } = surroundings
  const configured = await loadConfig({ env, cwd, home, flags: {} }).catch(() => undefined)
  const offered = offer(words, {
    surroundings,
    commands,
    network: configured?.network.name ?? 'demo',
    aliases: [...(configured?.aliases.keys() ?? [])],
    book: [...(configured?.book.keys() ?? [])],
    faults: words.includes('fail') ? await load.faults() : [],
    schemas: words.includes('schema') ? await load.schemas() : [],
  })
  if (offered === 'files') return out.result(':files')
  return out.result(offered.map(([word, meaning]) => `${word}\t${meaning}`).join('\n'))
}
