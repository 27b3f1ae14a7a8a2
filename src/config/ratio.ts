import { SwapError } from '../engine/errors.js'
import { quote } from '../render/width.js'
import { written } from './naming.js'

/** A flag that takes a ratio with its unit, and how a wrong one is reported. */
export type RatioFlag = {
  /** `--slippage`, or the name it has where it was written: `slippage`, `SWAP_SLIPPAGE`. */
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

/**
 * A ratio with its unit, in whole basis points; fractions of one are rejected, not rounded.
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
  const isBare = /^\d*\.?\d+$/.test(text) && text.length < 20
  const reason =
    why ?? (isBare ? 'the unit is missing: % or bps?' : 'it is not a percentage or bps')
  // A fraction can only be meant in percent: there are no fractions of a basis point.
  const readings = isBare
    ? (text.includes('.') ? ['%'] : ['%', 'bps']).map((unit) => text + unit)
    : []
  const examples = readings.length > 0 ? readings : ['0.5%', '50bps']
  const members =
    of.code === 'INVALID_SLIPPAGE'
      ? { min: 0, max: of.max }
      : { errors: [{ pointer: of.pointer, detail: reason }] }
  return new SwapError(of.code, `${quote(text)} cannot be used for ${of.flag}`, {
    why: reason,
    hint: `write ${isBare ? '' : 'e.g. '}${examples.map((each) => written(of.flag, each)).join(' or ')}`,
    members,
  })
}
