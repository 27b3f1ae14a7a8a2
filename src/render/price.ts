import BigNumber from 'bignumber.js'
import { type AmountStyle, groupThousands } from './amount.js'

/** Prices and depths are rounded towards zero, as amounts are: nobody is promised more. */
const down = BigNumber.ROUND_DOWN

/**
 * A price, given as a decimal string, as people read it: 8 significant digits, and 2 decimals from
 * 1000 up. No exponent, no trailing zeros below 1000.
 *
 * @example formatPrice('151253.068377606666', { group: true }) // '151,253.06'
 * @example formatPrice('0.00000652675123456', { group: true }) // '0.0000065267512'
 */
export function formatPrice(price: string, { group }: AmountStyle): string {
  const value = new BigNumber(price)
  if (value.gte(1000)) return grouped(value.toFixed(2, down), group)
  return value.precision(8, down).toFixed()
}

/**
 * A price for a column in which prices stand below each other: 5 significant digits, trailing zeros
 * included, and 2 decimals from 1000 up.
 *
 * @example formatTablePrice('1', { group: true }) // '1.0000'
 * @example formatTablePrice('78606.05', { group: true }) // '78,606.05'
 */
export function formatTablePrice(price: string, { group }: AmountStyle): string {
  const value = new BigNumber(price)
  if (value.gte(1000)) return grouped(value.toFixed(2, down), group)
  if (value.isZero()) return '0'
  const magnitude = value.e ?? 0
  return value.toFixed(Math.max(0, 4 - magnitude), down)
}

const steps = [
  { suffix: 'B', power: 9 },
  { suffix: 'M', power: 6 },
  { suffix: 'k', power: 3 },
] as const

/**
 * Atomics in short, where only the magnitude matters: one decimal and `k`, `M` or `B` from 1000 up,
 * 3 significant digits below.
 *
 * @example formatShort(41_260_012_345_678n, 8) // '412.6k'
 */
export function formatShort(atomics: bigint, decimals: number): string {
  const value = new BigNumber(atomics.toString()).shiftedBy(-decimals)
  const step = steps.find(({ power }) => value.gte(10 ** power))
  if (step === undefined) return value.precision(3, down).toFixed()
  return `${value.shiftedBy(-step.power).toFixed(1, down)}${step.suffix}`
}

/**
 * Quote atomics per base atomic as quote units per base unit, every digit kept.
 *
 * @example scalePrice('0.00065', { base: 8, quote: 6 }) // '0.065'
 */
export const scalePrice = (price: string, decimals: { base: number; quote: number }): string =>
  new BigNumber(price).shiftedBy(decimals.base - decimals.quote).toFixed()

function grouped(text: string, group: boolean): string {
  const [whole = '', fraction = ''] = text.split('.')
  return `${group ? groupThousands(whole) : whole}.${fraction}`
}
