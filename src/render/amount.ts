import BigNumber from 'bignumber.js'
import { groupThousands } from '../engine/math/counted.js'
import { ceilDiv, decimalText } from '../engine/math/decimal.js'
import { unitsOf } from '../engine/math/units.js'
import type { Style } from './style.js'

/** How amounts are written: on a terminal with commas between thousands. */
type AmountStyle = Pick<Style, 'tty'>

/**
 * Atomics for display, rounded towards zero so that an amount is never overstated:
 * whole numbers without decimals, other amounts with 2 decimals from 1000 up, and with 8 significant
 * digits below. Only a zero amount is formatted as 0.
 *
 * @example formatAmount(3_991_236_789_000n, 8, { tty: true }) // '39,912.36'
 * @example formatAmount(12_345_678_901n, 8, { tty: true }) // '123.45678'
 */
export function formatAmount(atomics: bigint, decimals: number, { tty }: AmountStyle): string {
  const { sign, whole, fraction } = unitsOf(atomics, decimals)
  const shown = grouped(whole, tty)
  if (/^0*$/.test(fraction)) return sign + shown
  const places = placesOf(whole, fraction)
  if (whole.length > 3) return `${sign}${shown}.${fraction.slice(0, places)}`
  return sign + decimalText(shown, fraction.slice(0, places))
}

/**
 * An amount that is paid: with the same digits, rounded up so that it is never understated.
 *
 * @example formatPayment(124_606_018_934n, 8, { tty: true }) // '1,246.07'
 */
export function formatPayment(atomics: bigint, decimals: number, style: AmountStyle): string {
  const unit = leastShown(atomics, decimals)
  return formatAmount(ceilDiv(atomics, unit) * unit, decimals, style)
}

/** The last digit that is shown of an amount, in atomics. */
function leastShown(atomics: bigint, decimals: number): bigint {
  const { whole, fraction } = unitsOf(atomics, decimals)
  return 10n ** BigInt(Math.max(0, decimals - placesOf(whole, fraction)))
}

/** Most digits after the point of an amount. */
function placesOf(whole: string, fraction: string): number {
  if (whole.length > 3) return 2
  return whole === '0' ? fraction.search(/[1-9]/) + 8 : 8 - whole.length
}

/**
 * The size of a change of an amount of the same token, with no more digits after the point than the amount has. One that would
 * be 0 then keeps its digits.
 *
 * @example formatChange(9_671_636_700n, 3_991_236_789_000n, 8, { tty: true }) // '96.71'
 */
export function formatChange(
  change: bigint,
  amount: bigint,
  decimals: number,
  style: AmountStyle,
): string {
  const unit = leastShown(amount, decimals)
  return formatAmount(change < unit ? change : change - (change % unit), decimals, style)
}

/** Significant digits of the least amount of a column. */
const LEAST_DIGITS = 3

/**
 * Atomics of one token for a column: all with the same number of digits after the point, so that the points are in line
 * and the least amount above zero shows three digits. Rounded towards zero.
 *
 * @example fixedAmounts([17_160_000n, 1_860_000n], 8, { tty: true }) // ['0.1716', '0.0186']
 */
export function fixedAmounts(
  atomics: readonly bigint[],
  decimals: number,
  { tty }: AmountStyle,
): readonly string[] {
  const digits = Math.min(
    ...atomics.filter((each) => each > 0n).map((each) => String(each).length),
    decimals + LEAST_DIGITS,
  )
  const places = Math.max(0, Math.min(decimals, decimals - digits + LEAST_DIGITS))
  return atomics.map((each) => {
    const { sign, whole, fraction } = unitsOf(each, decimals)
    const shown = sign + grouped(whole, tty)
    return places === 0 ? shown : `${shown}.${fraction.slice(0, places)}`
  })
}

/** Whole cents of dollars, a decimal; rounded towards zero. */
export function centsOf(usd: string): bigint {
  const [whole = '0', fraction = ''] = usd.split('.')
  return BigInt(whole + fraction.slice(0, 2).padEnd(2, '0'))
}

