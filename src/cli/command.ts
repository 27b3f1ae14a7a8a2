import type { Worker } from 'node:worker_threads'
import type { TSchema } from 'typebox'
import type { Env } from '../config/layers.js'
import type { Config } from '../config/load.js'
import type { DemoCommands } from '../demo-chain/index.js'
import type { SwapError } from '../engine/errors.js'
import type { ChainPort } from '../operations/chain-port.js'
import type { OperationContext } from '../operations/context.js'
import type { DoctorPort } from '../operations/doctor/doctor-port.js'
import type { HistoryAccess } from '../operations/history/history-port.js'
import type { Guard } from '../platform/loop-watchdog.js'
import type { ContractClient } from '../service/answers/contract-limiter.js'
import type { FleetRole, MarketFeed, NodeState } from '../service/feed/market-feed.js'
import type { Polling } from '../service/feed/polling-feed.js'
import type { ServiceLog } from '../service/metrics/log.js'
import type { ServedHistory } from '../service/routes/history.js'
import type { ExecutionParts } from './execution/dependencies.js'
import type { Output } from './output.js'

/** What the process gives a command beside its arguments; commands read nothing else of the process. */
export type Surroundings = {
  readonly env: Env
  readonly cwd: string
  readonly home: string | undefined
  readonly stdin: AsyncIterable<Buffer> & { readonly isTTY?: boolean }
  /** No terminal may be opened, e.g. if the program runs inside another one. */
  readonly isDetached?: boolean
}

/** Output form of an answer. */
export type Form = {
  readonly kind: 'human' | 'json' | 'csv'
  /** 1 prints the one value for scripts, 2 nothing. */
  readonly quiet: number
  /** All details for people: `-v`. */
  readonly verbose: boolean
  /** Amounts in arguments and in quiet output are atomics. */
  readonly atomic: boolean
}

/** Everything a command may use. Commands compute nothing: they parse, call an operation and print. */
export type Context = {
  readonly app: OperationContext
  /**
   * Queries the nodes while the market is read from them; `undefined` if the market needs no nodes, e.g. a
   * saved one. Settles after the market was requested.
   */
  readonly besideMarket?: <T>(query: (chain: ChainPort) => Promise<T>) => Promise<T | undefined>
  /** Restarts the time limit of the nodes, for commands that answer several requests. */
  readonly renewTimeout?: () => Promise<void>
  /** Another context with a freshly read market, for commands that run longer than a block. */
  readonly openAgain: () => { readonly app: OperationContext; close(): Promise<void> }
  readonly config: Config
  readonly out: Output
  readonly form: Form
  readonly surroundings: Surroundings
  /** Every command, in the order of the README's table. */
  readonly commands: readonly Command[]
  /** Help topics; loaded on first use. */
  readonly helpTopics: () => Promise<
    readonly { readonly name: string; readonly summary: string; text(): string }[]
  >
  /** The command line that starts this program again: Node, its flags and the file. */
  readonly self: readonly string[]
  /** Why the configuration is unusable. The command then runs with the built-in one, and can repair it. */
  readonly fault?: SwapError
  /** The embedded chain; loaded on first use. */
  readonly demo: () => Promise<DemoCommands>
  /** The doctor's checks, of this configuration or another; loaded on first use. */
  readonly doctor: (config?: Config) => Promise<DoctorPort>
  /** The history; loaded on first use. */
  readonly history: () => Promise<HistoryAccess>
  /** Signing and sending; loaded on first use. */
  readonly execution: () => Promise<ExecutionParts>
  /** The parts of the service; loaded on first use. */
  readonly service: () => Promise<ServiceParts>
}

export type ServiceParts = {
  /** The served markets; `listeners` are called on changes. */
  feed(listeners: FeedListeners): Promise<MarketFeed>
  /** The contracts of the served chain; a saved market has none. */
  contracts?(): Promise<ContractClient>
  /** The process of the served demo chain, which keeps running when the service ends. */
  demoPid?(): number | undefined
  /** Starts a worker thread for expensive answers. */
  spawn(): Worker
  /** Default number of worker threads. */
  readonly threads: number
  /** The history of the served chain and its indexer; a saved market has none. */
  history?(options: {
    readonly index: boolean
    readonly event: ServiceLog['event']
  }): Promise<ServedHistory & { close(): Promise<void> }>
  /** Ends the process if the event loop is blocked. */
  guard(): Guard
}

