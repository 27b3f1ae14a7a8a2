import { SwapError } from '../engine/errors.js'
import type { Market } from '../engine/market/market.js'
import type { Coin, Denom } from '../engine/market/token.js'
import { MAX_UINT128, parseUint128 } from '../engine/math/decimal.js'
import { formatUnits } from '../engine/math/units.js'
import { keptWith } from '../platform/memoize.js'
import { typedName, uniqueNames } from './unique-names.js'
import { worthIn } from './worth.js'

/** How an amount is written, for an error's next step. */
export const AMOUNT_HINT =
  'write atomics as a string of digits: 1.5 of a token with 8 decimals is "150000000"'

/**
 * Reads an amount of a request: digits in a string, or an integer that JSON holds exactly. Zero,
 * signs, fractions, exponents and anything above 2^128 − 1 are refused.
 */
export function readAmount(value: string | number, pointer: string): bigint {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? `${value}` : value
  const amount = typeof text === 'string' ? parseUint128(text) : undefined
  if (amount !== undefined && amount > 0n) return amount
  throw new SwapError('INVALID_AMOUNT', `${shortJson(value)} is not an amount`, {
    why: `an amount is a whole number of atomics above zero and at most ${MAX_UINT128}`,
    hint: AMOUNT_HINT,
    members: { pointer },
  })
}

/** Characters of a value that an error repeats, at most. */
export const MOST_SHOWN = 48

/** A member's value for a sentence, as JSON. */
export const shortJson = (value: unknown): string =>
  shortened(JSON.stringify(value) ?? 'nothing', MOST_SHOWN)

/** A text of at most so many characters; a longer one ends in dots. */
export const shortened = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 3)}...` : text

/** A coin for sentences, exact. @example '1.5 BTC' */
export function formatCoin(market: Pick<Market, 'tokens'>, denom: Denom, amount: bigint): string {
  const token = market.tokens.get(denom)
  if (token === undefined) return `${amount} of ${denom}`
  return `${formatUnits(amount, token.decimals)} ${formatToken(market, denom)}`
}

const namesOf = keptWith((tokens: Market['tokens']) => uniqueNames({ tokens }))

/** A token for sentences: by a name that no other token has. @example 'BTC', 'USDC.eth' */
export const formatToken = ({ tokens }: Pick<Market, 'tokens'>, denom: Denom): string =>
  namesOf(tokens)(denom) ?? denom

/** A token for commands that are shown to be pasted. @example 'btc', 'usdc.eth' */
export const typedToken = ({ tokens }: Pick<Market, 'tokens'>, denom: Denom): string =>
  typedName(namesOf(tokens)(denom), denom)

/** A ratio in both units that it can be typed in: `5 % (500 bps)`; `bps` has at most two decimals. */
export const ratioText = (bps: number): string => `${Number((bps / 100).toFixed(4))} % (${bps} bps)`

type TwoHints = { readonly cli: string; readonly http: string }

/**
 * A hint to sell the largest amount that passes, or how to find a smaller one if most of the value would be
 * lost.
 */
export function sellLess(market: Market, sold: Coin, paid: Coin, flags = ''): TwoHints {
  const soldText = `sell ${formatCoin(market, sold.denom, sold.amount)} or less`
  const worthOf = worthIn(market)
  const [soldWorth, paidWorth] = [worthOf(sold), worthOf(paid)]
  const isLoss =
    soldWorth !== undefined &&
    paidWorth !== undefined &&
    2n * paidWorth.numerator * soldWorth.denominator < soldWorth.numerator * paidWorth.denominator
  if (!isLoss) return { cli: soldText, http: soldText }
  const lost = `${soldText}; most of that would be lost`
  const tokens = `${typedToken(market, sold.denom)} ${typedToken(market, paid.denom)}`
  return {
    cli: `${lost}: swap max ${tokens} --max-impact 5%${flags} finds a better amount`,
    http: `${lost}: sell much less`,
  }
}

/** A venue's refusal for sentences, with a remark that its amounts are in base units. */
export const refusalText = (why: string): string =>
  /\d/.test(why) ? `${why} (amounts in base units)` : why