/** Hundredths of a unit, rounded: of basis points, of percent. */
export const hundredthsOf = (value: number): bigint => BigInt(Math.round(value * 100))

/**
 * Basis points as a percentage with two decimals, rounded half away from zero. Only zero is
 * formatted as zero; `null` (unknown) is `n/a`.
 *
 * @example formatBps(80) // '0.80 %'
 * @example formatBps(0.2) // '<0.01 %'
 */
export function formatBps(bps: number | null): string {
  if (bps === null || !Number.isFinite(bps)) return 'n/a'
  const percent = new BigNumber(bps).shiftedBy(-2)
  if (percent.isZero()) return '0.00 %'
  const rounded = percent.decimalPlaces(2, BigNumber.ROUND_HALF_UP)
  if (!rounded.isZero()) return `${rounded.toFixed(2)} %`
  return percent.isNegative() ? '>-0.01 %' : '<0.01 %'
}

/** As `formatBps`, with a `+` before gains. @example formatSignedBps(99) // '+0.99 %' */
export const formatSignedBps = (bps: number | null): string =>
  (bps !== null && bps > 0 ? '+' : '') + formatBps(bps)

/** One row of the table of severities: a word, a mark of width 1, and the role that goes with it. */
type Severity = {
  readonly word: 'low' | 'moderate' | 'notable' | 'high' | 'severe' | 'unknown'
  readonly mark: string
  readonly asciiMark: string
  readonly role: 'none' | 'warning' | 'bad'
  readonly bold: boolean
}

const severities: readonly (Severity & { readonly underBps: number })[] = [
  { underBps: 30, word: 'low', mark: '▁', asciiMark: '_', role: 'none', bold: false },
  { underBps: 100, word: 'moderate', mark: '▂', asciiMark: ':', role: 'none', bold: false },
  { underBps: 300, word: 'notable', mark: '▅', asciiMark: '+', role: 'warning', bold: false },
  { underBps: 500, word: 'high', mark: '▇', asciiMark: '#', role: 'bad', bold: false },
  { underBps: Infinity, word: 'severe', mark: '█', asciiMark: '!', role: 'bad', bold: true },
]

const unknown: Severity = {
  word: 'unknown',
  mark: '?',
  asciiMark: '?',
  role: 'none',
  bold: false,
}

/** How bad a price impact is. An impact in the user's favour (negative) is low; `null` is unknown. */
export const impactWord = (bps: number | null): Severity =>
  bps === null ? unknown : (severities.find(({ underBps }) => bps < underBps) ?? unknown)

/** A text in the style of a price impact's severity. */
export function paintImpact(text: string, bps: number | null, style: Style): string {
  const { role, bold } = impactWord(bps)
  const painted = role === 'none' ? text : style[role](text)
  return bold ? style.bold(painted) : painted
}

/**
 * A price impact in one piece. The word is that of the rounded number beside it.
 *
 * @example renderImpact(80, style) // '0.80 % ▂ moderate'
 */
export function renderImpact(bps: number | null, style: Style): string {
  const shown = bps === null ? null : Math.round(bps)
  const { word, mark, asciiMark } = impactWord(shown)
  return paintImpact(`${formatBps(bps)} ${style.ascii ? asciiMark : mark} ${word}`, shown, style)
}

/**
 * Dollars for display, rounded towards zero: whole from 1000 up, with cents below; less than a cent is `<$0.01` or `>-$0.01`.
 *
 * @example formatDollars('117908.71', { tty: true }) // '$117,908'
 */
export function formatDollars(usd: string, { tty }: AmountStyle): string {
  const value = new BigNumber(usd)
  const [sign, size] = [value.isNegative() ? '-' : '', value.abs()]
  if (size.isZero()) return '$0'
  if (size.lt(0.01)) return sign === '' ? '<$0.01' : '>-$0.01'
  if (size.lt(1000)) return `${sign}$${size.toFixed(2, BigNumber.ROUND_DOWN)}`
  const whole = size.toFixed(0, BigNumber.ROUND_DOWN)
  return `${sign}$${grouped(whole, tty)}`
}