type FeedListeners = Pick<Polling, 'arrived' | 'failed' | 'wentBack'> & {
  readonly maxAge?: number | undefined
  /** The minimum share of readable pairs, in bps. */
  readonly leastShare?: number | undefined
  /** Called with the state of the nodes at each poll of several. */
  readonly nodesSeen?: (nodes: readonly NodeState[]) => void
  /** Joins the fleet of the history's database, if that is a server's. */
  readonly fleet?: {
    /** Whether this process may read the nodes for the fleet. */
    readonly mayLead: boolean
    /** Called when the role in the fleet changes. */
    readonly roleChanged: (role: FleetRole) => void
  }
}

/** A completion candidate with its description. */
export type Choice = readonly [word: string, meaning: string]

/** Kinds of values of an argument or a flag, for completion. */
export type ValueKind =
  | 'token'
  | 'pair'
  | 'token-or-pair'
  | 'quote'
  | 'execution'
  | 'order'
  | 'key'
  | 'account'
  | 'network'
  | 'file'
  | 'setting'
  | 'setting-value'
  | 'topic'
  | 'schema'
  | 'fault'
  | readonly Choice[]

/** One flag of a command, as its help shows it. */
export type Flag = {
  /** In commander's syntax: `--max-hops <n>`. */
  readonly flags: string
  readonly meaning: string
  /** Repeatable; values are collected in order. */
  readonly many?: boolean
  /** Not of a `<file>`. */
  readonly value?: ValueKind
  /** Shown by `--help-all` only. */
  readonly isRare?: boolean
}

/** @example flag('--from <address>', 'the account', { value: 'account' }) */
export const flag = (
  flags: string,
  meaning: string,
  details: Pick<Flag, 'many' | 'value'> = {},
): Flag => ({ flags, meaning, ...details })

/** A flag that `--help-all` alone shows. */
export const rareFlag: typeof flag = (...parts) => ({ ...flag(...parts), isRare: true })

/** A flag of earlier releases: accepted, but not in the help. */
export type FormerFlag = Pick<Flag, 'flags' | 'many'> & {
  /** Translates a value to present flags; without it the flag keeps its meaning. */
  readonly now?: (value: string) => FlagValues
}

/** Flags under the headings of the help. */
export type FlagGroups = Readonly<Record<string, readonly Flag[]>>

type Calls = Readonly<Record<string, string>>

export type CallRow = readonly [call: string, meaning: string]

/** Values of a command's flags, by camelCase name. */
export type FlagValues = Readonly<Record<string, string | boolean | readonly string[] | undefined>>

export type Argument = {
  /** In commander's syntax: `<name>`, `[file]` or, at the end, `[coins...]`. */
  readonly form: string
  /** Its name in the error for a missing argument: `the name of the key`. */
  readonly meaning: string
  readonly values?: readonly ValueKind[]
}

/** Schemas of the parts of a document: `request`, `answer` or both. */
export type DocumentSchemas = Readonly<Record<string, TSchema>>

export type Run = (context: Context, args: readonly string[], flags: FlagValues) => Promise<void>

/**
 * A command or a group. Plain data: the parser, help, completion, manual pages and errors are derived from
 * it, and `load` imports the implementation.
 */
