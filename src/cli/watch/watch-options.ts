import { duration, parseRatio } from '../../config/readers.js'
import { invalidRequest } from '../../engine/errors.js'
import { DAY_MS } from '../../platform/clock.js'
import type { FlagValues } from '../command.js'
import { textOf } from '../flags/checked-flag.js'
import { countFlag } from '../flags/quote-flags.js'
import { refuseBeside } from '../invalid-request.js'

export type WatchOptions = ReturnType<typeof watchOptionsOf>

const DEPENDENT = [
  ['every', '--watch=<time>'],
  ['onChange', '--on-change'],
  ['count', '--count'],
  ['until', '--until'],
  ['exec', '--exec'],
  ['fullscreen', '--fullscreen'],
] as const

/** Flags that conflict with `--watch`, with the reason. */
const EXCLUDED = [
  ['stdin', '--stdin', 'its requests are answered from one market'],
  ['at', '--at', 'it names one block'],
  ['height', '--height', 'it names one block'],
  ['id', '--id', 'only a quote that enter takes is kept'],
  ['verify', '--verify', 'it asks every contract again'],
  ['explain', '--explain', 'it is longer than what can be watched'],
  ['amount', '--amount', 'the levels that an amount takes are computed for one block'],
  ['exitCode', '--exit-code', 'the loops of many blocks have no one exit status'],
] as const

/**
 * Whether `--watch` is given. Rejects flags that need it if it is not.
 *
 * @throws SwapError INVALID_REQUEST
 */
export function isWatched(flags: FlagValues): boolean {
  if (flags['watch'] === true) return true
  const [stray] = DEPENDENT.filter(([name]) => flags[name] !== undefined)
  if (stray === undefined) return false
  const why = 'one answer was requested'
  throw invalidRequest(`${stray[1]} goes with --watch`, '', { why, hint: 'add --watch' })
}

/** Parses the flags of `--watch`. @throws SwapError INVALID_REQUEST */
export function watchOptionsOf(flags: FlagValues, snapshot: string | undefined) {
  const excluded = EXCLUDED.map(([name, flag, why]) => [flag, flags[name], why] as const)
  refuseBeside('--watch', '', excluded)
  if (snapshot !== undefined)
    throw invalidRequest('a saved market cannot be watched', '', {
      why: 'it is of one block',
      hint: 'leave --snapshot out',
    })
  const { every, onChange, fullscreen } = flags
  return {
    leastMs: typeof every === 'string' ? secondsOf(every) : 0,
    onChangeBps: typeof onChange === 'string' ? BigInt(bpsOf(onChange)) : 0n,
    count: countFlag.read(flags),
    until: textOf(flags, 'until'),
    exec: textOf(flags, 'exec'),
    fullscreen: fullscreen === true,
  }
}

/** A duration; a bare number is in seconds. */
const secondsOf = (text: string): number =>
  duration(1, DAY_MS)(/^\d+(\.\d+)?$/.test(text) ? `${text}s` : text, {
    label: '--watch',
    folder: '',
    written: (value) => `--watch=${value}`,
  })

/** A ratio; a bare number is in basis points. */
const bpsOf = (text: string): number =>
  parseRatio(/^\d+$/.test(text) ? `${text}bps` : text, {
    label: '--on-change',
    code: 'INVALID_REQUEST',
    pointer: '/on_change',
    max: 10_000,
  })
