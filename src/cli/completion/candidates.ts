import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { networkNames } from '../../config/network.js'
import { nameOfKey } from '../../config/schema.js'
import { keysFolder } from '../../wallet/store/folder.js'
import type { Command, Surroundings } from '../command.js'
import { topicNames } from '../help/topics/index.js'
import { commonFlags } from '../program.js'
import { stateFolder } from '../quotes/quote-store.js'
import { type Candidate, keptNames } from './cache.js'
import { type Line, readLine, spellings } from './read-line.js'
import { type Kind, placesAfter, placesOf, valueOfFlag, valuesOfSetting } from './words.js'

/** What a shell offers: words that go on with what is typed, or files. */
export type Offer = 'files' | readonly Candidate[]

/** What is known without asking anybody. */
export type Known = {
  readonly surroundings: Surroundings
  readonly commands: readonly Command[]
  /** The network that holds unless the line names another. */
  readonly network: string
  readonly aliases: readonly string[]
  readonly faults: readonly Candidate[]
  readonly schemas: readonly string[]
}

/** Quotes that are offered: the newest. */
const QUOTES = 20

/** What may stand where the last word is being typed. Reads caches and names of files only. */
export function offer(words: readonly string[], known: Known): Offer {
  const line = readLine(words, known.commands, commonFlags)
  const sign = line.current === '=' ? '' : line.current
  const kinds = kindsAt(line, known)
  const offered = kinds
    .flatMap((kind) => candidatesOf(kind, line, known))
    .filter(([word]) => word.startsWith(sign))
    .map(([word, meaning]) => [line.prefix + word, meaning] as const)
  // Where both may stand, what is known goes before what lies about.
  return offered.length === 0 && kinds.includes('file') ? 'files' : offered
}

function kindsAt(line: Line, { commands }: Known): readonly Kind[] {
  const { flag, word, command, args, current, literal } = line
  if (flag !== undefined) return [valueOfFlag(flag)]
  if (!literal && current.startsWith('-')) return [flagsOf(command)]
  if (word === undefined)
    return [
      [
        ...commands.map(({ name, summary }) => [name, summary] as const),
        ['help', 'help on a command or a topic'],
      ],
    ]
  const after = args.length > 0 ? placesAfter.get(`${word} ${args[0]}`) : undefined
  const places = after ?? placesOf[word as keyof typeof placesOf] ?? [['nothing']]
  const at = after === undefined ? args.length : args.length - 1
  return places[Math.min(at, places.length - 1)] ?? []
}

const flagsOf = (command: Command | undefined): readonly Candidate[] =>
  [
    ...(command?.groups ?? []).flatMap(({ flags }) => flags),
    ...commonFlags,
    { flags: '--help', meaning: 'examples, flags and exit codes' },
  ].flatMap((flag) =>
    spellings(flag)
      .filter(([spelled]) => spelled.startsWith('--'))
      .map(([spelled]) => [spelled, flag.meaning] as const),
  )

function candidatesOf(kind: Kind, line: Line, known: Known): readonly Candidate[] {
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
    case 'network':
      return plain(networkNames())
    case 'setting':
      return plain([...nameOfKey.keys(), ...known.aliases.map((alias) => `alias.${alias}`)])
    case 'setting-value':
      return candidatesOf(valuesOfSetting(line.args[1] ?? ''), line, known)
    case 'topic':
      return [
        ...commands.map(({ name, summary }) => [name, summary] as const),
        ...plain(topicNames),
      ]
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