export type Command = {
  readonly name: string
  readonly summary: string
  /** The meaning of its call, by default the summary; or forms of the call with their meanings. */
  readonly usage?: string | Calls
  /** Calls with their purposes. A group defaults to the first example of each of its commands. */
  readonly examples?: Calls
  readonly arguments?: readonly Argument[]
  readonly flags?: FlagGroups
  readonly formerFlags?: readonly FormerFlag[]
  /**
   * Flags of other programs for the same purpose, with the replacement to suggest. `VALUE` in it is what was
   * typed if that `fits` (by default a number above zero), otherwise the example.
   */
  readonly flagsElsewhere?: Readonly<
    Record<string, readonly [write: string, example: string, fits?: (typed: string) => boolean]>
  >
  readonly commands?: readonly Command[]
  /** A group without it prints its commands. */
  readonly load?: () => Promise<Run>
  /**
   * Imports the schema of the document that `--json` prints. An operation of the same name has it already; a group
   * has the one that its commands share.
   */
  readonly answer?: () => Promise<TSchema>
  /** Imports the schema of the request, where it is one of the service. */
  readonly request?: () => Promise<TSchema>
  /** Own flags that share a name with a setting but not its meaning. */
  readonly ownFlags?: readonly string[]
  /** Exit statuses in words. A sub-command inherits its group's. */
  readonly exit?: string
  /** The command on whose help page this one is described. */
  readonly helpWith?: string
  /** Texts to copy, printed verbatim below the flags. */
  readonly listings?: Readonly<Record<string, readonly string[]>>
  readonly topics?: readonly string[]
  /** Prints documents one a line on a terminal as well. */
  readonly isStream?: boolean
  /** Its `--tape` is written instead of read. */
  readonly recordsTape?: boolean
  /** Runs with the built-in configuration if the user's is unusable, since it helps to repair that. */
  readonly repairsConfig?: boolean
  /** Errors do not repeat its arguments, which may be words of a mnemonic. */
  readonly isPrivate?: boolean
  /** Neither listed nor completed. */
  readonly isHidden?: boolean
}

/** Commands under the titles of their groups, in the order of help and the README. */
export type CommandGroups = readonly (readonly [title: string, commands: readonly Command[]])[]

export const flagsOf = (command: Command | undefined): readonly Flag[] =>
  Object.values(command?.flags ?? {}).flat()

/** The commands of a group that help and completion show. */
export const shownCommands = (command: Command | undefined): readonly Command[] =>
  (command?.commands ?? []).filter(({ isHidden }) => !isHidden)

/** Usage lines of a command, named with its groups: its own, then those of its commands. */
export function usageOf(path: readonly Command[]): readonly CallRow[] {
  const { usage, summary, load, arguments: declared = [] } = path.at(-1)!
  const words = ['swap', ...path.map(({ name }) => name), ...declared.map(({ form }) => form)]
  const meaning = load && summary.charAt(0).toLowerCase() + summary.slice(1)
  const own = usage ?? meaning ?? {}
  return [
    ...Object.entries(typeof own === 'string' ? { [words.join(' ')]: own } : own),
    ...shownCommands(path.at(-1)).flatMap((inner) => usageOf([...path, inner])),
  ]
}

/** The examples of a command; of a group without examples the first one of each of its commands. */
export const examplesOf = (command: Command): readonly CallRow[] =>
  command.examples === undefined
    ? shownCommands(command).flatMap((inner) => examplesOf(inner).slice(0, 1))
    : Object.entries(command.examples)

/** A command with its groups, outermost first; `undefined` for unknown words. */
export function commandPath(
  words: readonly string[],
  commands: readonly Command[],
): readonly Command[] | undefined {
  const [word, ...more] = words
  const command = commands.find(({ name }) => name === word)
  if (command === undefined) return undefined
  if (more.length === 0) return [command]
  const rest = commandPath(more, command.commands ?? [])
  return rest && [command, ...rest]
}

/** Every command with the words that call it: `route`, `keys`, `keys new`. */
export const namedCommands = (
  commands: readonly Command[],
  group = '',
): readonly (readonly [name: string, command: Command])[] =>
  commands.flatMap((command) => {
    const name = `${group}${command.name}`
    return [[name, command] as const, ...namedCommands(shownCommands(command), `${name} `)]
  })

/** Words to choose from, with or without a meaning. */
export const choices = (...words: readonly (string | Choice)[]): readonly Choice[] =>
  words.map((word) => (typeof word === 'string' ? [word, ''] : word))

export const isChoice = (word: string, kind: ValueKind | undefined): boolean =>
  Array.isArray(kind) && kind.some(([choice]) => choice === word)
