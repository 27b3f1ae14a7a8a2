import type { Worker } from 'node:worker_threads'
import type { Config } from '../config/load.js'
import type { SwapError } from '../engine/errors.js'
import type { ChainPort } from '../operations/chain-port.js'
import type { OperationContext } from '../operations/context.js'
import type { DemoPort } from '../operations/demo-port.js'
import type { DoctorPort } from '../operations/doctor/doctor-port.js'
import type { HistoryAccess } from '../operations/history/history-port.js'
import type { Guard } from '../platform/loop-watchdog.js'
import type { ContractClient } from '../service/answers/contract-limiter.js'
import type { FleetRole, MarketFeed } from '../service/feed/market-feed.js'
import type { Polling } from '../service/feed/polling-feed.js'
import type { ServiceLog } from '../service/metrics/log.js'
import type { ServedHistory } from '../service/routes/history.js'
import type { ExecutionParts } from './execution/dependencies.js'
import type { Output } from './output.js'

/** What the process gives a command beside its arguments. Nothing else of it is read. */
export type Surroundings = {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly home: string | undefined
  readonly stdin: AsyncIterable<Buffer> & { readonly isTTY?: boolean }
  /** No terminal is opened, as where the program runs inside another one. */
  readonly isDetached?: boolean
}

/** How an answer is written. */
export type Form = {
  readonly kind: 'human' | 'json' | 'csv'
  /** 1 for the one value that a script wants, 2 for nothing. */
  readonly quiet: number
  /** Everything that is known, for people: `-v`. */
  readonly verbose: boolean
  /** Amounts on the command line and in quiet output count atomics. */
  readonly atomic: boolean
}

/** Everything a command may use. Commands compute nothing: they read, ask an operation and print. */
export type Context = {
  readonly app: OperationContext
  /**
   * Queries the nodes while the market is read from them; `undefined` where it is read without any,
   * as from a saved market. Settles once the market has been asked for.
   */
  readonly besideMarket?: <T>(query: (chain: ChainPort) => Promise<T>) => Promise<T | undefined>
  /** Restarts the time limit of the nodes, where one command answers several requests. */
  readonly renewTimeout?: () => Promise<void>
  /** Another context, whose market is read again: for commands that run for longer than a block. */
  readonly openAgain: () => { readonly app: OperationContext; close(): Promise<void> }
  readonly config: Config
  readonly out: Output
  readonly form: Form
  readonly surroundings: Surroundings
  /** Every command, in the order of the README's table. */
  readonly commands: readonly Command[]
  /** The pages of help that are of no single command; loaded on first use. */
  readonly helpTopics: () => Promise<
    readonly { readonly name: string; readonly summary: string; text(): string }[]
  >
  /** The command line that starts this program again: Node, its flags and the file. */
  readonly self: readonly string[]
  /** Why the configuration cannot be used; the command then has the built-in one, and can repair it. */
  readonly fault?: SwapError
  /** The embedded chain; loaded on first use. */
  readonly demo: () => Promise<DemoPort>
  /** The doctor's checks, of this configuration or another; loaded on first use. */
  readonly doctor: (config?: Config) => Promise<DoctorPort>
  /** The history; loaded on first use. */
  readonly history: () => Promise<HistoryAccess>
  /** Signing and sending; loaded on first use. */
  readonly execution: () => Promise<ExecutionParts>
  /** The parts of the service; loaded on first use. */
  readonly service: () => Promise<Parts>
}

/** The dependencies of the service. */
export type Parts = {
  /** The served markets; `listeners` are called on changes. */
  feed(listeners: FeedListeners): Promise<MarketFeed>
  /** The contracts of the served chain; a saved market has none. */
  contracts?(): Promise<ContractClient>
  /** The process of the demo chain that is served, which does not end with the service. */
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
  /** Ends the process when the serving thread is stuck. */
  guard(): Guard
}

type FeedListeners = Pick<Polling, 'arrived' | 'failed' | 'wentBack'> & {
  readonly maxAge?: number | undefined
  /** The least share of the pairs that has to be readable, in bps. */
  readonly leastShare?: number | undefined
  /** Joins the fleet of the history's database, if that is a server's. */
  readonly fleet?: {
    /** Whether this process may read the nodes for the others. */
    readonly mayLead: boolean
    /** Called when the role in the fleet changes. */
    readonly roleChanged: (role: FleetRole) => void
  }
}

/** A word that completes, with what is shown beside it. */
export type Choice = readonly [word: string, meaning: string]

/** What an argument or a flag's value can be; completion offers it. */
export type ValueKind =
  | 'token'
  | 'pair'
  | 'quote'
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
  /** As commander takes it: `--max-hops <n>`. */
  readonly flags: string
  readonly meaning: string
  /** May be repeated; values are collected in order. */
  readonly many?: boolean
  readonly value?: ValueKind
  /** Described by `--help-all` alone. */
  readonly isRare?: boolean
}