/**
 * Dollars with cents, or two significant digits of what is below a cent, rounded towards zero; nothing where unknown. For
 * columns and profits, where `formatDollars` would drop cents.
 *
 * @example formatDollarsAndCents('9.4178', { tty: true }) // '$9.41'
 */
export function formatDollarsAndCents(usd: string | null, { tty }: AmountStyle): string {
  if (usd === null) return ''
  const [whole = '0', fraction = ''] = usd.split('.')
  const isSmall = whole === '0' && /[1-9]/.test(fraction) && !/^0?[1-9]/.test(fraction)
  if (isSmall) return `$${new BigNumber(usd).precision(2, BigNumber.ROUND_DOWN).toFixed()}`
  return `$${grouped(`${whole}.${fraction.slice(0, 2).padEnd(2, '0')}`, tty)}`
}

/** The same in a column that is headed by the dollar sign. */
export const dollarCell = (usd: string | null, style: AmountStyle): string =>
  orDash(usd, (known) => formatDollarsAndCents(known, style).slice(1))

/** The text of a cell; a dash where the value is not known. */
export const orDash = <T>(value: T | null | undefined, textOf: (value: T) => string): string =>
  value == null ? '-' : textOf(value)

/**
 * Formats a price, a decimal string, for display, rounded towards zero: 8 significant digits, and 2 decimals from
 * 1000 up. No exponent, no trailing zeros below 1000.
 *
 * @example formatPrice('151253.068377606666', { tty: true }) // '151,253.06'
 * @example formatPrice('0.00000652675123456', { tty: true }) // '0.0000065267512'
 */
export function formatPrice(price: string, { tty }: AmountStyle): string {
  const value = new BigNumber(price)
  if (value.gte(1000)) return grouped(value.toFixed(2, BigNumber.ROUND_DOWN), tty)
  return value.precision(8, BigNumber.ROUND_DOWN).toFixed()
}

/**
 * Formats a price for a table column, rounded towards zero: 5 significant digits, trailing zeros
 * included, and 2 decimals from 1000 up.
 *
 * @example formatTablePrice('1', { tty: true }) // '1.0000'
 * @example formatTablePrice('78606.05', { tty: true }) // '78,606.05'
 */
export function formatTablePrice(price: string, { tty }: AmountStyle): string {
  const value = new BigNumber(price)
  if (value.gte(1000)) return grouped(value.toFixed(2, BigNumber.ROUND_DOWN), tty)
  if (value.isZero()) return '0'
  const magnitude = value.e ?? 0
  return value.toFixed(Math.max(0, 4 - magnitude), BigNumber.ROUND_DOWN)
}

const steps = [
  { suffix: 'B', power: 9 },
  { suffix: 'M', power: 6 },
  { suffix: 'k', power: 3 },
] as const

/**
 * Atomics in short form, rounded towards zero: one decimal and `k`, `M` or `B` from 1000 up,
 * 3 significant digits below.
 *
 * @example formatShort(41_260_012_345_678n, 8) // '412.6k'
 */
export function formatShort(atomics: bigint, decimals: number): string {
  const value = new BigNumber(atomics.toString()).shiftedBy(-decimals)
  const step = steps.find(({ power }) => value.gte(10 ** power))
  if (step === undefined) return value.precision(3, BigNumber.ROUND_DOWN).toFixed()
  return `${value.shiftedBy(-step.power).toFixed(1, BigNumber.ROUND_DOWN)}${step.suffix}`
}

/**
 * Quote atomics per base atomic as quote units per base unit, every digit kept.
 *
 * @example scalePrice('0.00065', { base: 8, quote: 6 }) // '0.065'
 */
export const scalePrice = (price: string, decimals: { base: number; quote: number }): string =>
  new BigNumber(price).shiftedBy(decimals.base - decimals.quote).toFixed()

const grouped = (text: string, group: boolean): string => (group ? groupThousands(text) : text)
