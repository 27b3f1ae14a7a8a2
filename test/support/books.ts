import fc from 'fast-check'
import {
  isBetter,
  type Maker,
  type MakerLevel,
  type Pair,
  type PairState,
  type QuotedMaker,
  type RestingPool,
  type RestingSide,
  type Side,
  type XykMaker,
} from '../../src/engine/market/pair.js'
import { finRules } from '../../src/engine/market/venues/fin-rules.js'
import { type Decimal, decimal, inverse, ONE } from '../../src/engine/math/decimal.js'
import { SCALED_ONE, SCALED_ZERO } from '../../src/engine/math/scaled.js'
import { truncateFloor } from '../../src/engine/math/tick.js'
import { must } from './matching.js'

/** The factor of rounds of a property with SWAP_LONG=1. */
export const TIMES = process.env['SWAP_LONG'] ? 8 : 1

/** The rounds of a property: enough to find a planted fault, and `TIMES` as many with SWAP_LONG=1. */
export const runs = (count: number): { readonly numRuns: number } => ({
  numRuns: count * TIMES,
})

/** How a pair is drawn: the most of each source, in these versions and sizes. */
export type BookShape = {
  readonly versions: readonly (string | undefined)[]
  readonly pools: number
  readonly oraclePools: number
  readonly xyk: number
  readonly quoted: number
  /** Steps by which the two sides may overlap; 0 keeps them apart. */
  readonly cross: number
  /** Whether parts of the state may be unknown: cut lists, uncertain pools, stale makers. */
  readonly unknowns: boolean
  readonly sizes: readonly ('tiny' | 'small' | 'real')[]
}

/** All kinds of liquidity and all variants of the drain rule, small enough for many walks. */
export const ANY_BOOK: BookShape = {
  versions: ['1.0.0', '1.1.0', '2.0.3', '2.1.6', '2.0.4', undefined],
  pools: 4,
  oraclePools: 2,
  xyk: 2,
  quoted: 2,
  cross: 2,
  unknowns: true,
  sizes: ['tiny', 'small', 'real'],
}

/** Limit orders with nothing unknown; fixed and oracle orders may share a rate. */
export const POOLS: BookShape = { ...ANY_BOOK, xyk: 0, quoted: 0, unknowns: false }

/** What one draw of a book shares: its price, its steps, and the size of its orders. */
type Frame = ReturnType<typeof anyFrame> extends fc.Arbitrary<infer F> ? F : never

const anyFrame = (shape: BookShape) =>
  fc
    .record({
      shape: fc.constant(shape),
      size: fc.constantFrom(...shape.sizes),
      tick: fc.constantFrom(2, 3, 6, 8),
      mantissa: fc.bigInt(10n, 999n),
      /** Distance between two neighbouring prices, in thousandths of the centre. */
      spacing: fc.constantFrom(1, 7, 20, 90),
      overlap: fc.nat(shape.cross),
    })
    .chain(({ mantissa, ...rest }) =>
      (rest.size === 'tiny'
        ? fc.integer({ min: -1, max: 2 })
        : fc.integer({ min: -6, max: 6 })
      ).map((exponent) => ({ ...rest, centre: decimal(mantissa * 10n ** BigInt(exponent + 16)) })),
    )

/** The price this many steps above the centre, cut to the tick. */
function rateAt({ centre, spacing, tick }: Frame, steps: number): Decimal {
  const factor = BigInt(Math.max(1000 + steps * spacing, 10))
  return truncateFloor(decimal((centre * factor) / 1000n), tick)
}

const rateOn = (frame: Frame, side: Side, steps: number): Decimal =>
  rateAt(frame, side === 'ask' ? steps - frame.overlap : frame.overlap - steps)

const AMOUNTS = { tiny: 40n, small: 100_000n, real: 10n ** 13n }

type Step = { readonly steps: number; readonly amount: bigint; readonly nudge: number }

const anyStep = (frame: Frame): fc.Arbitrary<Step> =>
  fc.record({
    steps: fc.integer({ min: 1, max: 6 }),
    amount: fc.oneof(fc.bigInt(1n, 9n), fc.bigInt(1n, AMOUNTS[frame.size])),
    nudge: fc.constantFrom(0, 0, 1, 2, 1000),
  })

/** An amount of base, as a total in the denom that the side pays. */
const totalOf = (frame: Frame, side: Side, amount: bigint): bigint =>
  side === 'ask' ? amount : (amount * frame.centre) / ONE || 1n

