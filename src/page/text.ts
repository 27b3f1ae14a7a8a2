import { groupThousands } from '../engine/math/counted.js'
import { formatUnits } from '../engine/math/units.js'
import { formatAmount } from '../render/amount.js'
import type { PageToken } from './tokens.js'

/** The sentence before numbers of which some rest on something unknown. */
export const estimateText = (numbers: readonly { readonly exact?: boolean | null }[]): string =>
  numbers.some(({ exact }) => exact === false)
    ? 'An estimate: not every book is known in full. '
    : ''

/** A coin of a document. */
type Coin = { readonly denom: string; readonly amount: string }

/** Names of tokens on the page; an unknown denom is its own name. */
export type Names = (denom: string) => Pick<PageToken, 'label' | 'decimals'>

export const namesOf = (tokens: readonly PageToken[]): Names => {
  const byDenom = new Map(tokens.map((token) => [token.denom, token]))
  return (denom) => byDenom.get(denom) ?? { label: denom, decimals: 0 }
}

/** An amount for reading, rounded towards zero; with `formatPayment` up, as what is paid. @example '227,818.77 RUNE' */
export function coinText({ denom, amount }: Coin, names: Names, format = formatAmount): string {
  const { label, decimals } = names(denom)
  return `${format(BigInt(amount), decimals, { tty: true })} ${label}`
}

/** An amount with every digit. @example '227,818.77035134 RUNE' */
export function exactCoinText({ denom, amount }: Coin, names: Names): string {
  const { label, decimals } = names(denom)
  const [whole = '', fraction] = formatUnits(BigInt(amount), decimals).split('.')
  return `${groupThousands(whole)}${fraction === undefined ? '' : `.${fraction}`} ${label}`
}

/** A decimal of a document, for reading: 8 significant digits, and 2 decimals from 1000 up. */
export function decimalText(text: string): string {
  const [whole = '', fraction = ''] = text.split('.')
  return formatAmount(BigInt(whole + fraction), fraction.length, { tty: true })
}

/** Dollars of a document, rounded towards zero; nothing where they are unknown. @example '$1,234' */
export function dollarsText(usd: string | null): string {
  if (usd === null) return ''
  const [whole = '', fraction = ''] = usd.replace('-', '').split('.')
  const sign = usd.startsWith('-') ? '-' : ''
  if (whole === '0' && /^00.*[1-9]/.test(fraction)) return sign === '' ? '<$0.01' : '>-$0.01'
  if (whole.length > 3) return `${sign}$${groupThousands(whole)}`
  return `${sign}$${whole}.${fraction.slice(0, 2).padEnd(2, '0')}`
}

/** A height or a count, with commas. */
export const numberText = (count: number): string => count.toLocaleString('en')

/** Joins a number and its unit without a line break. */
const SPACE = '\u00a0'

/** Basis points of a document as percent, as `formatBps` writes them; unknown is a dash. @example '1.61 %' */
export function bpsText(bps: number | null): string {
  if (bps === null) return '-'
  const hundredths = Math.sign(bps) * Math.round(Math.abs(bps))
  const least = bps < 0 ? '>-0.01' : '<0.01'
  const text = bps !== 0 && hundredths === 0 ? least : (hundredths / 100).toFixed(2)
  return `${text}${SPACE}%`
}

/** A share of the whole, a decimal of a document, as percent. @example '57.39 %' */
export function shareText(fraction: string): string {
  const [whole = '0', decimals = ''] = fraction.split('.')
  const hundredths = `${whole}${decimals.slice(0, 4).padEnd(4, '0')}`.replace(/^0+(?=\d{3})/, '')
  return `${hundredths.slice(0, -2)}.${hundredths.slice(-2)}${SPACE}%`
}

/** The tokens between the first and the last of a path. */
export const viaText = (path: readonly string[], names: Names): string =>
  path.length <= 2
    ? 'direct'
    : `via ${path
        .slice(1, -1)
        .map((denom) => names(denom).label)
        .join(', ')}`

/** Tokens with arrows between them. */
export const pathText = (path: readonly string[], names: Names): string =>
  path.map((denom) => names(denom).label).join(' → ')
