import { drawBetween, drawOne, type Random, seededRandom } from '../../src/demo/market/random.js'
import type { Book } from '../../src/market/book.js'
import { groupAt } from '../../src/market/compiled-side.js'
import type { Market } from '../../src/market/market.js'
import { askDenom, type PairState, type Side, sideOf } from '../../src/market/pair.js'
import { shownBook } from '../../src/market/resting.js'
import type { Coin, Denom } from '../../src/market/token.js'
import { type Decimal, decimal, formatDecimal, inverse, ONE } from '../../src/math/decimal.js'
import { truncateFloor } from '../../src/math/tick.js'
import { ArithmeticAbort } from '../../src/math/uint.js'
import { type Graph, graphOf } from '../../src/routing/graph.js'
import type { Limits } from '../../src/routing/query.js'
import { decodeSnapshot } from '../../src/snapshot/decode.js'

export type PairDocument = { readonly address: string } & Record<string, unknown>
export type MarketDocument = { readonly pairs: readonly PairDocument[] } & Record<string, unknown>

/** A market with what a question needs. `random` is its own stream. */
export type Drawn = {
  readonly seed: number
  readonly document: MarketDocument
  readonly market: Market
  readonly graph: Graph
  readonly random: Random
}

/** What one market has in common. */
type Style = {
  readonly size: 'tiny' | 'small' | 'real'
  /** Every token is worth the same and every book has the same steps: ties everywhere. */
  readonly level: boolean
  /** How far a pair's price may be off the fair one, in thousandths: cycles pay. */
  readonly noise: bigint
  /** Steps by which the two sides of a book may reach into each other. */
  readonly cross: bigint
  /** Whether some pairs are given by their book and not by their pools. */
  readonly books: boolean
}

/** Seeds of a property: moderately many, or a hundred times as many with SWAP_LONG=1. */
export const seeds = (count: number): readonly number[] =>
  Array.from({ length: process.env['SWAP_LONG'] ? count * 100 : count }, (_, i) => i + 1)

export const between = (random: Random, low: number, high: number): number =>
  Number(drawBetween(random, [BigInt(low), BigInt(high)]))

/** True once in `n` times. */
export const once = (random: Random, n: number): boolean => between(random, 1, n) === 1

export const anyOf = <T>(random: Random, items: readonly T[]): T =>
  items[between(random, 0, items.length - 1)]!

export const shuffled = <T>(random: Random, items: readonly T[]): readonly T[] =>
  items
    .map((item) => [random(), item] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, item]) => item)

/** A document around pairs; its tokens are those that the pairs trade. */
export const documentOf = (
  pairs: readonly PairDocument[],
  router: object = {},
): MarketDocument => ({
  format: 'swap.snapshot/1',
  ...{ network: 'drawn-1', chain_id: 'drawn-1', height: 7, time: '2026-05-01T00:00:00Z' },
  tokens: [...new Set(pairs.flatMap(({ base, quote }) => [`${base}`, `${quote}`]))].map(
    (denom) => ({
      ...{ denom, decimals: 8, symbol: denom.toUpperCase(), name: denom, chain: 'DRAWN' },
      ...{ kind: 'native', contract: null, logo_uri: null },
    }),
  ),
  usd: null,
  router: { address: 'router', dialect: 'forward', fee_bps: 0, ...router },
  arbs: [],
  pairs,
})

type Orders = readonly (readonly [price: string, total: string])[]

/** A pair of limit orders without fees: `asks` give base for quote, `bids` quote for base. */
export const pairOf = (
  [address, base, quote]: readonly [address: string, base: Denom, quote: Denom],
  { asks = [], bids = [] }: { readonly asks?: Orders; readonly bids?: Orders },
  more: object = {},
): PairDocument => ({
  ...{ address, base, quote, tick: 6, fee_taker: '0', fee_maker: '0', fin_version: '1.1.0' },
  oracles: null,
  pools: Object.fromEntries(
    [asks, bids].map((orders, i) => [
      i === 0 ? 'base' : 'quote',
      orders.map(([price, total]) => ({ price, total })),
    ]),
  ),
  ...{ makers: [], status: 'open' },
  ...more,
})