const FRESH = { sum: SCALED_ZERO, product: SCALED_ONE }
/** A pool whose product has no digits to spare. */
const WORN = { sum: SCALED_ONE, product: { mantissa: 3n ** 161n, scale: 90 } }

/** Pools of one kind, best first, one per rate. */
function anyPools(frame: Frame, side: Side, origin: 'fixed' | 'oracle', most: number) {
  const anyPool = fc.tuple(anyStep(frame), fc.nat(9)).map(([{ steps, amount, nudge }, draw]) => ({
    rate: decimal(rateOn(frame, side, steps) + (origin === 'oracle' ? BigInt(nudge) : 0n)),
    total: totalOf(frame, side, amount),
    origin,
    certain: !(frame.shape.unknowns && draw === 0),
    ...(draw > 1 && (draw === 9 ? WORN : FRESH)),
  }))
  return fc
    .array(anyPool, { maxLength: most })
    .map((pools): readonly RestingPool[] => [...new Map(pools.map((p) => [p.rate, p])).values()])
    .map((pools) => pools.toSorted((a, b) => (isBetter(side, a.rate, b.rate) ? -1 : 1)))
}

const anyResting = (frame: Frame, side: Side): fc.Arbitrary<RestingSide> =>
  fc
    .record({
      fixed: anyPools(frame, side, 'fixed', frame.shape.pools),
      oracle: anyPools(frame, side, 'oracle', frame.shape.oraclePools),
      cut: fc.nat(frame.shape.unknowns ? 9 : 0),
    })
    .map(({ cut, ...lists }) => ({
      ...lists,
      knownTo: cut === 9 ? lists.fixed.at(-1)?.rate : undefined,
    }))

const anyXyk = (frame: Frame): fc.Arbitrary<XykMaker> =>
  fc
    .record({
      base: frame.size === 'real' ? fc.bigInt(10n ** 6n, 10n ** 13n) : fc.bigInt(20n, 200_000n),
      steps: fc.integer({ min: -frame.shape.cross, max: frame.shape.cross }),
      step: fc.constantFrom('0.02', '0.05', '0.1').map(must),
      /** The share of first levels whose smaller side is the smallest that is quoted. */
      depth: fc.constantFrom(1n, 2n, 6n, 30n),
      fee: fc.constantFrom('0', '0.001', '0.02').map(must),
      flipped: fc.boolean(),
    })
    .map(({ base, steps, step, depth, fee, flipped }) => {
      const quote = (base * rateAt(frame, steps)) / ONE
      const least = ((base < quote ? base : quote) * step) / ONE / depth
      const config = { kind: 'xyk', address: '', step, fee, minQuote: least || 1n } as const
      return flipped
        ? { ...config, x: 'quote', y: 'base', reserveX: quote, reserveY: base }
        : { ...config, x: 'base', y: 'quote', reserveX: base, reserveY: quote }
    })

/** A level with the rate of its step, or close to it, so that it ties with pools and other makers. */
function quotedLevel(frame: Frame, side: Side, { steps, amount, nudge }: Step): MakerLevel {
  const rate = rateOn(frame, side, steps)
  const visibleRate = side === 'ask' ? inverse(rate) : rate
  // Nine tenths of what the tick may cut from a price.
  const hiddenRate = (visibleRate * 9n) / 10n ** BigInt(frame.tick + 1)
  const price = decimal(visibleRate + (nudge === 2 ? hiddenRate : BigInt(nudge)))
  return { price, size: totalOf(frame, side, amount) }
}

function anyQuoted(frame: Frame): fc.Arbitrary<QuotedMaker> {
  const quotedLevels = (side: Side) =>
    fc
      .array(anyStep(frame), { maxLength: 3 })
      .map((steps) => steps.map((step) => quotedLevel(frame, side, step)))
      .map((levels) => levels.sort((a, b) => Number(b.price - a.price)))
  const rarely = fc.nat(frame.shape.unknowns ? 9 : 0).map((draw) => draw === 9)
  const unknown = { asksTruncated: rarely, bidsTruncated: rarely, stale: rarely }
  return fc
    .record({ asks: quotedLevels('ask'), bids: quotedLevels('bid'), ...unknown })
    .map((lanes) => ({ kind: 'quoted', address: '', ...lanes }))
}

