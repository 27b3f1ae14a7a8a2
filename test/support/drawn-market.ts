import {
  drawBetween,
  drawOne,
  type Random,
  seededRandom,
} from '../../src/demo-chain/market/random.js'
import type { Side } from '../../src/engine/market/pair.js'
import type { Denom } from '../../src/engine/market/token.js'
import {
  type Decimal,
  decimal,
  formatDecimal,
  inverse,
  ONE,
} from '../../src/engine/math/decimal.js'
import { truncateFloor } from '../../src/engine/math/tick.js'
import { decodeSnapshot } from '../../src/engine/snapshot/decode.js'
import {
  anyOf,
  between,
  type Drawn,
  documentOf,
  encodeBook,
  type MarketDocument,
  marketOf,
  once,
  pairOf,
  seen,
  shuffled,
} from './markets.js'

/** What the pairs of one market share. */
type Style = {
  readonly size: 'tiny' | 'small' | 'real'
  /** Every token has the same price and every book the same steps: ties everywhere. */
  readonly level: boolean
  /** The largest deviation of a pair's price from the fair one, in thousandths: it makes loops profitable. */
  readonly noise: bigint
  /** Steps by which the two sides of a book may overlap. */
  readonly cross: bigint
  /** Whether some pairs have a book in place of their pools. */
  readonly books: boolean
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

/** A token and the worth of one atomic, in 18 digits: far from one in large markets. */
type TokenDraw = { readonly denom: Denom; readonly value: bigint }
type Link = readonly [base: TokenDraw, quote: TokenDraw]

function drawDocument(random: Random, style: Style): MarketDocument {
  const few = style.size !== 'real'
  const reach = { tiny: 1, small: 3, real: 4 }[style.size]
  const tokens = Array.from({ length: between(random, 4, few ? 6 : 10) }, (_, i) => ({
    denom: `t${i}`,
    value: style.level
      ? ONE
      : BigInt(between(random, 100, 999)) * 10n ** BigInt(15 + between(random, -reach, reach)),
  }))
  const links = drawLinks(random, tokens, between(random, tokens.length + 1, few ? 11 : 18))
  const pairs = links.map((link, i) =>
    drawPair(random, style, link, `pair${between(random, 10, 99)}.${i}`),
  )
  const twins = style.level || once(random, 3) ? [{ ...pairs[0]!, address: 'pair50.twin' }] : []
  const some = once(random, 4) ? tokens : []
  const held = some.filter(() => once(random, 2)).map(({ denom }) => denom)
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
  })
}

/** A tree over all tokens and some more pairs, parallel ones among them. */
function drawLinks(random: Random, tokens: readonly TokenDraw[], count: number) {
  const links = tokens.slice(1).map((token, i): Link => [token, tokens[between(random, 0, i)]!])
  while (links.length < count) {
    const [a, b] = once(random, 4) ? anyOf(random, links) : [anyOf(random, tokens), tokens[0]!]
    const c = once(random, 2) ? anyOf(random, tokens) : b
    if (a !== c) links.push(once(random, 2) ? [a, c] : [c, a])
  }
  return links
}

/** What the orders of one drawn pair share. */
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

function drawPair(random: Random, style: Style, [base, quote]: Link, address: string) {
  const off = 1000n + drawBetween(random, [-style.noise, style.noise])
  const mid = decimal((base.value * ONE * off) / (quote.value * 1000n))
  const spacing = style.level ? 10n : drawOne(random, [1n, 7n, 20n, 90n])
  const overlap = drawBetween(random, [0n, style.cross])
  const tick = drawOne(random, [3, 6, 6, 8])
  const frame: Frame = { ...style, random, base, quote, mid, tick, spacing, overlap }
  const fin_version = drawOne(random, ['1.0.0', '1.1.0', '1.1.0', '2.1.6', '2.0.4', undefined])
  const oracles = once(random, 4) ? ['BASE', 'QUOTE'] : null
  const balances = { base: `${drawAmount(frame, base)}`, quote: `${drawAmount(frame, quote)}` }
  const pools = { base: drawPools(frame, 'ask', oracles), quote: drawPools(frame, 'bid', oracles) }
  const fee_taker = drawOne(random, ['0', '0.0015', '0.0015', '0.015', '0.3'])
  const makers = drawMakers(frame)
  const more = { tick, fee_taker, fin_version, oracles, pools, makers }
  const names = [address, base.denom, quote.denom] as const
  return pairOf(names, {}, once(random, 3) ? { ...more, balances } : more)
}

