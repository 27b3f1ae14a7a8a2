import fc from 'fast-check'
import { finRules } from '../../src/market/fin-rules.js'
import { groupsOf } from '../../src/market/grouping.js'
import {
  isBetter,
  type Maker,
  type MakerLevel,
  offerDenom,
  type PairState,
  type QuotedMaker,
  type RestingPool,
  type RestingSide,
  type Side,
  type XykMaker,
} from '../../src/market/pair.js'
import {
  ceilDiv,
  type Decimal,
  decimal,
  inverse,
  ONE,
  parseDecimal,
} from '../../src/math/decimal.js'
import { SCALED_ONE, SCALED_ZERO } from '../../src/math/scaled.js'
import { truncateFloor } from '../../src/math/tick.js'
import { ArithmeticAbort } from '../../src/math/uint.js'

/** How many runs a property gets: moderate by default, a hundred times as many with SWAP_LONG=1. */
export const runs = (count: number): { readonly numRuns: number } => ({
  numRuns: process.env['SWAP_LONG'] ? count * 100 : count,
})

/** A version of every reading of the drain rule (docs/maths.md, "Versions"). */
export const VERSIONS = ['1.0.0', '1.1.0', '2.0.3', '2.1.6', '2.0.4', undefined] as const

export type BookShape = {
  readonly versions: readonly (string | undefined)[]
  readonly pools: number
  readonly oraclePools: number
  readonly xyk: number
  readonly quoted: number
  /** Steps by which the two sides may reach into each other; 0 keeps them apart. */
  readonly cross: number
  /** Whether parts of the state may be unknown: cut lists, uncertain pools, unknown balances. */
  readonly unknowns: boolean
  readonly sizes: readonly SizeName[]
}

type SizeName = 'tiny' | 'small' | 'real'

/** Everything at once, in books small enough to be walked thousands of times. */
export const ANY_BOOK: BookShape = {
  versions: VERSIONS,
  pools: 4,
  oraclePools: 2,
  xyk: 2,
  quoted: 2,
  cross: 2,
  unknowns: true,
  sizes: ['tiny', 'small', 'real'],
}

/** Limit orders of complete knowledge on two sides that do not meet. */
export const POOLS_ONLY: BookShape = {
  ...ANY_BOOK,
  xyk: 0,
  quoted: 0,
  cross: 0,
  unknowns: false,
}

export const must = (text: string): Decimal => {
  const value = parseDecimal(text)
  if (value === undefined) throw new Error(`not a decimal: ${text}`)
  return value
}

/** What one draw of a book has in common: its price, its steps, and the size of its orders. */
type Frame = {
  readonly shape: BookShape
  readonly size: SizeName
  readonly tick: number
  readonly centre: Decimal
  /** Distance between two neighbouring prices, in thousandths of the centre. */
  readonly spacing: number
  readonly overlap: number
}

const anyFrame = (shape: BookShape): fc.Arbitrary<Frame> =>
  fc
    .record({
      size: fc.constantFrom(...shape.sizes),
      tick: fc.constantFrom(2, 3, 6, 8),
      mantissa: fc.integer({ min: 10, max: 999 }),
      spacing: fc.constantFrom(1, 7, 20, 90),
      overlap: fc.integer({ min: 0, max: shape.cross }),
    })
    .chain(({ size, mantissa, ...rest }) =>
      exponents(size).map((exponent) => ({
        ...rest,
        shape,
        size,
        centre: decimal((BigInt(mantissa) * 10n ** BigInt(exponent + 20)) / 10n ** 4n),
      })),
    )

/** Powers of ten by which the centre price, drawn between 0.1 and 10, is scaled. */
const exponents = (size: SizeName): fc.Arbitrary<number> =>
  size === 'tiny' ? fc.constantFrom(0, 0, 1, -1, 2) : fc.integer({ min: -6, max: 6 })

/** The price so many steps above the centre, cut to the tick. */
function rateAt({ centre, spacing, tick }: Frame, steps: number): Decimal {
  const factor = BigInt(Math.max(1000 + steps * spacing, 10))
  return truncateFloor(decimal((centre * factor) / 1000n), tick)
}

const amountOf = (size: SizeName): fc.Arbitrary<bigint> =>
  size === 'tiny'
    ? fc.bigInt({ min: 1n, max: 40n })
    : size === 'small'
      ? fc.oneof(fc.bigInt({ min: 1n, max: 9n }), fc.bigInt({ min: 1n, max: 100_000n }))
      : fc.oneof(fc.bigInt({ min: 1n, max: 5n }), fc.bigInt({ min: 1n, max: 10n ** 13n }))

