import { networkNames } from '../config/network.js'
import { orList } from '../config/readers.js'
import { outputForms, settingNames, settingWords } from '../config/schema.js'
import { invalidRequest } from '../engine/errors.js'
import { type Command, choices, type Flag, type FlagValues, flag, flagsOf } from './command.js'
import { textOf } from './flags/checked-flag.js'
import { tapeOf } from './flags/quote-flags.js'
import { clashing, refuseBeside } from './invalid-request.js'

/** Flags of every command, before or after its name. */
export const commonFlags: readonly Flag[] = [
  flag('--json', 'the document of the service; on one line in a pipe'),
  flag('--ndjson', 'the same; with --watch, and where something is signed, an event a line'),
  flag('--csv', 'rows for a spreadsheet'),
  flag('-o, --output <form>', orList(outputForms), { value: choices(...outputForms) }),
  flag('-q, --quiet', 'one value, for a script'),
  flag('-v, --verbose', 'all details of a quote: fees, other routes, excluded pairs'),
  flag('-n, --network <name>', `${networkNames().join(', ')} or one of your own`, {
    value: 'network',
  }),
  flag('--rpc <url>', 'a node of the network (CometBFT RPC); repeatable, the preferred one first', {
    many: true,
  }),
  flag('--rest <url>', 'a REST endpoint of the network; repeatable', { many: true }),
  flag('--router-address <address>', 'use this router contract'),
  flag('--router-dialect <name>', orList(settingWords.routerDialect), {
    value: choices(...settingWords.routerDialect),
  }),
  flag('--timeout <20s>', 'total time to wait for nodes'),
  flag('--max-age <10s>', 'oldest market to quote from'),
  flag('--snapshot <file>', 'quote from a saved market; - reads standard input'),
  flag('--color <when>', orList(settingWords.color), { value: choices(...settingWords.color) }),
  flag('--width <columns>', 'width of the output'),
  flag('--no-pager', 'do not page long output with $PAGER'),
  flag('--ascii', 'only ASCII characters'),
  flag('--config <file>', 'this file instead of .swaprc'),
]

/**
 * The flag that selects an output form, as it was written, and the form as in the `output` setting. `--ndjson` selects documents too: a single
 * answer is one line in either form.
 *
 * @throws SwapError INVALID_REQUEST if two flags conflict
 */
export function formFlag(flags: FlagValues): readonly [written: string, form: string] | undefined {
  const output = textOf(flags, 'output')
  const given: readonly (readonly [written: string, form: string] | false)[] = [
    flags['json'] === true && ['--json', 'json'],
    flags['ndjson'] === true && ['--ndjson', 'json'],
    flags['csv'] === true && ['--csv', 'csv'],
    output !== undefined && [`--output ${output}`, output === 'ndjson' ? 'json' : output],
  ]
  const [first, ...more] = given.filter((each) => each !== false)
  const other = more.find(([, form]) => form !== first?.[1])
  if (first !== undefined && other !== undefined)
    throw clashing(first[0], other[0], 'they name different forms of the output', '/output')
  return first
}

/**
 * Refuses flags that select an output form, for a command whose output has one form alone.
 *
 * @throws SwapError INVALID_REQUEST
 */
export function refuseFormFlag(flags: FlagValues, command: string, why: string): void {
  const [written] = formFlag(flags) ?? []
  if (written === undefined) return
  throw invalidRequest(`${written} does not go with ${command}`, '/output', {
    why,
    hint: `leave ${written} out`,
  })
}

/**
 * Values of flags that are settings, by the name of the setting.
 *
 * @throws SwapError INVALID_REQUEST for mutually exclusive flags
 */
export function settingFlags(command: Command, flags: FlagValues): Record<string, string> {
  const takesAuto = flagsOf(command).some(({ flags }) => /^--slippage .*\bauto\b/.test(flags))
  const tape = command.recordsTape ? undefined : tapeOf(flags, takesAuto)
  const given = settingNames.flatMap((name) => {
    const isAuto = name === 'slippage' && takesAuto && flags[name] === 'auto'
    const value = isAuto || command.ownFlags?.includes(name) ? undefined : flags[name]
    if (value === true) return [[name, 'yes'] as const]
    if (Array.isArray(value)) return [[name, value.join(' ')] as const]
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  if (tape !== undefined) refuseBesideSaved('--at', flags)
  else if (flags['snapshot'] !== undefined) refuseBesideSaved('--snapshot', flags)
  const [, form] = formFlag(flags) ?? []
  return {
    ...Object.fromEntries(given),
    ...(form !== undefined && { output: form }),
    ...(tape !== undefined && { snapshot: tape }),
  }
}

/** Refuses what has no effect on a saved market. */
function refuseBesideSaved(flag: string, { rpc, rest, maxAge }: FlagValues): void {
  const noNode = 'a saved market is read without a node'
  refuseBeside(flag, `/${flag.slice(2)}`, [
    ['--rpc', rpc, noNode],
    ['--rest', rest, noNode],
    ['--max-age', maxAge, 'a saved market never becomes stale'],
  ])
}
