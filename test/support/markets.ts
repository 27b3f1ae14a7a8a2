import { drawBetween, drawOne, type Random, seededRandom } from '../../src/demo/market/random.js'
import type { Book } from '../../src/market/book.js'
import { groupAt } from '../../src/market/compiled-side.js'
import type { Affiliate, Market } from '../../src/market/market.js'
import { askDenom, type PairState, type Side, sideOf } from '../../src/market/pair.js'
import { shownBook } from '../../src/market/resting.js'
import type { Coin, Denom } from '../../src/market/token.js'
import { type Decimal, decimal, formatDecimal, inverse, ONE } from '../../src/math/decimal.js'
import { truncateFloor } from '../../src/math/tick.js'
import { ArithmeticAbort } from '../../src/math/uint.js'
import { type Graph, graphOf } from '../../src/routing/graph.js'
import type { Limits } from '../../src/routing/query.js'
import { decodeSnapshot } from '../../src/snapshot/decode.js'

/** A generated pair in the words of a snapshot document. */
export type PairDocument = { readonly address: string } & Record<string, unknown>

/** A generated snapshot document; the same seed gives the same one on every machine. */
export type MarketDocument = { readonly pairs: readonly PairDocument[] } & Record<string, unknown>

/** A generated market with what a question needs. */
export type Drawn = {
  readonly seed: number
  readonly document: MarketDocument
  readonly market: Market
  readonly graph: Graph
  /** The market's own stream, for the questions asked of it. */
  readonly random: Random
}

/** What one market has in common. */
type Style = {
  readonly size: 'tiny' | 'small' | 'real'
  /** Every token is worth the same and every pair has the same steps: ties everywhere. */
  readonly level: boolean
  /** How far a pair's price may be off the fair one, in thousandths: cycles pay. */
  readonly noise: bigint
  /** Steps by which the two sides of a book may reach into each other. */
  readonly cross: bigint
  /** Whether some pairs are given by their book and not by their pools. */
  readonly books: boolean
}

/** How many markets a property draws: moderate by default, a hundred times as many with SWAP_LONG=1. */
export const seeds = (count: number): readonly number[] =>
  Array.from({ length: process.env['SWAP_LONG'] ? count * 100 : count }, (_, i) => i + 1)

export const between = (random: Random, low: number, high: number): number =>
  Number(drawBetween(random, [BigInt(low), BigInt(high)]))

/** True once in `n` times. */
export const once = (random: Random, n: number): boolean => between(random, 1, n) === 1

export const shuffled = <T>(random: Random, items: readonly T[]): readonly T[] =>
  items
    .map((item) => [random(), item] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, item]) => item)

/** One market: 4 to 10 tokens, 5 to 20 pairs, of one style. */
export function drawMarket(seed: number, force: Partial<Style> = {}): Drawn {
  const random = seededRandom(`market ${seed}`)
  const style: Style = {
    size: drawOne(random, ['tiny', 'small', 'real', 'real']),
    level: once(random, 5),
    noise: drawOne(random, [0n, 5n, 60n, 400n]),
    cross: drawOne(random, [0n, 0n, 1n, 2n]),
    books: once(random, 3),
    ...force,
  }
  const document = drawDocument(random, style)
  const market = decodeSnapshot(document, `seed ${seed}`)
  return { seed, document, market, graph: graphOf(market), random }
}

type TokenDraw = { readonly denom: Denom; readonly value: bigint }

function drawDocument(random: Random, style: Style): MarketDocument {
  const few = style.size !== 'real'
  const tokens = Array.from({ length: between(random, 4, few ? 6 : 10) }, (_, i) => ({
    denom: `t${i}`,
    value: style.level ? ONE : drawValue(random, style),
  }))
  const pairs = drawLinks(random, tokens, between(random, tokens.length + 1, few ? 11 : 18)).map(
    ([base, quote], i) => drawPair(random, style, base, quote, `pair${between(random, 10, 99)}.${i}`),
  )
  const twin = once(random, 3) || style.level ? pairs[0]! : undefined
  const document = {
    format: 'swap.snapshot/1',
    network: 'drawn-1',
    chain_id: 'drawn-1',
    height: 7,
    time: '2026-05-01T00:00:00Z',
    tokens: tokens.map(encodeToken),
    usd: 't0',
    router: drawRouter(random, tokens),
    arbs: [],
    pairs: twin ? [...pairs, { ...twin, address: 'pair50.twin' }] : pairs,
  }
  return style.books ? withBooks(random, document) : document
}