export function marketOf(document: MarketDocument, seed = 0): Drawn {
  const market = decodeSnapshot(document, `seed ${seed}`)
  return { seed, document, market, graph: graphOf(market), random: seededRandom(`ask ${seed}`) }
}

/** One generated market: 4 to 10 tokens, 5 to 20 pairs, of one style. */
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
  return marketOf(style.books ? withBooks(random, document) : document, seed)
}

/** A token and what one atomic is worth, in 18 digits: far from one in large markets. */
type TokenDraw = { readonly denom: Denom; readonly value: bigint }

function drawDocument(random: Random, style: Style): MarketDocument {
  const few = style.size !== 'real'
  const reach = style.size === 'tiny' ? 1 : style.size === 'small' ? 3 : 4
  const tokens = Array.from({ length: between(random, 4, few ? 6 : 10) }, (_, i) => ({
    denom: `t${i}`,
    value: style.level
      ? ONE
      : BigInt(between(random, 100, 999)) * 10n ** BigInt(15 + between(random, -reach, reach)),
  }))
  const links = drawLinks(random, tokens, between(random, tokens.length + 1, few ? 11 : 18))
  const pairs = links.map(([base, quote], i) =>
    drawPair(random, style, base, quote, `pair${between(random, 10, 99)}.${i}`),
  )
  const twins = style.level || once(random, 3) ? [{ ...pairs[0]!, address: 'pair50.twin' }] : []
  const held = tokens.filter(() => once(random, 2)).map(({ denom }) => denom)
  return documentOf([...pairs, ...twins], {
    dialect: drawOne(random, ['forward', 'stack']),
    fee_bps: drawOne(random, [0, 1, 10, 30]),
    affiliates: {
      acme: { affiliate_fee_bps: 50, referral_fee_share_bps: 1000 },
      most: { affiliate_fee_bps: 9_990, referral_fee_share_bps: 10_000 },
    },
    balances: Object.fromEntries(
      held.map((denom) => [denom, `${between(random, 0, anyOf(random, [3, 10_000]))}`]),
    ),
    ...(once(random, 4) ? {} : { balances: {} }),
  })
}

/** A tree over all tokens and some more pairs, parallel ones among them. */
function drawLinks(random: Random, tokens: readonly TokenDraw[], count: number) {
  const links = tokens
    .slice(1)
    .map((token, i): [TokenDraw, TokenDraw] => [token, tokens[between(random, 0, i)]!])
  while (links.length < count) {
    const [a, b] = once(random, 4) ? anyOf(random, links) : [anyOf(random, tokens), tokens[0]!]
    const c = once(random, 2) ? anyOf(random, tokens) : b
    if (a !== c) links.push(once(random, 2) ? [a, c] : [c, a])
  }
  return links
}

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
) {
  const off = 1000n + drawBetween(random, [-style.noise, style.noise])
  const mid = decimal((base.value * ONE * off) / (quote.value * 1000n))
  const spacing = style.level ? 10n : drawOne(random, [1n, 7n, 20n, 90n])
  const overlap = drawBetween(random, [0n, style.cross])
  const tick = drawOne(random, [3, 6, 6, 8])
  const frame: Frame = { ...style, random, base, quote, mid, tick, spacing, overlap }
  const version = drawOne(random, ['1.0.0', '1.1.0', '1.1.0', '2.1.6', '2.0.4', undefined])
  const oracles = once(random, 4) ? ['BASE', 'QUOTE'] : null
  const balances = { base: `${drawAmount(frame, base)}`, quote: `${drawAmount(frame, quote)}` }
  const pools = { base: drawPools(frame, 'ask', oracles), quote: drawPools(frame, 'bid', oracles) }
  const fee_taker = drawOne(random, ['0', '0.0015', '0.0015', '0.015', '0.3'])
  return pairOf(
    [address, base.denom, quote.denom],
    {},
    {
      ...{ tick, fee_taker, fin_version: version, oracles, pools, makers: drawMakers(frame) },
      ...(once(random, 3) && { balances }),
    },
  )
}

