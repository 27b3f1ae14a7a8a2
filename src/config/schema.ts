import { isAbsolute, relative } from 'node:path'
import { maskedUrl, nodeUrl } from '../chain/rpc/http/mask.js'
import { DIALECTS } from '../engine/market/market.js'
import { isDatabaseUrl } from '../history/store/database-url.js'
import { DEFAULTS } from '../operations/defaults.js'
import { requestMembers, type ValueSchema } from '../operations/request-members.js'
import { keyOf } from './naming.js'
import {
  address,
  database,
  dollars,
  duration,
  integer,
  oneOf,
  orList,
  parseRatio,
  path,
  type Reader,
  slippageFlag,
  urls,
  word,
  yesOrNo,
} from './readers.js'

/** A setting. `naming.ts` derives its names in file, environment and flags. */
export type Setting<T, Fallback extends string | null = string | null> = {
  /** The default, as written in `.swaprc`; `null` for none. */
  readonly fallback: Fallback
  readonly meaning: string
  readonly read: Reader<T>
  /** Whether it has several values, which may be a list in a file. */
  readonly many?: true
  /** The value for display, without secrets; default: the original text. */
  show?(value: T): string
  /**
   * Whether a project's file, which is not trusted, may set this value. `below` is the value of lower layers, `folder`
   * that of the project.
   */
  projectMay(value: T, below: T | undefined, folder: string): boolean
}

/** One row of the table: a setting without a default that a project may not set, unless the row says otherwise. */
const setting = <T, const Fallback extends string | null = null>(
  row: Pick<Setting<T>, 'meaning' | 'read'> & Partial<Setting<T, Fallback>>,
): Setting<T, Fallback> => ({ fallback: null as Fallback, projectMay: never, ...row })

/** A whole number within the bounds of a request's member. */
const boundedBy = ({ minimum, maximum }: ValueSchema): Reader<number> => integer(minimum!, maximum!)

const always = () => true
const never = () => false
const lower = <T extends number | bigint>(value: T, below: T | undefined) =>
  below !== undefined && value <= below
const showUrls = (list: readonly string[]) =>
  list
    .flatMap((each) => nodeUrl(each) ?? [])
    .map(maskedUrl)
    .join(' ')

const slippage: Reader<number> = (text, { label }) => parseRatio(text, { ...slippageFlag, label })

/** The values of settings that are one of several words. */
export const settingWords = {
  output: ['human', 'json', 'csv'],
  routerDialect: ['auto', ...DIALECTS],
  color: ['auto', 'always', 'never'],
  ascii: ['yes', 'no'],
} as const

/** The values of `--output`: `ndjson` is `json` with events. */
export const outputForms = ['human', 'json', 'ndjson', 'csv'] as const

const outputForm: Reader<'human' | 'json' | 'csv'> = (text, where) => {
  if (where.label !== '--output') return oneOf(...settingWords.output)(text, where)
  const form = oneOf(...outputForms)(text, where)
  return form === 'ndjson' ? 'json' : form
}