/** Atomics of worth per atomic, in 18 digits: far from one in large markets. */
function drawValue(random: Random, { size }: Style): bigint {
  const reach = size === 'tiny' ? 1 : size === 'small' ? 3 : 4
  return BigInt(between(random, 100, 999)) * 10n ** BigInt(15 + between(random, -reach, reach))
}

/** A tree over all tokens and some more pairs, parallel ones among them. */
function drawLinks(random: Random, tokens: readonly TokenDraw[], count: number) {
  const any = () => tokens[between(random, 0, tokens.length - 1)]!
  const links = tokens
    .slice(1)
    .map((token, i): [TokenDraw, TokenDraw] => [token, tokens[between(random, 0, i)]!])
  while (links.length < count) {
    const [a, b] = once(random, 4) ? links[between(random, 0, links.length - 1)]! : [any(), any()]
    if (a !== b) links.push(once(random, 2) ? [a, b] : [b, a])
  }
  return links
}

const encodeToken = ({ denom }: TokenDraw) => ({
  denom,
  decimals: 8,
  symbol: denom.toUpperCase(),
  name: denom,
  chain: 'DRAWN',
  kind: 'native',
  contract: null,
  logo_uri: null,
})

const drawRouter = (random: Random, tokens: readonly TokenDraw[]) => ({
  address: 'router',
  dialect: once(random, 2) ? 'forward' : 'stack',
  fee_bps: drawOne(random, [0, 1, 10, 30]),
  affiliates: {
    acme: { affiliate_fee_bps: 50, referral_fee_share_bps: 1000 },
    most: { affiliate_fee_bps: 9_990, referral_fee_share_bps: 10_000 },
    free: { affiliate_fee_bps: 0, referral_fee_share_bps: 3_333 },
  },
  balances: Object.fromEntries(
    once(random, 4)
      ? tokens
          .filter(() => once(random, 2))
          .map(({ denom }) => [denom, `${between(random, 0, drawOne(random, [3, 10_000]))}`])
      : [],
  ),
})

/** What one draw of a pair has in common. */
type Frame = Style & {
  readonly random: Random
  readonly base: TokenDraw
  readonly quote: TokenDraw
  readonly mid: Decimal
  readonly tick: number
  /** Distance between neighbouring prices, in thousandths of the middle. */
  readonly spacing: bigint
  readonly overlap: bigint
}

function drawPair(
  random: Random,
  style: Style,
  base: TokenDraw,
  quote: TokenDraw,
  address: string,
): PairDocument {
  const off = 1000n + drawBetween(random, [-style.noise, style.noise])
  const mid = decimal((base.value * ONE * off) / (quote.value * 1000n))
  const spacing = style.level ? 10n : drawOne(random, [1n, 7n, 20n, 90n])
  const overlap = drawBetween(random, [0n, style.cross])
  const tick = drawOne(random, [3, 6, 6, 8])
  const frame: Frame = { ...style, random, base, quote, mid, tick, spacing, overlap }
  const version = drawOne(random, ['1.0.0', '1.1.0', '1.1.0', '2.1.6', '2.0.4', undefined])
  const oracles = once(random, 4) ? ['BASE', 'QUOTE'] : null
  return {
    address,
    base: base.denom,
    quote: quote.denom,
    tick,
    fee_taker: drawOne(random, ['0', '0.0015', '0.0015', '0.015', '0.3']),
    fee_maker: '0',
    ...(version !== undefined && { fin_version: version }),
    oracles,
    pools: {
      base: drawPools(frame, 'ask', oracles !== null),
      quote: drawPools(frame, 'bid', oracles !== null),
    },
    makers: drawMakers(frame),
    ...(once(random, 3) && {
      balances: { base: `${drawAmount(frame, base)}`, quote: `${drawAmount(frame, quote)}` },
    }),
    status: 'open',
  }
}

type Lane = 'ask' | 'bid'