/** The price so many steps from the middle, outwards; the sides overlap by `overlap` steps. */
function priceAt({ mid, spacing, overlap, tick }: Frame, side: Side, steps: number): Decimal {
  const away = (BigInt(steps) - overlap) * spacing
  const factor = max(1000n + (side === 'ask' ? away : -away), 10n)
  return truncateFloor(decimal((mid * factor) / 1000n), tick)
}

/** Atomics of a token: very few, or of about as much worth as for any other token. */
function drawAmount({ random, size }: Frame, { value }: TokenDraw): bigint {
  if (once(random, 12)) return BigInt(between(random, 1, 3))
  const worth =
    size === 'tiny'
      ? between(random, 1, 60)
      : size === 'small'
        ? between(random, 1, 100_000)
        : between(random, 1, 999) * 10 ** between(random, 3, 9)
  return max((BigInt(worth) * ONE) / value, 1n)
}

function drawPools(frame: Frame, side: Side, oracles: readonly string[] | null): readonly object[] {
  const { random } = frame
  const list = (count: number, bps: boolean) => {
    const steps = shuffled(random, [1, 2, 3, 4, 5, 6]).slice(0, count)
    const prices = steps.toSorted((a, b) => a - b).map((step) => priceAt(frame, side, step))
    return [...new Set(prices)].map((price, i) => ({
      price: formatDecimal(price),
      total: `${drawAmount(frame, side === 'ask' ? frame.base : frame.quote)}`,
      ...(bps && { bps: i * 10 }),
      // So far used up that its accounting has few digits left.
      ...(once(random, 150) && { sum: ['7'.repeat(76), 0], product: ['1', 60] }),
    }))
  }
  if (once(random, 8)) return []
  return [
    ...list(between(random, 1, 4), false),
    ...(oracles ? list(between(random, 0, 2), true) : []),
  ]
}

const drawMakers = (frame: Frame): readonly object[] =>
  Array.from({ length: drawOne(frame.random, [0, 0, 1, 1, 2]) }, (_, i) => {
    const { random } = frame
    const maker = once(random, 15) ? {} : once(random, 3) ? drawQuoted(frame) : drawXyk(frame)
    return { address: `maker${between(random, 1, 9)}.${i}`, ...maker }
  })

function drawXyk(frame: Frame): object {
  const { random, base, quote, size } = frame
  const reserve = size === 'real' && !once(random, 4) ? 10n ** BigInt(between(random, 6, 10)) : 300n
  const x = max((reserve * BigInt(between(random, 10, 99)) * ONE) / base.value, 5n)
  const y = max((x * priceAt(frame, 'ask', between(random, 0, 2))) / ONE, 1n)
  const [step, share] = drawOne(random, [
    ['0.01', 100n],
    ['0.05', 20n],
    ['0.1', 10n],
  ])
  const least = (x < y ? x : y) / share / drawOne(random, [1n, 2n, 6n, 20n])
  const fee = drawOne(random, ['0', '0.001', '0.02'])
  const config = { step, min_quote: `${max(least, 1n)}`, fee }
  const ways = [
    [
      { x: base.denom, y: quote.denom, ...config },
      { x: `${x}`, y: `${y}` },
    ],
    [
      { x: quote.denom, y: base.denom, ...config },
      { x: `${y}`, y: `${x}` },
    ],
  ]
  return { strategy: { xyk: anyOf(random, ways) } }
}

function drawQuoted(frame: Frame): object {
  const { random, base, quote } = frame
  const lane = (side: Side) =>
    Array.from({ length: between(random, 0, 3) }, (_, i) => {
      const rate = priceAt(frame, side, i + 1 + between(random, 0, 1))
      const size = once(random, 40) ? 0n : drawAmount(frame, side === 'ask' ? base : quote)
      return { price: formatDecimal(side === 'ask' ? inverse(rate) : rate), size: `${size}` }
    })
  const cut = { base: once(random, 15), quote: once(random, 15) }
  return { levels: { base: lane('ask'), quote: lane('bid') }, levels_truncated: cut }
}

const max = (a: bigint, b: bigint): bigint => (a > b ? a : b)