/** Every setting, in the order of `swap config list`. A value's unit is in its meaning. */
export const settings = {
  network: setting({
    fallback: 'demo',
    meaning: 'the network that markets are read from: demo, mainnet, or a name under networks',
    read: word,
    projectMay: always,
  }),
  rpc: setting({
    meaning: 'its nodes (CometBFT RPC), the preferred one first (default: those that are built in)',
    read: urls,
    many: true,
    show: showUrls,
  }),
  rest: setting({
    meaning: 'REST endpoints of the nodes, used to list the pairs and read oracle prices',
    read: urls,
    many: true,
    show: showUrls,
  }),
  routerAddress: setting({
    meaning: 'the router contract (default: the one that is built in)',
    read: address,
  }),
  routerDialect: setting({
    meaning:
      'order of the stages in the router message: forward, stack, or auto (queries the router)',
    read: oneOf(...settingWords.routerDialect),
  }),
  timeout: setting({
    fallback: '20s',
    meaning: 'total time that a command waits for nodes',
    read: duration(1, 600_000),
    projectMay: lower,
  }),
  maxAge: setting({
    meaning: 'oldest market to quote from (default: 10s, or three blocks where that is longer)',
    read: duration(1_000, 3_600_000),
    // The least default, which depends on the time between blocks.
    projectMay: (value, below = 10_000) => lower(value, below),
  }),
  output: setting({
    fallback: 'human',
    meaning: orList(settingWords.output),
    read: outputForm,
    projectMay: always,
  }),
  slippage: setting({
    fallback: `${DEFAULTS.slippageBps / 100}%`,
    meaning: 'accept this much less than quoted, in % or bps',
    read: slippage,
    projectMay: lower,
  }),
  autoSlippageBlocks: setting({
    fallback: `${DEFAULTS.autoSlippageBlocks}`,
    meaning: 'recorded blocks that --slippage auto looks back, 100 to 10000',
    read: integer(100, 10_000),
    projectMay: always,
  }),
  autoSlippageQuantile: setting({
    fallback: `${DEFAULTS.autoSlippageQuantile / 100}%`,
    meaning: 'share of recorded executions that --slippage auto lets pass at least, in % or bps',
    read: slippage,
    projectMay: lower,
  }),
  maxHops: setting({
    fallback: `${DEFAULTS.maxHops}`,
    meaning: 'at most this many swaps one after the other, 1 to 6',
    read: boundedBy(requestMembers.route.max_hops),
    projectMay: always,
  }),
  limit: setting({
    fallback: `${DEFAULTS.routes}`,
    meaning: 'routes to show, 1 to 25',
    read: boundedBy(requestMembers.route.limit),
    projectMay: always,
  }),
  color: setting({
    fallback: 'auto',
    meaning: orList(settingWords.color),
    read: oneOf(...settingWords.color),
    projectMay: always,
  }),
  width: setting({
    meaning: 'columns of the output, 20 to 1000 (default: those of the terminal)',
    read: integer(20, 1000),
    projectMay: always,
  }),
  ascii: setting({
    meaning: 'only ASCII characters, yes or no (default: yes unless the locale is UTF-8)',
    read: yesOrNo,
    projectMay: always,
  }),
  snapshot: setting({
    meaning:
      'quote from this file instead of a network; a relative path starts at the folder of the .swaprc',
    read: path,
    projectMay: (value, _below, folder) => isInside(value, folder),
  }),
  database: setting({
    meaning:
      'where the history is kept: postgres://..., or a file (default: a file of the network)',
    read: database,
    show: (value) => (isDatabaseUrl(value) ? maskedUrl(new URL(value)) : value),
  }),
  historyFromHeight: setting({
    meaning: "the first block of the history (default: the router's first)",
    read: integer(1, 2_000_000_000),
  }),
  affiliate: setting({
    meaning: 'affiliate code of quotes; requests over HTTP and of --stdin name their own',
    read: word,
  }),
  from: setting({
    meaning: 'the key that signs, by its name',
    read: word,
  }),
  confirmAbove: setting({
    fallback: '100',
    meaning: 'from so many dollars on, the symbol of what is received has to be typed',
    read: dollars,
    projectMay: lower,
  }),
  limitsPerTxUsd: setting({
    meaning:
      'the most that one transaction may sell without a person (--yes, --confirm), in dollars',
    read: dollars,
  }),
  limitsPerDayUsd: setting({
    meaning: 'the most that an account may sell without a person in 24 hours, in dollars',
    read: dollars,
  }),
} as const

/** The names of the settings in code, e.g. `maxHops`. */
export type SettingName = keyof typeof settings

type ValueOf<S> =
  S extends Setting<infer T, infer F> ? (F extends string ? T : T | undefined) : never

/** The value of every setting. `slippage` is in bps, `width` in columns, `snapshot` is absolute, dollars are millionths. */
export type Values = { readonly [Name in SettingName]: ValueOf<(typeof settings)[Name]> }

/** The row of a setting, whatever the type of its values. */
export const settingOf = (name: SettingName): Setting<unknown> => settings[name]

/** Whether a project's file may not set it to any value. */
export const isYoursAlone = (name: SettingName): boolean => settings[name].projectMay === never

/** All names, in the order of the table. */
export const settingNames = Object.keys(settings) as readonly SettingName[]

/** From a key of `.swaprc` to the setting's name; a map, since keys are user text. */
export const nameOfKey: ReadonlyMap<string, SettingName> = new Map(
  settingNames.map((name) => [keyOf(name), name]),
)

function isInside(file: string, folder: string): boolean {
  const relativePath = relative(folder, file)
  return (
    relativePath !== '' &&
    file !== '-' &&
    !/^\.\.($|[\\/])/.test(relativePath) &&
    !isAbsolute(relativePath)
  )
}
