import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig } from '../../config/load.js'
import { networkNames } from '../../config/network.js'
import { nameOfKey, settingWords } from '../../config/schema.js'
import type { Intent } from '../../execution/journal/intent.js'
import { attempt } from '../../platform/attempt.js'
import { regularText } from '../../platform/file-stream.js'
import { isPlainWord } from '../../platform/shell-word.js'
import { keysFolder, stateFolders } from '../../platform/user-folders.js'
import { formatTime } from '../../render/layout.js'
import { withoutConnector } from '../arguments/swap-words.js'
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
import { flagNamed, type Line, readLine, spellings } from './typed-line.js'

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
  if (line.literal && line.command?.arguments?.some(({ form }) => form === '[command...]'))
    return offer(words.slice(words.indexOf('--') + 1), known)
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
  // A connector is no argument: `1 btc to `.
  const typed = withoutConnector(command, [...args, current])
  return [...inner, ...(argumentAt(command, typed.length - 1)?.values ?? [])]
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
  const { flags: form = '', value } = flagNamed(flag, flags) ?? {}
  if (value !== undefined) return [value]
  return form.endsWith('<file>') ? ['file'] : []
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
  token: tokensOf,
  pair: pairsOf,
  'token-or-pair': (...asked) => [...tokensOf(...asked), ...pairsOf(...asked)],
  quote: ({ surroundings }) =>
    storedQuotes(surroundings)
      .slice(0, NEWEST)
      .map(({ id, made }) => [id, `made ${formatTime(new Date(made).toISOString())}`]),
  execution: ({ surroundings }) =>
    journalFiles(surroundings).map((name) => [name.slice(19, 29), signedAt(name)]),
  order: ordersOf,
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
function tokensOf(known: LocalCandidates, network: string, line: Line): readonly Choice[] {
  const { tokens } = keptNames(known.surroundings, network)
  const names = tokens.length > 0 ? tokens : known.aliases.map((alias) => [alias, ''] as const)
  const taken = new Set(line.args.map((word) => word.toLowerCase()))
  const free = names.filter(([word]) => !taken.has(word))
  return inTypedCase(free, line)
}

function pairsOf({ surroundings }: LocalCandidates, network: string, line: Line) {
  return inTypedCase(keptNames(surroundings, network).pairs, line)
}

/** The names of the newest files of the journal, which have the time and the id. */
const journalFiles = (surroundings: Surroundings): readonly string[] =>
  filesIn(journalOf(surroundings), /^\d{8}T\d{9}\.x_[0-9a-f]{8}\./)
    .toSorted((a, b) => (a < b ? 1 : -1))
    .slice(0, NEWEST)

const journalOf = (surroundings: Surroundings) => stateFolders(surroundings)?.journal ?? ''

const signedAt = (name: string): string => name.replace(STAMP, 'signed $1-$2-$3 $4:$5:$6 UTC')

/** Orders that the last messages of this machine left in the books, by the names of their pairs where they are known. */
function ordersOf({ surroundings }: LocalCandidates, network: string): readonly Choice[] {
  const { pairs } = keptNames(surroundings, network)
  const names = new Map(pairs.map(([name, , address]) => [address, name]))
  const seen = new Set<string>()
  const isFirst = ({ id }: { readonly id: string }): boolean => {
    const known = seen.has(id)
    seen.add(id)
    return !known
  }
  return journalFiles(surroundings).flatMap((file) => {
    const path = join(journalOf(surroundings), file)
    const intent = attempt(() => JSON.parse(regularText(path)) as Intent)
    if (intent?.network !== network || !intent.txs.some(({ code }) => code === 0)) return []
    const entries = intent.orders?.flatMap(({ entries }) => entries).reverse() ?? []
    return entries
      .filter(isFirst)
      .filter(({ target, rests }) => target !== '0' && rests !== '0')
      .map(({ id }) => [id.replace(/^[^/]*/, (pair) => names.get(pair) ?? pair), signedAt(file)])
  })
}

/** The case of these names does not matter: `BT` is completed to `BTC`. */
function inTypedCase(
  names: readonly (readonly [word: string, meaning: string, ...unknown[]])[],
  { current }: Line,
): readonly Choice[] {
  const isUpper = /[A-Z]/.test(current) && current === current.toUpperCase()
  return names.map(([word, meaning]) => [isUpper ? word.toUpperCase() : word, meaning])
}

const keysIn = (surroundings: Surroundings): readonly Choice[] =>
  filesIn(keysFolder(surroundings) ?? '', /^[^.].*\.json$/).map((name) => [
    name.replace(/\.json$/, ''),
    'a key of yours',
  ])

const filesIn = (folder: string, like: RegExp): readonly string[] =>
  (attempt(() => readdirSync(folder)) ?? []).filter((name) => like.test(name))

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
  const configured = await loadConfig({ ...surroundings, flags: {} }).catch(() => undefined)
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