/** A flag of earlier releases: still taken, in no help. */
export type FormerFlag = Pick<Flag, 'flags' | 'many'> & {
  /** The present flags that a value means; without it the flag keeps its meaning. */
  readonly now?: (value: string) => FlagValues
}

/** Flags under a heading of the help. */
export type FlagGroup = { readonly title: string; readonly flags: readonly Flag[] }

/** Values of a command's flags, by camelCase name. */
export type FlagValues = Readonly<Record<string, string | boolean | readonly string[] | undefined>>

/** One argument of a command. */
export type Argument = {
  /** As commander takes it: `<name>`, `[file]` or, at the end, `[coins...]`. */
  readonly form: string
  /** What an error calls it when it is missing: `the name of the key`. */
  readonly meaning: string
  readonly values?: readonly ValueKind[]
}

/** What a command does with its arguments and flags. */
export type Run = (context: Context, args: readonly string[], flags: FlagValues) => Promise<void>

/**
 * A command, or a group of them. Data only: parsing, help, completion, manual pages and errors come
 * from it, and `load` imports what the command computes with.
 */
export type Command = {
  readonly name: string
  readonly summary: string
  /** Forms of the call, each with its meaning: by default the arguments with the summary. */
  readonly usage?: readonly (readonly [call: string, meaning: string])[]
  /** Calls, each with its purpose. A group has by default the first example of each of its commands. */
  readonly examples?: readonly (readonly [call: string, purpose: string])[]
  readonly arguments?: readonly Argument[]
  readonly groups: readonly FlagGroup[]
  readonly formerFlags?: readonly FormerFlag[]
  /** A `to`, `for` or `->` between two arguments is left out. */
  readonly takesConnector?: boolean
  /**
   * Flags that other programs have for the same purpose: what to write instead, in which `VALUE` is what was typed
   * where it `fits`, by default where it is a number above zero, and else the example.
   */
  readonly flagsElsewhere?: Readonly<
    Record<string, readonly [write: string, example: string, fits?: (typed: string) => boolean]>
  >
  readonly commands?: readonly Command[]
  /** A group without it prints its commands. */
  readonly load?: () => Promise<Run>
  /** Flags with a meaning of their own although a setting has the same name. */
  readonly ownFlags?: readonly string[]
  /** The exit statuses that it can end with, in words. A sub-command without it has its group's. */
  readonly exit?: string
  /** The command whose help has this one's on its page. */
  readonly helpWith?: string
  /** Texts to copy, printed as they are below the flags. */
  readonly listings?: readonly { readonly title: string; readonly lines: readonly string[] }[]
  /** Help topics that go with it. */
  readonly topics?: readonly string[]
  /** Takes `--slippage auto`. */
  readonly takesAuto?: boolean
  /** Its `--tape` is written. */
  readonly recordsTape?: boolean
  /** Runs with the built-in configuration where the user's cannot be read: it helps to repair that. */
  readonly repairsConfig?: boolean
  /** Errors do not repeat its arguments, which may be words of a mnemonic. */
  readonly isPrivate?: boolean
  /** Neither listed nor completed. */
  readonly isHidden?: boolean
}

/** Commands under the titles of their groups, in the order of help and the README. */
export type CommandGroups = readonly (readonly [title: string, commands: readonly Command[]])[]

/** The flags of a command, of all headings. */
export const flagsOf = (command: Command | undefined): readonly Flag[] =>
  (command?.groups ?? []).flatMap(({ flags }) => flags)

/** The commands of a group that help and completion show. */
export const shownCommands = (command: Command | undefined): readonly Command[] =>
  (command?.commands ?? []).filter(({ isHidden }) => !isHidden)

/** Forms of the call of a command, named with its groups: its own, then those of its commands. */
export function usageOf(path: readonly Command[]): NonNullable<Command['usage']> {
  const { usage, summary, load, arguments: declared = [] } = path.at(-1)!
  const words = ['swap', ...path.map(({ name }) => name), ...declared.map(({ form }) => form)]
  const meaning = summary.charAt(0).toLowerCase() + summary.slice(1)
  const own = usage ?? (load === undefined ? [] : [[words.join(' '), meaning] as const])
  return [...own, ...shownCommands(path.at(-1)).flatMap((inner) => usageOf([...path, inner]))]
}

/** The examples of a command; of a group without examples the first one of each of its commands. */
export const examplesOf = (command: Command): NonNullable<Command['examples']> =>
  command.examples ?? shownCommands(command).flatMap((inner) => examplesOf(inner).slice(0, 1))

/** A command and its groups, outermost first; `undefined` for words that name none. */
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