/** Some pairs as a node answers without their storage: the book, perhaps cut, and perhaps makers. */
function withBooks(random: Random, document: MarketDocument): MarketDocument {
  const { books } = decodeSnapshot(document, 'drawn')
  const pairs = document.pairs.map((pair) => {
    const book = books.get(pair.address)
    if (book === undefined || once(random, 2)) return pair
    const { pools: _pools, makers, ...rest } = pair
    const shown = seen(() => encodeBook(book.state, drawOne(random, [1, 2, 4, 30, 400])), undefined)
    if (shown === undefined) return pair
    return { ...rest, book: shown, ...(once(random, 3) ? {} : { makers }) }
  })
  return { ...document, pairs }
}

/** What can be read of a side; something else where the contract itself aborts. */
function seen<T, E>(read: () => T, otherwise: E): T | E {
  try {
    return read()
  } catch (error) {
    if (error instanceof ArithmeticAbort) return otherwise
    throw error
  }
}

/** The book of a pair as its own query shows it, cut after so many levels. */
export function encodeBook(state: PairState, limit: number) {
  const [asks, bids] = [shownBook(state, 'ask', limit), shownBook(state, 'bid', limit)]
  const [base, quote] = [asks, bids].map(({ levels }) =>
    levels.map(({ rate, total }) => ({ price: formatDecimal(rate), total: `${total}` })),
  )
  return { base, quote, truncated: { base: asks.truncated, quote: bids.truncated } }
}

/** One question to a market. */
export type Question = { readonly input: Coin; readonly output: Denom; readonly limits: Limits }

/** Two denoms, limits that are mostly open, and an amount near something that happens. */
export function drawQuestion({ random, market, graph }: Drawn): Question {
  const [from, output] = shuffled(random, graph.denoms)
  const names = () =>
    Array.from({ length: once(random, 3) ? 2 : 1 }, () =>
      anyOf(random, once(random, 2) ? graph.denoms : [...market.books.keys()]),
    )
  const limits: Limits = {
    maxHops: drawOne(random, [1, 2, 3, 3, 4, 4, 4, 5]),
    via: once(random, 6) ? names() : [],
    exclude: once(random, 6) ? names() : [],
    affiliate: market.router.affiliates.get(drawOne(random, ['', '', '', 'acme', 'most'])),
  }
  const input = { denom: from!, amount: drawOffer(random, market, from!) }
  return { input, output: output!, limits }
}

/** Some atomics, any power of ten, or an offer near the end of one of the first levels of a book. */
export function drawOffer(random: Random, market: Market, denom: Denom): bigint {
  const kind = between(random, 0, 9)
  if (kind === 0) return BigInt(between(random, 1, 9))
  if (kind === 1) return BigInt(between(random, 1, 99)) * 10n ** BigInt(between(random, 0, 26))
  const books = [...market.books.values()].filter(({ state }) => sideOf(state.pair, denom))
  const book = anyOf(random, books)
  const costs = costsOf(book, sideOf(book.state.pair, denom)!, between(random, 1, kind < 7 ? 2 : 6))
  const share = kind < 5 ? drawBetween(random, [1n, 1100n]) : 1000n
  const held = market.router.balances.get(denom) ?? 0n
  return max(((costs.at(-1) ?? 0n) * share) / 1000n - held + drawBetween(random, [-2n, 2n]), 1n)
}

/** What draining each of the first groups of a side costs, with all before it, as far as it is read. */
export function costsOf(book: Book, side: Side, groups: number): readonly bigint[] {
  const costs: bigint[] = []
  for (let i = 0; i < groups; i += 1) {
    const group = seen(() => groupAt(book.found(side), i), undefined)
    if (group === undefined) break
    const parts = [...group.pools, ...group.levels].filter(({ factor }) => factor > 0n)
    const cost = parts.reduce((sum, { factor, size }) => sum + (size * ONE) / factor, 0n)
    costs.push((costs.at(-1) ?? 0n) + cost)
  }
  return costs
}

/** The denoms that a path visits, in order. */
export const denomsOf = (input: Denom, books: readonly Book[]): readonly Denom[] =>
  books.reduce(
    (visited, { state }) => [
      ...visited,
      askDenom(state.pair, sideOf(state.pair, visited.at(-1)!)!),
    ],
    [input],
  )