/** The price this many steps outwards from the middle; the sides overlap by `overlap` steps. */
function priceAt({ mid, spacing, overlap, tick }: Frame, side: Side, steps: number): Decimal {
  const away = (BigInt(steps) - overlap) * spacing
  const factor = max(1000n + (side === 'ask' ? away : -away), 10n)
  return truncateFloor(decimal((mid * factor) / 1000n), tick)
}

/** Atomics of a token: very few, or about the same worth as for any other token. */
function drawAmount({ random, size }: Frame, { value }: TokenDraw): bigint {
  if (once(random, 12)) return BigInt(between(random, 1, 3))
  const scale = size === 'real' ? 10 ** between(random, 3, 9) : 1
  const usd = between(random, 1, { tiny: 60, small: 100_000, real: 999 }[size]) * scale
  return max((BigInt(usd) * ONE) / value, 1n)
}

function drawPools(frame: Frame, side: Side, oracles: readonly string[] | null): readonly object[] {
  const { random } = frame
  const list = (count: number, bps: boolean) => {
    const steps = shuffled(random, [1, 2, 3, 4, 5, 6]).slice(0, count)
    const prices = steps.toSorted((a, b) => a - b).map((step) => priceAt(frame, side, step))
    return [...new Set(prices)].map((price, i) => ({
      price: formatDecimal(price),
      total: `${drawAmount(frame, side === 'ask' ? frame.base : frame.quote)}`,
      ...(bps && { bps: side === 'ask' ? i * 10 : 0 - i * 10 }),
      // Used until its accounting has few digits left.
      ...(once(random, 150) && { sum: ['7'.repeat(76), 0], product: ['1', 60] }),
    }))
  }
  const fixed = list(once(random, 8) ? 0 : between(random, 1, 4), false)
  return oracles ? [...fixed, ...list(between(random, 0, 2), true)] : fixed
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
  const step = drawOne(random, ['0.01', '0.05', '0.1'])
  const least =
    (((x < y ? x : y) * BigInt(+step * 100)) / 100n) * drawOne(random, [60n, 30n, 10n, 3n])
  const min_quote = `${max(least / 60n, 1n)}`
  const fee = drawOne(random, ['0', '0.001', '0.02'])
  const [a, b] = once(random, 2) ? [base, quote] : [quote, base]
  const [has, gives] = a === base ? [x, y] : [y, x]
  const config = { x: a.denom, y: b.denom, step, min_quote, fee }
  return { strategy: { xyk: [config, { x: `${has}`, y: `${gives}` }] } }
}

function drawQuoted(frame: Frame): object {
  const { random, base, quote } = frame
  const levels = (side: Side) =>
    Array.from({ length: between(random, 0, 3) }, (_, i) => {
      const rate = priceAt(frame, side, i + 1 + between(random, 0, 1))
      const size = once(random, 40) ? 0n : drawAmount(frame, side === 'ask' ? base : quote)
      return { price: formatDecimal(side === 'ask' ? inverse(rate) : rate), size: `${size}` }
    })
  const cut = { base: once(random, 15), quote: once(random, 15) }
  return { levels: { base: levels('ask'), quote: levels('bid') }, levels_truncated: cut }
}

const max = (a: bigint, b: bigint): bigint => (a > b ? a : b)

/** Some pairs as a node returns them without their storage: the book, perhaps cut, and perhaps makers. */
function withBooks(random: Random, document: MarketDocument): MarketDocument {
  const { books } = decodeSnapshot(document, 'drawn')
  const pairs = document.pairs.map((pair) => {
    const book = books.get(pair.address)
    if (book === undefined || once(random, 2)) return pair
    const { pools: _pools, makers, ...rest } = pair
    const encodedBook = seen(() => encodeBook(book.state, drawOne(random, [1, 2, 4, 30, 400])))
    if (encodedBook === undefined) return pair
    return { ...rest, book: encodedBook, ...(once(random, 3) ? {} : { makers }) }
  })
  return { ...document, pairs }
}
