import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { networkNames } from '../../config/network.js'
import { nameOfKey } from '../../config/schema.js'
import { keysFolder } from '../../wallet/store/folder.js'
import type { Command, Flag, Surroundings, ValueKind } from '../command.js'
import { choices, commandPath, flagsOf, namedCommands, shownCommands } from '../command-tree.js'
import { commonFlags } from '../common-flags.js'
import { topicNames } from '../help/topics.js'
import { stateFolder } from '../quotes/quote-store.js'
import { type Candidate, keptNames } from './cache.js'
import { type Line, readLine, spellings } from './read-line.js'

/** What a shell offers: continuations of the typed word, or files. */
export type Offer = 'files' | readonly Candidate[]

/** Candidates known without a query. */
export type Known = {
  readonly surroundings: Surroundings
  readonly commands: readonly Command[]
  /** The configured network, unless the line names another. */
  readonly network: string
  readonly aliases: readonly string[]
  /** Names of the address book. */
  readonly book: readonly string[]
  readonly faults: readonly Candidate[]
  readonly schemas: readonly string[]
}

/** Quotes that are offered: the newest. */
const QUOTES = 20

/** Candidates for the last word. Reads caches and file names only. */
export function offer(words: readonly string[], known: Known): Offer {
  const line = readLine(words, known.commands, commonFlags)
  const sign = line.current === '=' ? '' : line.current
  const kinds = kindsAt(line, known)
  const offered = kinds
    .flatMap((kind) => candidatesOf(kind, line, known))
    .filter(([word]) => word.startsWith(sign))
    .map(([word, meaning]) => [line.prefix + word, meaning] as const)
  // Known names come before file names.
  return offered.length === 0 && kinds.includes('file') ? 'files' : offered
}

function kindsAt(line: Line, { commands }: Known): readonly ValueKind[] {
  const { flag, word, command, args, current, literal } = line
  if (flag !== undefined) return flagValue(flag, [...flagsOf(command), ...commonFlags])
  if (!literal && current.startsWith('-')) return [flagChoices(command)]
  if (word === undefined) return [[...namesOf(commands), ['help', 'help on a command or a topic']]]
  if (command === undefined) return word === 'help' ? topicsAt(args, commands) : []
  const inner = args.length === 0 ? [namesOf(shownCommands(command))] : []
  return [...inner, ...(argumentAt(command, args.length)?.values ?? [])]
}

const namesOf = (commands: readonly Command[]): readonly Candidate[] =>
  commands.map(({ name, summary }) => [name, summary] as const)

/** `help` takes a topic, or a command and then one of its own. */
function topicsAt(args: readonly string[], commands: readonly Command[]): readonly ValueKind[] {
  if (args.length === 0) return ['topic']
  return [namesOf(shownCommands(commandPath(args, commands)?.at(-1)))]
}

/** The argument at a position; a variadic one extends to the end. */
function argumentAt({ arguments: declared = [] }: Command, at: number) {
  const last = declared.at(-1)
  return declared[at] ?? (last?.form.includes('...') ? last : undefined)
}

/** What the value of a flag can be. */
function flagValue(flag: string, flags: readonly Flag[]): readonly ValueKind[] {
  const { value } =
    flags.find((each) => spellings(each).some(([spelled]) => spelled === flag)) ?? {}
  return value === undefined ? [] : [value]
}

/** What a setting can be set to: what its flag takes. */
function valuesOfSetting(key: string, commands: readonly Command[]): readonly ValueKind[] {
  if (key.startsWith('alias.')) return ['token']
  const name = nameOfKey.get(key)
  if (name === undefined) return []
  if (name === 'ascii') return [choices('yes', 'no')]
  const every = namedCommands(commands).flatMap(([, command]) => flagsOf(command))
  return flagValue(`--${key.replaceAll(/[_.]/g, '-')}`, [...commonFlags, ...every])
}

const flagChoices = (command: Command | undefined): readonly Candidate[] =>
  [
    ...flagsOf(command),
    ...commonFlags,
    { flags: '--help', meaning: 'examples, flags and exit codes' },
  ].flatMap((flag) =>
    spellings(flag)
      .filter(([spelled]) => spelled.startsWith('--'))
      .map(([spelled]) => [spelled, flag.meaning] as const),
  )

function candidatesOf(kind: ValueKind, line: Line, known: Known): readonly Candidate[] {
  if (typeof kind !== 'string') return kind
  const { surroundings, commands } = known
  const network = line.given.get('--network') ?? line.given.get('-n') ?? known.network
  const plain = (list: readonly string[]) => list.map((each) => [each, ''] as const)
  switch (kind) {
    case 'token':
      return tokensOf(line, known, network)
    case 'pair':
      return keptNames(surroundings, network).pairs
    case 'quote':
      return quotesIn(surroundings)
    case 'key':
      return keysIn(surroundings)
    case 'account':
      return [
        ...keysIn(surroundings),
        ...(network === 'demo' ? [['demo', 'the key of the demo chain'] as const] : []),
        ...known.book.map((name) => [name, 'of the address book'] as const),
      ]
    case 'network':
      return plain(networkNames())
    case 'setting':
      return plain([
        ...nameOfKey.keys(),
        ...known.aliases.map((alias) => `alias.${alias}`),
        ...known.book.map((name) => `book.${name}`),
      ])
    case 'setting-value':
      return valuesOfSetting(line.args[0] ?? '', commands).flatMap((each) =>
        candidatesOf(each, line, known),
      )
    case 'topic':
      return [...namesOf(commands), ...plain(topicNames)]
    case 'schema':
      return plain(known.schemas)
    case 'fault':
      return known.faults
    default:
      return []
  }
}

/** Tokens of the market that was read last, else the built-in short names; not the one that is given up. */
function tokensOf(line: Line, known: Known, network: string): readonly Candidate[] {
  const { tokens } = keptNames(known.surroundings, network)
  const names = tokens.length > 0 ? tokens : known.aliases.map((alias) => [alias, ''] as const)
  const taken = new Set(line.args.map((word) => word.toLowerCase()))
  return names.filter(([word]) => !taken.has(word))
}

function quotesIn(surroundings: Surroundings): readonly Candidate[] {
  const state = stateFolder(surroundings)
  if (state === undefined) return []
  const folder = join(state, 'quotes')
  return filesIn(folder, /^q_[0-9a-f]{8}\.json$/)
    .map((name) => ({ name, made: madeAt(join(folder, name)) }))
    .sort((a, b) => b.made - a.made)
    .slice(0, QUOTES)
    .map(({ name, made }) => [name.replace('.json', ''), `made ${new Date(made).toISOString()}`])
}

const keysIn = ({ env, home }: Surroundings): readonly Candidate[] =>
  filesIn(keysFolder(env, home) ?? '', /^[^.].*\.json$/).map((name) => [
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

function madeAt(path: string): number {
  try {
    return statSync(path).mtimeMs
  } catch {
    return 0
  }
}
