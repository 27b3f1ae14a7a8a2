import { SwapError } from '../errors.js'
import { type Book, compileBook } from '../market/book.js'
import { type GasRules, usualGas } from '../market/gas.js'
import {
  AFFILIATE_ROUNDINGS,
  type Affiliate,
  DIALECTS,
  type Excluded,
  type Market,
  type Router,
} from '../market/market.js'
import type { Pair } from '../market/pair.js'
import type { Denom, Token, TokenKind } from '../market/token.js'
import { MAX_DECIMALS } from '../math/units.js'
import { type DecodedPools, decodeConfig, decodePair } from './decode-pair.js'
import {
  amount,
  coin,
  decimalOf,
  entries,
  integer,
  isAbsent,
  items,
  type JsonCursor,
  MalformedDocument,
  member,
  oneOf,
  optional,
  refuse,
  rootCursor,
  text,
} from './json-cursor.js'

/** The format that this program writes, and the only one it reads. */
export const SNAPSHOT_FORMAT = 'swap.snapshot/1'

/** The status of a pair with an unusable document; the reason explains it. */
const QUARANTINED = 'quarantined'

const KINDS: readonly TokenKind[] = ['native', 'secured', 'factory']

/** The place and the cause of an error in a document. */
export class InvalidSnapshot extends SwapError {
  constructor(path: string, pointer: string, message: string) {
    super('INVALID_SNAPSHOT', `${path} is not a market snapshot that can be read`, {
      why: pointer === '' ? message : `${pointer} ${message}`,
      hint: { cli: 'save one: swap snapshot save <file>', http: undefined },
      members: { path, pointer },
    })
  }
}

/**
 * Reads a snapshot document strictly. A malformed pair is quarantined whole, with its reason, in
 * `excluded`; anything malformed outside the pairs refuses the document with the pointer of the first
 * fault. Unknown members are ignored. `path` names the document in errors. `decoded` has parts of
 * earlier documents with the same tokens; new ones are added.
 */
export function decodeSnapshot(json: unknown, path: string, decoded?: DecodedParts): Market {
  try {
    return decodeMarket(rootCursor(json), decoded)
  } catch (error) {
    if (error instanceof MalformedDocument)
      throw new InvalidSnapshot(path, error.pointer, error.message)
    throw error
  }
}

function decodeMarket(root: JsonCursor, decoded: DecodedParts | undefined): Market {
  const format = text(member(root, 'format'))
  if (format !== SNAPSHOT_FORMAT)
    return refuse(member(root, 'format'), `must be ${SNAPSHOT_FORMAT}, not ${format.slice(0, 40)}`)
  const tokens = decodeTokens(member(root, 'tokens'))
  const { books, excluded } = decodePairs(member(root, 'pairs'), tokens, decoded)
  return {
    network: text(member(root, 'network')),
    chainId: text(member(root, 'chain_id')),
    height: integer(member(root, 'height'), 0, Number.MAX_SAFE_INTEGER),
    time: decodeTime(member(root, 'time')),
    tokens,
    usd: optional(member(root, 'usd'), text),
    router: decodeRouter(member(root, 'router')),
    gas: decodeGas(member(root, 'gas')),
    arbs: optional(member(root, 'arbs'), items)?.map(coin) ?? [],
    books,
    excluded,
  }
}

/** A time in UTC as RFC 3339 writes it. */
export const UTC_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/

function decodeTime(node: JsonCursor): string {
  const time = text(node)
  return UTC_TIME.test(time) ? time : refuse(node, 'must be an RFC 3339 time in UTC')
}

function decodeTokens(node: JsonCursor): ReadonlyMap<Denom, Token> {
  const tokens = new Map<Denom, Token>()
  for (const item of items(node)) {
    const token = decodeToken(item)
    if (tokens.has(token.denom)) return refuse(item, `lists ${token.denom} a second time`)
    tokens.set(token.denom, token)
  }
  return tokens
}

const decodeToken = (node: JsonCursor): Token => ({
  denom: text(member(node, 'denom')),
  decimals: integer(member(node, 'decimals'), 0, MAX_DECIMALS),
  symbol: text(member(node, 'symbol')),
  name: text(member(node, 'name')),
  chain: text(member(node, 'chain')),
  kind: oneOf(member(node, 'kind'), KINDS),
  contract: optional(member(node, 'contract'), text) ?? null,
  logoUri: optional(member(node, 'logo_uri'), text) ?? null,
})