/** Some makers; a twin of one of them ties with it on every level. */
function anyMakers(frame: Frame): fc.Arbitrary<readonly Maker[]> {
  const { xyk, quoted } = frame.shape
  const anyCurves = fc.array(anyXyk(frame), { maxLength: xyk })
  const anyLists = fc.array(anyQuoted(frame), { maxLength: quoted })
  return fc.tuple(anyCurves, anyLists, fc.nat(19)).map(([curves, quotes, draw]) => {
    const [curve, quote] = [curves[0], quotes[0]]
    const twins: Maker[] = []
    if (draw < 4 && curve && curves.length < xyk) twins.push(curve)
    if (draw < 4 && quote && quotes.length < quoted) twins.push(quote)
    if (draw === 19 && frame.shape.unknowns) twins.push({ kind: 'silent', address: '' })
    return [...curves, ...quotes, ...twins].map((maker, i) => ({ ...maker, address: `maker${i}` }))
  })
}

const anyBalances = fc.record({ base: fc.bigInt(0n, 10n ** 13n), quote: fc.bigInt(0n, 10n ** 14n) })

/** One pair of a shape, drawn by size, price, tick, version and overlap. Denoms: base, quote. */
export const anyState = (shape: BookShape = ANY_BOOK): fc.Arbitrary<PairState> =>
  anyFrame(shape).chain((frame) =>
    fc
      .record({
        version: fc.constantFrom(...shape.versions),
        fee: fc.constantFrom('0', '0.0015', '0.015', '0.3'),
        asks: anyResting(frame, 'ask'),
        bids: anyResting(frame, 'bid'),
        makers: anyMakers(frame),
        balances: fc.option(anyBalances, { nil: undefined }),
        exact: fc.nat(shape.unknowns ? 19 : 0).map((draw) => draw < 19),
      })
      .map(({ version, fee, ...state }) => ({
        ...state,
        pair: pairOf({ version, tick: frame.tick, takerFee: must(fee) }),
      })),
  )

/** A pair without oracles, with six figures, no fees and FIN 1.1 by default. */
export const pairOf = (given: Partial<Pair> = {}): Pair => ({
  address: 'pair',
  base: 'base',
  quote: 'quote',
  tick: 6,
  version: '1.1.0',
  takerFee: must('0'),
  makerFee: must('0'),
  oracles: null,
  ranges: [],
  ...given,
  rules: finRules('version' in given ? given.version : '1.1.0'),
})

/** A state with these parts and nothing unknown. */
export const stateWith = (
  given: Partial<Record<Side, readonly RestingPool[]>> & Partial<Omit<PairState, 'asks' | 'bids'>>,
): PairState => {
  const { ask = [], bid = [], ...rest } = given
  const side = (pools: readonly RestingPool[]): RestingSide => ({
    fixed: pools.filter((pool) => pool.origin !== 'oracle'),
    oracle: pools.filter((pool) => pool.origin === 'oracle'),
    knownTo: undefined,
  })
  const sides = { asks: side(ask), bids: side(bid) }
  return { pair: pairOf(), makers: [], balances: undefined, exact: true, ...sides, ...rest }
}

/** A fresh pool; `total` in the denom that its side pays. */
export const pool = (
  rate: string,
  total: bigint,
  origin: RestingPool['origin'] = 'fixed',
): RestingPool => ({
  rate: must(rate),
  total,
  origin,
  certain: true,
  ...FRESH,
})

/** A maker with these levels, each `[price, size]`, and no others. */
export const quotedMaker = (
  address: string,
  levels: Partial<Record<Side, readonly (readonly [string, bigint])[]>>,
): QuotedMaker => {
  const quotedLevels = (side: Side) =>
    (levels[side] ?? []).map(([price, size]) => ({ price: must(price), size }))
  const known = { asksTruncated: false, bidsTruncated: false, stale: false }
  return { kind: 'quoted', address, asks: quotedLevels('ask'), bids: quotedLevels('bid'), ...known }
}

/** A constant-product maker with steps of 0.1 % and no fee. */
export const xykMaker = (
  reserveX: bigint,
  reserveY: bigint,
  given: Partial<XykMaker> = {},
): XykMaker => ({
  kind: 'xyk',
  address: 'bow',
  x: 'base',
  y: 'quote',
  step: must('0.001'),
  minQuote: 10_000n,
  fee: must('0'),
  reserveX,
  reserveY,
  ...given,
})

export const anySide: fc.Arbitrary<Side> = fc.constantFrom('ask', 'bid')
