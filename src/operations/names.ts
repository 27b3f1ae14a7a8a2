import { SwapError } from '../engine/errors.js'
import type { Book } from '../engine/market/book.js'
import { type Affiliate, type Market, prefixOf } from '../engine/market/market.js'
import type { Denom } from '../engine/market/token.js'
import { counted } from '../engine/math/counted.js'
import { isKnown } from '../engine/routing/query.js'
import { shortened } from './amount.js'

/** A name of the request for sentences. */
const shownName = (name: string): string => shortened(name, 80)

/** The denoms that open books trade. */
export const tradedTokens = ({ books }: Market): ReadonlySet<Denom> =>
  new Set([...books.values()].flatMap(({ state: { pair } }) => [pair.base, pair.quote]))

/** Maximum number of suggestions. */
const SUGGESTED = 3

/** Refuses a denom that is not a token of the market, with suggestions. */
export function requireToken(market: Market, denom: Denom, pointer: string): void {
  if (market.tokens.has(denom)) return
  const candidates = nearest(market, denom)
  throw new SwapError(
    'UNKNOWN_TOKEN',
    `no token of this market has the denom "${shownName(denom)}"`,
    {
      why: `${tradedTokens(market).size} tokens are traded on ${market.network}`,
      hint: {
        cli: listHint(candidates, 'swap tokens'),
        http: listHint(candidates, 'GET /swap/tokens'),
      },
      members: { pointer, candidates },
    },
  )
}

const listHint = (candidates: readonly { denom: string }[], list: string): string =>
  candidates.length > 0
    ? `did you mean ${candidates.map(({ denom }) => denom).join(', ')}? all: ${list}`
    : `list them: ${list}`

/** An open pair's book by its address. @throws SwapError NOT_FOUND, MARKET_HALTED */
export function requireBook(market: Market, address: string): Book {
  const book = market.books.get(address)
  if (book === undefined) throw pairNotOpen(market, address)
  return book
}

/**
 * The reason of an exclusion for people, without a status that the contract repeats and the words that a node adds
 * to every refusal.
 *
 * @example reasonText('halted: not read: halted: retired: query wasm contract failed') // 'halted: not read: retired'
 */
export const reasonText = (reason: string): string =>
  reason
    .replace(/: query wasm contract failed(: unknown request)?$/, '')
    .replace(/^(\w+: )(.*: )\1/, '$1$2')

/** The reason that a pair has no book: halted, excluded, or unknown. */
export function pairNotOpen(market: Market, address: string): SwapError {
  const excluded = market.excluded.find((each) => each.address === address)
  if (excluded?.status === 'halted')
    return new SwapError('MARKET_HALTED', 'the pair is halted', {
      why: reasonText(excluded.reason),
      hint: {
        cli: 'wait until it is open again: swap doctor market',
        http: 'wait until it is open again',
      },
      members: { pair: address },
    })
  return new SwapError(
    'NOT_FOUND',
    `${shownName(address)} is not an open pair of ${market.network}`,
    {
      why: excluded
        ? reasonText(excluded.reason)
        : `${counted(market.books.size, 'open pair')} at block ${market.height}`,
      hint: {
        cli: 'list them: swap pairs',
        http: 'GET /swap/snapshot lists the open pairs; those left out are in excluded of every answer',
      },
      members: { pair: shownName(address) },
    },
  )
}

/** Refuses names in `via` and `exclude` that are neither a token nor a pair. */
export function requireNames(market: Market, names: readonly string[], pointer: string): void {
  for (const [i, name] of names.entries())
    if (!isKnown(market, name)) requireToken(market, name, `${pointer}/${i}`)
}

/** The registered affiliate of a code; an unknown code is refused, never ignored. */
export function requireAffiliate(market: Market, code: string | undefined): Affiliate | undefined {
  if (code === undefined) return undefined
  const affiliate = market.router.affiliates.get(code)
  if (affiliate !== undefined) return affiliate
  const codes = [...market.router.affiliates.keys()].sort()
  throw new SwapError(
    'INVALID_AFFILIATE',
    `"${shownName(code)}" is not registered with the router`,
    {
      why: codes.length
        ? `registered are: ${codes.slice(0, 8).join(', ')}`
        : 'no code is registered',
      hint: 'use a registered code, or leave the affiliate out',
      members: { pointer: '/affiliate' },
    },
  )
}

/**
 * Refuses a text that is not an account address of the network.
 *
 * @param prefix the network's address prefix
 * @param fault the predicate of the error message, after the address
 * @throws SwapError INVALID_ADDRESS
 */
export async function requireAddress(
  address: string | undefined,
  prefix: string,
  pointer: string,
  fault = 'is not an account of this network',
): Promise<void> {
  if (address === undefined) return
  const { addressFault } = await import('./address.js')
  const why = addressFault(address, prefix)
  if (why === undefined) return
  throw new SwapError('INVALID_ADDRESS', `"${shownName(address)}" ${fault}`, {
    why,
    hint: `give an address that starts with ${prefix}1`,
    members: { pointer },
  })
}

/**
 * Refuses a recipient that is not an address of the network, or is its router or a pair.
 *
 * @throws SwapError INVALID_ADDRESS
 */
export async function requireRecipient(
  market: Market,
  recipient: string | undefined,
): Promise<void> {
  const fault = `cannot be paid on ${market.network}`
  await requireAddress(recipient, prefixOf(market.router.address), '/recipient', fault)
  if (recipient === undefined) return
  const isRouter = recipient === market.router.address
  if (!isRouter && !isKnown(market, recipient)) return
  throw new SwapError(
    'INVALID_ADDRESS',
    `"${shownName(recipient)}" is not paid: it is ${isRouter ? 'the router' : 'a pair'}`,
    {
      why: 'coins that it is sent belong to no account: they would be lost',
      hint: 'give the address of an account, or leave the recipient out to pay the sender',
      members: { pointer: '/recipient' },
    },
  )
}

/** The tokens whose denom or symbol shares the longest prefix with a name; ties by denom. */
function nearest(market: Market, name: string): readonly { denom: string; symbol: string }[] {
  const lowerName = name.toLowerCase()
  const score = (text: string): number => {
    const other = text.toLowerCase()
    let shared = 0
    while (shared < lowerName.length && lowerName[shared] === other[shared]) shared += 1
    return shared
  }
  return [...market.tokens.values()]
    .map(({ denom, symbol }) => ({ denom, symbol, rank: Math.max(score(denom), score(symbol)) }))
    .filter(({ rank }) => rank >= Math.min(2, lowerName.length) && rank > 0)
    .sort((a, b) => b.rank - a.rank || (a.denom < b.denom ? -1 : 1))
    .slice(0, SUGGESTED)
    .map(({ denom, symbol }) => ({ denom, symbol }))
}
