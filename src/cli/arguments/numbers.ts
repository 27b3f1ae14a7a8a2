import { SwapError } from '../../engine/errors.js'
import type { DemoStart } from '../../operations/demo-port.js'
import { quote } from '../../render/width.js'
import type { FlagValues } from '../command.js'

const refused = (text: string, flag: string, why: string, example: string): SwapError =>
  new SwapError('INVALID_REQUEST', `${quote(text)} cannot be used for ${flag}`, {
    why,
    hint: `write e.g. ${flag} ${example}`,
    members: {
      errors: [{ pointer: `/${flag.replace(/^-+/, '').replaceAll('-', '_')}`, detail: why }],
    },
  })

const textOf = (flags: FlagValues, name: string): string | undefined => {
  const value = flags[name]
  return typeof value === 'string' ? value : undefined
}

/** A whole number of a flag, both ends included. */
export function wholeOf(
  flags: FlagValues,
  name: string,
  flag: string,
  [least, most]: readonly [number, number],
): number | undefined {
  const text = textOf(flags, name)
  if (text === undefined) return undefined
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw refused(text, flag, `it is a whole number from ${least} to ${most}`, String(least))
}

const units: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
])

/** A duration such as `500ms`, `2s`, `1.5m` or `1h`, in milliseconds. */
export function durationOf(
  flags: FlagValues,
  name: string,
  flag: string,
  [least, most]: readonly [number, number],
): number | undefined {
  const text = textOf(flags, name)
  if (text === undefined) return undefined
  const [, count = '', unit = ''] = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h)$/.exec(text) ?? []
  const value = Math.round(Number(count) * (units.get(unit) ?? Number.NaN))
  if (count !== '' && value >= least && value <= most) return value
  const why = `it is a number with ms, s, m or h, from ${least} ms to ${most / 1000} s`
  throw refused(text, flag, why, '30s')
}

/** Shortest and longest time between two blocks, in milliseconds. */
const BLOCK_TIMES = [50, 600_000] as const
/** REST takes the port after it. */
const PORTS = [0, 65_534] as const
const SEEDS = [0, 4_294_967_295] as const

/** What is asked of a chain that is started. */
export function startOf(flags: FlagValues): DemoStart {
  const port = wholeOf(flags, 'port', '--port', PORTS)
  const blockTimeMs = durationOf(flags, 'blockTime', '--block-time', BLOCK_TIMES)
  const seed = wholeOf(flags, 'seed', '--seed', SEEDS)
  const dialect = textOf(flags, 'dialect')
  if (dialect !== undefined && dialect !== 'forward' && dialect !== 'stack')
    throw refused(dialect, '--dialect', 'it is forward or stack', 'forward')
  const routerBuild = textOf(flags, 'routerBuild')
  if (routerBuild !== undefined && routerBuild !== 'source' && routerBuild !== 'published')
    throw refused(routerBuild, '--router-build', 'it is source or published', 'source')
  return {
    ...(port !== undefined && { port }),
    ...(blockTimeMs !== undefined && { blockTimeMs }),
    ...(seed !== undefined && { seed }),
    ...(dialect !== undefined && { dialect }),
    ...(routerBuild !== undefined && { routerBuild }),
  }
}
