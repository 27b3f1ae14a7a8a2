import { SwapError } from '../errors.js'
import { quote } from '../render/width.js'

/** A flag that takes a ratio with its unit, and how a wrong one is reported. */
export type RatioFlag = {
  readonly flag: string
  readonly code: 'INVALID_SLIPPAGE' | 'INVALID_REQUEST'
  /** Field of the request, e.g. `/slippage_bps`. */
  readonly pointer: string
  /** Largest value, in bps. */
  readonly max: number
}

/** `--slippage`: less than 100 %. */
export const slippageFlag: RatioFlag = {
  flag: '--slippage',
  code: 'INVALID_SLIPPAGE',
  pointer: '/slippage_bps',
  max: 9999,
}

/** `--max-impact`: up to 100 %. */
export const maxImpactFlag: RatioFlag = {
  flag: '--max-impact',
  code: 'INVALID_REQUEST',
  pointer: '/max_impact_bps',
  max: 10_000,
}

/**
 * A ratio with its unit, in whole basis points; what falls between two is refused, not rounded.
 *
 * @example parseRatio('0.5%', slippageFlag) // 50
 */
export function parseRatio(text: string, of: RatioFlag): number {
  const match = /^(\d{1,15})?(?:\.(\d{1,18}))? ?(%|bps)$/.exec(text)
  if (match === null || (match[1] ?? match[2]) === undefined) throw ratioRefused(text, of)
  const percent = match[3] === '%'
  const [whole, fraction] = [match[1] ?? '0', (match[2] ?? '').replace(/0+$/, '')]
  const places = percent ? 2 : 0
  if (fraction.length > places)
    throw ratioRefused(text, of, 'a basis point (0.01 %) is the smallest step')
  const bps = Number(whole + fraction.padEnd(places, '0'))
  if (bps > of.max) throw ratioRefused(text, of, `the largest is ${of.max} bps`)
  return bps
}

function ratioRefused(text: string, of: RatioFlag, why?: string): SwapError {
  const bare = /^\d*\.?\d+$/.test(text) && text.length < 20
  const reason = why ?? (bare ? 'the unit is missing: % or bps?' : 'it is not a percentage or bps')
  const hint = bare
    ? `write ${of.flag} ${text}% or ${of.flag} ${text}bps`
    : `write e.g. ${of.flag} 0.5% or ${of.flag} 50bps`
  return new SwapError(of.code, `${quote(text)} cannot be used for ${of.flag}`, {
    why: reason,
    hint,
    members:
      of.code === 'INVALID_SLIPPAGE'
        ? { min: 0, max: of.max }
        : { errors: [{ pointer: of.pointer, detail: reason }] },
  })
}