/** The price so many steps from the middle, outwards; the sides overlap by `overlap` steps. */
function priceAt({ mid, spacing, overlap, tick }: Frame, lane: Lane, steps: number): Decimal {
  const away = (BigInt(steps) - overlap) * spacing
  const factor = 1000n + (lane === 'ask' ? away : -away)
  return truncateFloor(decimal((mid * (factor > 10n ? factor : 10n)) / 1000n), tick)
}

/** Atomics of a token: of one atomic, or of about as much worth as for any other token. */
function drawAmount({ random, size }: Frame, { value }: TokenDraw): bigint {
  if (once(random, 12)) return BigInt(between(random, 1, 3))
  const worth =
    size === 'tiny'
      ? BigInt(between(random, 1, 60))
      : size === 'small'
        ? BigInt(between(random, 1, 100_000))
        : BigInt(between(random, 1, 999)) * 10n ** BigInt(between(random, 3, 9))
  const amount = (worth * ONE) / value
  return amount > 0n ? amount : 1n
}

function drawPools(frame: Frame, lane: Lane, oracles: boolean): readonly object[] {
  const { random } = frame
  const gives = lane === 'ask' ? frame.base : frame.quote
  const list = (count: number, bps: boolean) => {
    const steps = shuffled(random, [1, 2, 3, 4, 5, 6]).slice(0, count)
    const prices = steps.toSorted((a, b) => a - b).map((step) => priceAt(frame, lane, step))
    return [...new Set(prices)].map((price, i) => ({
      price: formatDecimal(price),
      total: `${drawAmount(frame, gives)}`,
      ...(bps && { bps: i * 10 }),
      // So far used up that its accounting has few digits left.
      ...(once(random, 150) && { sum: ['7'.repeat(76), 0], product: ['1', 60] }),
    }))
  }
  if (once(random, 8)) return []
  return [...list(between(random, 1, 4), false), ...(oracles ? list(between(random, 0, 2), true) : [])]
}

function drawMakers(frame: Frame): readonly object[] {
  const { random } = frame
  const count = drawOne(random, [0, 0, 1, 1, 2])
  return Array.from({ length: count }, (_, i) => {
    const address = `maker${between(random, 1, 9)}.${i}`
    if (once(random, 15)) return { address }
    return once(random, 3) ? drawQuoted(frame, address) : drawXyk(frame, address)
  })
}

function drawXyk(frame: Frame, address: string): object {
  const { random, base, quote, size } = frame
  const reserve = size === 'real' && !once(random, 4) ? 10n ** BigInt(between(random, 6, 10)) : 300n
  const x = max((reserve * BigInt(between(random, 10, 99)) * ONE) / base.value, 5n)
  const y = max((x * priceAt(frame, 'ask', between(random, 0, 2))) / ONE, 1n)
  const step = drawOne(random, ['0.01', '0.05', '0.1'])
  const least = ((x < y ? x : y) * BigInt(step.slice(2).padEnd(2, '0'))) / 100n
  const minQuote = max(least / drawOne(random, [1n, 2n, 6n, 20n]), 1n)
  const fee = drawOne(random, ['0', '0.001', '0.02'])
  const config = { step, min_quote: `${minQuote}`, fee }
  return {
    address,
    strategy: {
      xyk: once(random, 2)
        ? [{ x: base.denom, y: quote.denom, ...config }, { x: `${x}`, y: `${y}` }]
        : [{ x: quote.denom, y: base.denom, ...config }, { x: `${y}`, y: `${x}` }],
    },
  }
}

function drawQuoted(frame: Frame, address: string): object {
  const { random } = frame
  const lane = (side: Lane) =>
    Array.from({ length: between(random, 0, 3) }, (_, i) => {
      const rate = priceAt(frame, side, i + 1 + between(random, 0, 1))
      const price = side === 'ask' ? inverse(rate) : rate
      const size = drawAmount(frame, side === 'ask' ? frame.base : frame.quote)
      return { price: formatDecimal(price), size: `${once(random, 40) ? 0n : size}` }
    }).filter(({ price }) => price !== '0')
  const cut = () => once(random, 15)
  return {
    address,
    levels: { base: lane('ask'), quote: lane('bid') },
    levels_truncated: { base: cut(), quote: cut() },
  }
}

const max = (a: bigint, b: bigint): bigint => (a > b ? a : b)

