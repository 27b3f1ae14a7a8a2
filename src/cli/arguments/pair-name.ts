import type { Config } from '../../config/load.js'
import { invalidRequest, SwapError } from '../../engine/errors.js'
import type { Market } from '../../engine/market/market.js'
import type { PairDenoms } from '../../engine/market/pair.js'
import type { Token } from '../../engine/market/token.js'
import { tradedTokens } from '../../operations/names.js'
import { attempt } from '../../platform/attempt.js'
import { pairEnd } from '../../render/names.js'
import { quote } from '../../render/width.js'
import type { Context } from '../command.js'
import { callOf } from './swap-words.js'
import { resolveToken } from './token-names.js'

/** A pair by its address or its two tokens in any order: `btc/usdc`, or `btc/usdc#9d4q` if there are several. */
export function pairNamed({ config, out }: Context, market: Market, text: string): string {
  if (isPair(market, text)) return text
  const { name, end } = withoutEnd(text)
  const halves = splits(name)
  const listed = [...market.tokens.values()]
  if (halves.length === 0) {
    const isToken = knownToken(text, listed, config.aliases) !== undefined
    const list = isToken ? `its pairs: ${callOf('pairs', text)}` : 'all of them: swap pairs'
    throw new SwapError('NOT_FOUND', `${quote(text)} is not a pair`, {
      why: 'a pair is named by its address, or by its two tokens with a slash',
      hint: `write e.g. btc/usdc; ${list}`,
      members: { pairs: [] },
    })
  }
  const found = halves.flatMap(([left, right]) => {
    const known = [left, right].map((word) => knownToken(word, listed, config.aliases))
    const [a, b] = known
    if (a === undefined || b === undefined) return []
    const named = pairsBetween(market, a.token.denom, b.token.denom)
    const isNamed = named.some((each) => each.endsWith(end))
    if (isNamed) for (const { note } of [a, b]) if (note !== undefined) out.note(note)
    return named
  })
  if (found.length === 0) refuseUnknown(halves[0]!, market, config.aliases)
  return onlyPair(text, [...new Set(found)], '')
}

/**
 * The one of the pairs of two tokens that a name means.
 *
 * @param kind `open ` if these are the open ones alone
 * @throws SwapError NOT_FOUND unless it is one
 */
export function onlyPair(text: string, of: readonly string[], kind: '' | 'open '): string {
  const { name, end } = withoutEnd(text)
  const pairs = of.filter((address) => address.endsWith(end))
  const [only, second] = pairs
  if (only !== undefined && second === undefined) return only
  const what = only === undefined ? `is no ${kind}pair` : `names ${pairs.length} ${kind}pairs`
  throw new SwapError('NOT_FOUND', `${quote(text)} ${what}`, {
    why:
      only !== undefined
        ? 'several books trade these two'
        : of.length === 0
          ? `no ${kind}book trades these two`
          : `no ${kind}book of these two has an address that ends in ${end}`,
    hint:
      of.length === 0
        ? `see what trades one of them: ${callOf('pairs', splits(name)[0]![0])}`
        : `name one of them: ${of.map((each) => `${name}${pairEnd(each)}`).join(' or ')}`,
    members: { pairs },
  })
}

/**
 * The two tokens of a name such as `btc/usdc`, by the first reading that has two; `undefined` without a slash.
 *
 * @throws `failure`, by default what `token` throws for the first reading, if there is none
 */
export function tokensOf<T>(
  text: string,
  token: (word: string) => T,
  failure?: unknown,
): readonly [T, T] | undefined {
  for (const [left, right] of splits(withoutEnd(text).name))
    try {
      return [token(left), token(right)]
    } catch (error) {
      failure ??= error
    }
  if (failure === undefined) return undefined
  throw failure
}

/**
 * The denom of the token that a text names; explains a pair that is given for a token.
 *
 * @param pointer the member of the request, for errors
 * @param callOf the call for the two tokens of a pair
 * @throws SwapError UNKNOWN_TOKEN, AMBIGUOUS_TOKEN, INVALID_REQUEST for the name of a pair
 */
export function denomNamed(
  { token }: { readonly token: (text: string, pointer: string) => Token },
  name: string,
  pointer: string,
  callOf: (first: string, second: string) => string,
): string {
  try {
    return token(name, pointer).denom
  } catch (error) {
    const isKnown = (word: string): string => {
      token(word, '')
      return word
    }
    const [first, second] = tokensOf(name, isKnown, error)!
    throw invalidRequest(`${quote(name)} is a pair, where a token is expected`, pointer, {
      why: `it names two tokens, ${first} and ${second}`,
      hint: `write ${callOf(first, second)}`,
    })
  }
}

/** The error for an unknown token, with a count and suggestions of tokens traded in open books. */
function refuseUnknown(words: readonly string[], market: Market, aliases: Config['aliases']): void {
  const all = [...market.tokens.values()]
  const traded = tradedTokens(market)
  for (const word of words) {
    if (knownToken(word, all, aliases) !== undefined) continue
    const open = all.filter(({ denom }) => traded.has(denom))
    resolveToken(word, open, aliases, '/pair')
    resolveToken(word, all, aliases, '/pair')
  }
}

/** Splits a name from the address suffix that tells pairs of one name apart. */
function withoutEnd(text: string): { readonly name: string; readonly end: string } {
  const [, name = text, end = ''] = /^(.+)#([a-z0-9]+)$/.exec(text) ?? []
  return { name, end }
}

/** Whether a text is the address of a pair, open or not. */
export const isPair = (market: Market, text: string): boolean =>
  market.books.has(text) || market.excluded.some(({ address }) => address === text)

/** Every way to split a text into two names: a denom may contain a slash itself. */
function splits(text: string): readonly (readonly [string, string])[] {
  const parts = text.split('/')
  return parts.slice(1).flatMap((_, i) => {
    const [left, right] = [parts.slice(0, i + 1).join('/'), parts.slice(i + 1).join('/')]
    return left === '' || right === '' ? [] : [[left, right] as const]
  })
}

const knownToken = (...call: Parameters<typeof resolveToken>) =>
  attempt(() => resolveToken(...call), SwapError)

const isOf = ({ base, quote: other }: PairDenoms, a: string, b: string): boolean =>
  (base === a && other === b) || (base === b && other === a)

export const openPairs = ({ books }: Market, a: string, b: string): readonly string[] =>
  [...books.values()].flatMap(({ state: { pair } }) => (isOf(pair, a, b) ? [pair.address] : []))

/** The open pairs of two denoms, otherwise the excluded ones. */
function pairsBetween(market: Market, a: string, b: string): readonly string[] {
  const open = openPairs(market, a, b)
  if (open.length > 0) return open
  return market.excluded.flatMap(({ address, denoms }) =>
    denoms !== undefined && isOf(denoms, a, b) ? [address] : [],
  )
}
