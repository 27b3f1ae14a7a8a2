import { orList } from '../config/readers.js'
import { outputForms, settingNames, settingWords } from '../config/schema.js'
import { type Command, choices, type Flag, type FlagValues } from './command.js'
import { textOf } from './flags/checked-flag.js'
import { tapeOf } from './flags/quote-flags.js'
import { clashing } from './invalid-request.js'

/** Flags of every command, before or after its name. */
export const commonFlags: readonly Flag[] = [
  { flags: '--json', meaning: 'the document of the service; on one line in a pipe' },
  { flags: '--ndjson', meaning: 'the same; with --watch an event a line' },
  { flags: '--csv', meaning: 'rows for a spreadsheet' },
  {
    flags: '-o, --output <form>',
    meaning: orList(outputForms),
    value: choices(...outputForms),
  },
  { flags: '-q, --quiet', meaning: 'one value, for a script' },
  {
    flags: '-v, --verbose',
    meaning: 'all details of a quote: fees, other routes, excluded pairs',
  },
  { flags: '-n, --network <name>', meaning: 'demo, mainnet, or one of your own', value: 'network' },
  {
    flags: '--rpc <url>',
    meaning: 'a node of the network (CometBFT RPC); repeatable, the preferred one first',
    many: true,
  },
  { flags: '--rest <url>', meaning: 'a REST endpoint of the network; repeatable', many: true },
  { flags: '--router-address <address>', meaning: 'use this router contract' },
  {
    flags: '--router-dialect <name>',
    meaning: orList(settingWords.routerDialect),
    value: choices(...settingWords.routerDialect),
  },
  { flags: '--timeout <20s>', meaning: 'total time to wait for nodes' },
  { flags: '--max-age <10s>', meaning: 'oldest market to quote from' },
  {
    flags: '--snapshot <file>',
    meaning: 'quote from a saved market; - reads standard input',
    value: 'file',
  },
  {
    flags: '--color <when>',
    meaning: orList(settingWords.color),
    value: choices(...settingWords.color),
  },
  { flags: '--width <columns>', meaning: 'width of the output' },
  { flags: '--no-pager', meaning: 'do not page long output with $PAGER' },
  { flags: '--ascii', meaning: 'only ASCII characters' },
  { flags: '--config <file>', meaning: 'this file instead of .swaprc', value: 'file' },
]

/** The output form that flags select, as in the `output` setting; `undefined` without one. @throws as `formFlag` */
export const namedForm = (flags: FlagValues): string | undefined => formFlag(flags)?.[1]

/**
 * The flag that selects an output form, as it was written, and the form. `--ndjson` selects documents too: a single
 * answer is one line in either form.
 *
 * @throws SwapError INVALID_REQUEST if two flags conflict
 */
export function formFlag(flags: FlagValues): readonly [written: string, form: string] | undefined {
  const output = textOf(flags, 'output')
  const [first, ...more] = [
    ...(flags['json'] === true ? [['--json', 'json'] as const] : []),
    ...(flags['ndjson'] === true ? [['--ndjson', 'json'] as const] : []),
    ...(flags['csv'] === true ? [['--csv', 'csv'] as const] : []),
    ...(output === undefined
      ? []
      : [[`--output ${output}`, output === 'ndjson' ? 'json' : output] as const]),
  ]
  const other = more.find(([, form]) => form !== first?.[1])
  if (first !== undefined && other !== undefined)
    throw clashing(first[0], other[0], 'they name different forms of the output', '/output')
  return first
}

/**
 * Values of flags that are settings, by the name of the setting.
 *
 * @throws SwapError INVALID_REQUEST for mutually exclusive flags
 */
export function settingFlags(command: Command, flags: FlagValues): Record<string, string> {
  const tape = command.recordsTape ? undefined : tapeOf(flags, command.takesAuto)
  const given = settingNames.flatMap((name) => {
    const isAuto = name === 'slippage' && command.takesAuto && flags[name] === 'auto'
    const value = isAuto || command.ownFlags?.includes(name) ? undefined : flags[name]
    if (value === true) return [[name, 'yes'] as const]
    if (Array.isArray(value)) return [[name, value.join(' ')] as const]
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  const form = namedForm(flags)
  return {
    ...Object.fromEntries(given),
    ...(form !== undefined && { output: form }),
    ...(tape !== undefined && { snapshot: tape }),
  }
}