/** A total in the denom that the side gives, of about the same worth on both sides. */
function totalOf(frame: Frame, side: Side, amount: bigint): bigint {
  if (side === 'ask') return amount
  const worth = (amount * frame.centre) / ONE
  return worth > 0n ? worth : 1n
}

type Step = { readonly steps: number; readonly amount: bigint; readonly nudge: number }

const anyStep = (frame: Frame, most: number): fc.Arbitrary<Step> =>
  fc.record({
    steps: fc.integer({ min: 1, max: most }),
    amount: amountOf(frame.size),
    nudge: fc.constantFrom(0, 0, 1, 2, 1000),
  })

/** Steps away from the centre on a side, shifted so that the two sides overlap. */
const placed = (frame: Frame, side: Side, steps: number): Decimal =>
  rateAt(frame, side === 'ask' ? steps - frame.overlap : frame.overlap - steps)

function anyResting(frame: Frame, side: Side): fc.Arbitrary<RestingSide> {
  const { pools, oraclePools, unknowns } = frame.shape
  const list = (origin: 'fixed' | 'oracle', most: number) =>
    fc
      .array(fc.tuple(anyStep(frame, 6), fc.nat(9)), { maxLength: most })
      .map((steps) => sorted(side, distinct(steps.map(([step, luck]) => pool(origin, step, luck)))))
  const pool = (origin: 'fixed' | 'oracle', step: Step, luck: number): RestingPool => ({
    rate: decimal(
      placed(frame, side, step.steps) + (origin === 'oracle' ? BigInt(step.nudge) : 0n),
    ),
    total: totalOf(frame, side, step.amount),
    origin,
    ...(origin === 'oracle' && { bps: step.steps }),
    certain: !(unknowns && luck === 0),
    ...(luck > 1 && { sum: SCALED_ZERO, product: SCALED_ONE }),
  })
  return fc
    .record({
      fixed: list('fixed', pools),
      oracle: list('oracle', oraclePools),
      cut: fc.nat(unknowns ? 9 : 0),
    })
    .map(({ fixed, oracle, cut }) => ({
      fixed,
      oracle,
      knownTo: cut === 9 ? fixed.at(-1)?.rate : undefined,
    }))
}

const sorted = (side: Side, pools: readonly RestingPool[]): readonly RestingPool[] =>
  pools.toSorted((a, b) => (a.rate === b.rate ? 0 : isBetter(side, a.rate, b.rate) ? -1 : 1))

const distinct = (pools: readonly RestingPool[]): readonly RestingPool[] => [
  ...new Map(pools.map((pool) => [pool.rate, pool])).values(),
]

const anyXyk = (frame: Frame, address: string): fc.Arbitrary<XykMaker> =>
  fc
    .record({
      base: frame.size === 'real' ? fc.bigInt(10n ** 6n, 10n ** 13n) : fc.bigInt(20n, 200_000n),
      steps: fc.integer({ min: -frame.shape.cross, max: frame.shape.cross }),
      step: fc.constantFrom('0.01', '0.05', '0.1').map(must),
      /** How often the first level's smaller side holds the least that is quoted: ends the ladder. */
      depth: fc.constantFrom(1n, 2n, 6n, 30n),
      fee: fc.constantFrom('0', '0.001', '0.02'),
      flipped: fc.boolean(),
    })
    .map(({ base, steps, step, depth, fee, flipped }) => {
      const quote = (base * rateAt(frame, steps)) / ONE
      const least = ((base < quote ? base : quote) * step) / ONE / depth
      const minQuote = least > 0n ? least : 1n
      const config = { kind: 'xyk', address, step, minQuote, fee: must(fee) } as const
      return flipped
        ? { ...config, x: 'quote', y: 'base', reserveX: quote, reserveY: base }
        : { ...config, x: 'base', y: 'quote', reserveX: base, reserveY: quote }
    })

const anyQuoted = (frame: Frame, address: string): fc.Arbitrary<QuotedMaker> => {
  const lane = (side: Side) =>
    fc
      .array(anyStep(frame, 5), { maxLength: 3 })
      .map((steps) =>
        steps
          .map((step) => quotedLevel(frame, side, step))
          .toSorted((a, b) => (a.price === b.price ? 0 : a.price > b.price ? -1 : 1)),
      )
  const rarely = frame.shape.unknowns ? fc.nat(9).map((n) => n === 9) : fc.constant(false)
  return fc.record({
    kind: fc.constant('quoted' as const),
    address: fc.constant(address),
    asks: lane('ask'),
    bids: lane('bid'),
    asksTruncated: rarely,
    bidsTruncated: rarely,
    stale: rarely,
  })
}

