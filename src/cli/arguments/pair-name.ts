import { SwapError } from '../../engine/errors.js'
import type { Market } from '../../engine/market/market.js'
import type { PairDenoms } from '../../engine/market/pair.js'
import { tradedTokens } from '../../operations/names.js'
import { pairEnd } from '../../render/names.js'
import { quote } from '../../render/width.js'
import type { Context } from '../command.js'
import { resolveToken } from './token-names.js'

type Aliases = Context['config']['aliases']

/** A pair by its address or its two tokens in any order: `btc/usdc`, or `btc/usdc#9d4q` if there are several. */
export function pairNamed({ config, out }: Context, market: Market, text: string): string {
  if (isPair(market, text)) return text
  const { name, end } = withoutEnd(text)
  const halves = splits(name)
  const listed = [...market.tokens.values()]
  if (halves.length === 0)
    throw new SwapError('NOT_FOUND', `${quote(text)} is no pair`, {
      why: 'a pair is named by its address, or by its two tokens with a slash',
      hint: 'e.g. swap book btc/usdc; all of them: swap pairs',
      members: { pairs: [] },
    })
  const found = halves.flatMap(([left, right]) => {
    const known = [left, right].map((word) => tokenOrError(word, listed, config.aliases))
    const [a, b] = known
    if (a === undefined || b === undefined) return []
    const named = pairsBetween(market, a.token.denom, b.token.denom)
    const pairs = named.filter((each) => each.endsWith(end))
    if (pairs.length > 0) for (const { note } of [a, b]) if (note !== undefined) out.note(note)
    return pairs
  })
  const pairs = [...new Set(found)]
  const [only, second] = pairs
  if (only !== undefined && second === undefined) return only
  if (only === undefined) refuseUnknown(halves[0]!, market, config.aliases)
  const what = only === undefined ? 'is no pair' : `names ${pairs.length} pairs`
  throw new SwapError('NOT_FOUND', `${quote(text)} ${what}`, {
    why: only === undefined ? 'no book trades these two' : 'several books trade these two',
    hint: pairHint(name, pairs),
    members: { pairs },
  })
}

/** The error for an unknown token, with a count and suggestions of tokens traded in open books. */
function refuseUnknown(words: readonly string[], market: Market, aliases: Aliases): void {
  const all = [...market.tokens.values()]
  const traded = tradedTokens(market)
  for (const word of words) {
    if (tokenOrError(word, all, aliases) !== undefined) continue
    const open = all.filter(({ denom }) => traded.has(denom))
    resolveToken(word, open, aliases, '/pair')
    resolveToken(word, all, aliases, '/pair')
  }
}

/** Splits a name from the address suffix that tells pairs of one name apart. */
export function withoutEnd(text: string): { readonly name: string; readonly end: string } {
  const [, name = text, end = ''] = /^(.+)#([a-z0-9]+)$/.exec(text) ?? []
  return { name, end }
}

/** How one of several pairs of a name is named. */
export const pairHint = (name: string, addresses: readonly string[]): string =>
  addresses.length === 0
    ? 'list them: swap pairs'
    : `name one of them: ${addresses.map((each) => `${name}${pairEnd(each)}`).join(' or ')}`

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

function tokenOrError(...call: Parameters<typeof resolveToken>) {
  try {
    return resolveToken(...call)
  } catch (error) {
    if (error instanceof SwapError) return undefined
    throw error
  }
}

const isOf = ({ base, quote: other }: PairDenoms, a: string, b: string): boolean =>
  (base === a && other === b) || (base === b && other === a)

/** The addresses of the open pairs of two denoms. */
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