/** Some pairs as a node answers without their storage: the book, perhaps cut, and perhaps makers. */
function withBooks(random: Random, document: MarketDocument): MarketDocument {
  const { books } = decodeSnapshot(document, 'drawn')
  const pairs = document.pairs.map((pair) => {
    const book = books.get(pair.address)
    if (book === undefined || once(random, 2)) return pair
    const limit = drawOne(random, [1, 2, 4, 30, 400])
    const { pools: _pools, makers, ...rest } = pair
    try {
      return {
        ...rest,
        ...(once(random, 3) ? {} : { makers }),
        book: encodeBook(book.state, limit),
      }
    } catch (error) {
      // A book that the contract itself aborts on is never seen.
      if (error instanceof ArithmeticAbort) return pair
      throw error
    }
  })
  return { ...document, pairs }
}

function encodeBook(state: PairState, limit: number): object {
  const [asks, bids] = [shownBook(state, 'ask', limit), shownBook(state, 'bid', limit)]
  return {
    base: asks.levels.map(encodeLevel),
    quote: bids.levels.map(encodeLevel),
    truncated: { base: asks.truncated, quote: bids.truncated },
  }
}

const encodeLevel = ({ rate, total }: { readonly rate: Decimal; readonly total: bigint }) => ({
  price: formatDecimal(rate),
  total: `${total}`,
})

/** One question to a market. */
export type Question = {
  readonly input: Coin
  readonly output: Denom
  readonly limits: Limits
  readonly affiliate: string | undefined
}

/** Two denoms, limits that are mostly open, and an amount near something that happens. */
export function drawQuestion({ random, market, graph }: Drawn): Question {
  const [from, output] = shuffled(random, graph.denoms)
  const name = () =>
    once(random, 2)
      ? graph.denoms[between(random, 0, graph.denoms.length - 1)]!
      : [...market.books.keys()][between(random, 0, market.books.size - 1)]!
  const names = () => Array.from({ length: once(random, 3) ? 2 : 1 }, name)
  const affiliate = drawOne(random, [undefined, undefined, 'acme', 'free', 'most'])
  const earns: Affiliate | undefined = market.router.affiliates.get(affiliate ?? '')
  const limits: Limits = {
    maxHops: drawOne(random, [1, 2, 3, 3, 4, 4, 4, 5]),
    via: once(random, 6) ? names() : [],
    exclude: once(random, 6) ? names() : [],
    affiliate: earns,
  }
  const input = { denom: from!, amount: drawOffer(random, market, from!) }
  return { input, output: output!, limits, affiliate }
}

/** Some atomics, any power of ten, or an offer near the end of one of the first levels of a book. */
export function drawOffer(random: Random, market: Market, denom: Denom): bigint {
  const kind = between(random, 0, 9)
  if (kind === 0) return BigInt(between(random, 1, 9))
  if (kind === 1) return BigInt(between(random, 1, 99)) * 10n ** BigInt(between(random, 0, 26))
  const books = [...market.books.values()].filter(({ state }) => sideOf(state.pair, denom))
  const book = books[between(random, 0, books.length - 1)]
  if (book === undefined) return 1n
  const side = sideOf(book.state.pair, denom)!
  let cost = costOf(book, side, between(random, 1, kind < 7 ? 2 : 6))
  if (kind < 5) cost = (cost * drawBetween(random, [1n, 1100n])) / 1000n
  const held = market.router.balances.get(denom) ?? 0n
  return max(cost - held + drawBetween(random, [-2n, 2n]), 1n)
}

/** What draining the first groups of a side costs, as far as it can be read. */
function costOf(book: Book, side: Side, groups: number): bigint {
  let cost = 0n
  try {
    for (let i = 0; i < groups; i += 1) {
      const group = groupAt(book.found(side), i)
      for (const { factor, size } of group ? [...group.pools, ...group.levels] : [])
        if (factor > 0n) cost += (size * ONE) / factor
    }
  } catch (error) {
    if (!(error instanceof ArithmeticAbort)) throw error
  }
  return cost
}

/** The denoms that a path visits, in order. */
export function denomsOf(market: Market, input: Denom, addresses: readonly string[]): Denom[] {
  const visited = [input]
  for (const address of addresses) {
    const { pair } = market.books.get(address)!.state
    visited.push(askDenom(pair, sideOf(pair, visited.at(-1)!)!))
  }
  return visited
}