function decodeRouter(node: JsonCursor): Router {
  const entriesOf = (name: string) => optional(member(node, name), entries) ?? []
  return {
    address: text(member(node, 'address')),
    dialect: oneOf(member(node, 'dialect'), DIALECTS),
    feeBps: BigInt(integer(member(node, 'fee_bps'), 0, 10_000)),
    affiliates: new Map(
      entriesOf('affiliates').map(([code, item]) => [code, decodeAffiliate(item)] as const),
    ),
    affiliateRounding: optional(member(node, 'affiliate_rounding'), (rounding) =>
      oneOf(rounding, AFFILIATE_ROUNDINGS),
    ),
    balances: new Map(entriesOf('balances').map(([denom, item]) => [denom, amount(item)] as const)),
  }
}

function decodeGas(node: JsonCursor): GasRules {
  if (isAbsent(node)) return usualGas
  return {
    percent: BigInt(integer(member(node, 'percent'), 1, 100_000)),
    limit: optional(member(node, 'limit'), amount),
    price: optional(member(node, 'price'), (price) => ({
      denom: text(member(price, 'denom')),
      amount: decimalOf(member(price, 'amount')),
    })),
  }
}

const decodeAffiliate = (node: JsonCursor): Affiliate => ({
  affiliateFeeBps: BigInt(integer(member(node, 'affiliate_fee_bps'), 0, 10_000)),
  referralFeeShareBps: BigInt(integer(member(node, 'referral_fee_share_bps'), 0, 10_000)),
})

type Pairs = { readonly books: ReadonlyMap<string, Book>; readonly excluded: readonly Excluded[] }

function decodePairs(
  node: JsonCursor,
  tokens: ReadonlyMap<Denom, Token>,
  decoded: DecodedParts | undefined,
): Pairs {
  const books = new Map<string, Book>()
  const excluded: Excluded[] = []
  const seen = new Set<string>()
  for (const item of items(node)) {
    const address = text(member(item, 'address'))
    if (seen.has(address)) return refuse(member(item, 'address'), `lists ${address} a second time`)
    seen.add(address)
    const document = Object(item.value) as object
    const outcome = decoded?.pairs.get(document) ?? decodeListed(item, tokens, decoded)
    decoded?.pairs.set(document, outcome)
    if ('detail' in outcome) {
      const { status, detail, identity: known } = outcome
      excluded.push({ address, status, reason: `${status}: ${detail}`, ...known })
    } else books.set(address, outcome)
  }
  return { books, excluded }
}

/** What was decoded from the objects of earlier documents. */
export type DecodedParts = {
  readonly pairs: WeakMap<object, Book | ExcludedStatus>
  readonly pools: DecodedPools
}

type PairIdentity = Pick<Excluded, 'denoms' | 'pair' | 'isRetired'>
type ExcludedStatus = {
  readonly status: string
  readonly detail: string
  readonly identity: PairIdentity
}

/** A decoded pair, or why it is excluded. */
function decodeListed(
  node: JsonCursor,
  tokens: ReadonlyMap<Denom, Token>,
  decoded: DecodedParts | undefined,
): Book | ExcludedStatus {
  try {
    const status = text(member(node, 'status'))
    if (status !== 'open')
      return { status, detail: reasonOf(member(node, 'reason')), identity: identityOf(node) }
    const state = decodePair(node, decoded?.pools)
    for (const side of ['base', 'quote'] as const)
      if (!tokens.has(state.pair[side]))
        refuse(member(node, side), `must be one of the document's tokens, not ${state.pair[side]}`)
    return compileBook(state)
  } catch (error) {
    if (error instanceof MalformedDocument)
      return {
        status: QUARANTINED,
        detail: `${error.pointer} ${error.message}`,
        identity: identityOf(node),
      }
    throw error
  }
}

/** Optional members of an excluded pair's document. */
function identityOf(node: JsonCursor): PairIdentity {
  const retired = member(node, 'retired').value === true && { isRetired: true }
  const pair = whereSound(() => decodeConfig(node))
  if (pair !== undefined) return { denoms: denomsOf(pair), pair, ...retired }
  const denoms = whereSound(() => ({
    base: text(member(node, 'base')),
    quote: text(member(node, 'quote')),
  }))
  return { ...(denoms && { denoms }), ...retired }
}

const denomsOf = ({ base, quote }: Pair) => ({ base, quote })

function whereSound<T>(decode: () => T): T | undefined {
  try {
    return decode()
  } catch (error) {
    if (error instanceof MalformedDocument) return undefined
    throw error
  }
}

/** A halted pair is halted whatever its reason says. */
const reasonOf = ({ value }: JsonCursor): string =>
  typeof value === 'string' && value !== '' ? value : 'no reason given'