/** A level that shows the rate of its place, or close to it, and so meets pools and other makers. */
function quotedLevel(frame: Frame, side: Side, { steps, amount, nudge }: Step): MakerLevel {
  const rate = placed(frame, side, steps)
  const shown = side === 'ask' ? inverse(rate) : rate
  // Nine tenths of what the tick may hide of a price.
  const hidden = (shown * 9n) / 10n ** BigInt(frame.tick + 1)
  const price = shown + (nudge === 2 ? hidden : BigInt(nudge))
  return { price: decimal(price), size: totalOf(frame, side, amount) }
}

function anyMakers(frame: Frame): fc.Arbitrary<readonly Maker[]> {
  const { xyk, quoted } = frame.shape
  return fc
    .tuple(
      fc.array(anyXyk(frame, 'a'), { maxLength: xyk }),
      fc.array(anyQuoted(frame, 'b'), { maxLength: quoted }),
      fc.nat(5),
      fc.nat(19),
    )
    .map(([curves, lists, twin, silent]) => {
      // Two equal makers tie on every level.
      const [curve, list] = [curves[0], lists[0]]
      const twins =
        twin === 0 && curve && curves.length < xyk
          ? [curve]
          : twin === 1 && list && lists.length < quoted
            ? [list]
            : []
      const mute = silent === 19 ? [{ kind: 'silent', address: '' } as const] : []
      const all: Maker[] = [...curves, ...lists, ...twins, ...mute]
      return all.map((maker, i) => ({ ...maker, address: `maker${i}` }))
    })
}

/** One pair of a shape, drawn by size, price, tick, version and overlap. */
export const anyState = (shape: BookShape = ANY_BOOK): fc.Arbitrary<PairState> =>
  anyFrame(shape).chain((frame) =>
    fc
      .record({
        version: fc.constantFrom(...shape.versions),
        fee: fc.constantFrom('0', '0.0015', '0.015', '0.3'),
        asks: anyResting(frame, 'ask'),
        bids: anyResting(frame, 'bid'),
        makers: anyMakers(frame),
        balances: fc.option(fc.record({ base: amountOf('real'), quote: amountOf('real') }), {
          nil: undefined,
        }),
        seen: fc.nat(shape.unknowns ? 19 : 0),
      })
      .map(({ version, fee, seen, ...state }) => ({
        pair: {
          address: 'pair',
          base: 'base',
          quote: 'quote',
          tick: frame.tick,
          takerFee: must(fee),
          makerFee: must('0'),
          version,
          rules: finRules(version),
          oracles: shape.oraclePools > 0 ? (['BASE', 'QUOTE'] as const) : null,
          ranges: [],
        },
        ...state,
        exact: seen !== 19,
      })),
  )

export const anySide: fc.Arbitrary<Side> = fc.constantFrom('ask', 'bid')

/** An offer drawn for a book: near one of its level boundaries, or anywhere up to past its end. */
export type OfferDraw = { readonly at: number; readonly delta: bigint; readonly share: bigint }

export const anyOffer: fc.Arbitrary<OfferDraw> = fc.record({
  at: fc.nat(40),
  delta: fc.bigInt({ min: -2n, max: 2n }),
  share: fc.oneof(fc.constant(0n), fc.bigInt({ min: 1n, max: 1200n })),
})

/** The amount of a draw on one side of a book, in atomics of the denom offered. */
export function offerOf(state: PairState, side: Side, { at, delta, share }: OfferDraw): bigint {
  const sums = boundaries(state, side)
  const deepest = sums.at(-1) ?? 0n
  const amount = share > 0n ? (deepest * share) / 1000n + delta : sums[at % sums.length]! + delta
  return amount > 0n ? amount : 0n
}

/** Offers around which something changes: per part of the first groups, its drain and its window. */
function boundaries(state: PairState, side: Side): readonly bigint[] {
  const found = [0n, 1n]
  let sold = 0n
  try {
    for (const group of groupsOf(state, side)) {
      const parts = [...group.pools, ...group.levels].filter((part) => part.factor > 0n)
      const total = parts.reduce((sum, part) => sum + part.size, 0n)
      for (const { factor, size } of parts)
        for (const wanted of [size - 1n, size])
          if (size > 0n) found.push(sold + (ceilDiv(wanted * ONE, factor) * total) / size)
      sold += parts.reduce((sum, { factor, size }) => sum + (size * ONE) / factor, 0n)
      found.push(sold)
      if (found.length > 200) break
    }
  } catch (error) {
    // A side that cannot be read to its end has the boundaries found so far.
    if (!(error instanceof ArithmeticAbort)) throw error
  }
  return found
}

export const coin = (state: PairState, side: Side, amount: bigint) => ({
  denom: offerDenom(state.pair, side),
  amount,
})
