import { type GasRules, usualGas } from '../market/gas.js'
import type { Excluded, Market, Router } from '../market/market.js'
import {
  isBetter,
  type Maker,
  type MakerLevel,
  type Pair,
  type PairState,
  poolsOf,
  type RestingPool,
  restingOf,
  type Side,
} from '../market/pair.js'
import { type BookLevel, visibleBook } from '../market/resting-orders.js'
import type { Token } from '../market/token.js'
import { formatDecimal } from '../math/decimal.js'
import { SCALED_ONE, scaledEqual, scaledText } from '../math/scaled.js'
import { SNAPSHOT_FORMAT } from './decode.js'

/** Levels written for each side of a book, two pages of the pair's own query; pools in the document have the others. */
const BOOK_LIMIT = 510

export type EncodeOptions = {
  /** Leaves out the books that follow from pools and makers: most of the document. */
  readonly isCompact?: boolean
  /** Documents of pairs encoded before with the same options; new ones are added. */
  readonly encoded?: WeakMap<PairState, object>
}

/**
 * The snapshot document of a market: reading it back gives a market with the same answers. Pairs that
 * were left out are written with their reason.
 */
export function encodeSnapshot(market: Market, options: EncodeOptions = {}): object {
  return {
    format: SNAPSHOT_FORMAT,
    network: market.network,
    chain_id: market.chainId,
    height: market.height,
    time: market.time,
    tokens: [...market.tokens.values()].map(encodeToken),
    usd: market.usd ?? null,
    router: encodeRouter(market.router),
    ...encodeGas(market.gas),
    arbs: market.arbs.map(({ denom, amount }) => ({ denom, amount: `${amount}` })),
    pairs: [
      ...[...market.books.values()].map(({ state }) => encodedPair(state, options)),
      ...market.excluded.map(encodeExcluded),
    ],
  }
}

/** A token of the document. */
export const encodeToken = ({ logoUri, ...token }: Token): object => ({
  ...token,
  logo_uri: logoUri,
})

const encodeRouter = (router: Router): object => ({
  address: router.address,
  dialect: router.dialect,
  fee_bps: Number(router.feeBps),
  affiliates: encodeAffiliates(router.affiliates),
  ...(router.affiliateRounding && { affiliate_rounding: router.affiliateRounding }),
  ...(router.balances.size > 0 && {
    balances: Object.fromEntries([...router.balances].map(([denom, n]) => [denom, `${n}`])),
  }),
})

/** The affiliates of the document's router. */
export const encodeAffiliates = (affiliates: Router['affiliates']): object =>
  Object.fromEntries(
    [...affiliates].map(([code, { affiliateFeeBps, referralFeeShareBps }]) => [
      code,
      {
        affiliate_fee_bps: Number(affiliateFeeBps),
        referral_fee_share_bps: Number(referralFeeShareBps),
      },
    ]),
  )

const encodeGas = ({ percent, limit, price }: GasRules): object =>
  percent === usualGas.percent && limit === undefined && price === undefined
    ? {}
    : {
        gas: {
          percent: Number(percent),
          ...(limit !== undefined && { limit: `${limit}` }),
          ...(price && { price: { denom: price.denom, amount: formatDecimal(price.amount) } }),
        },
      }

const encodeExcluded = (excluded: Excluded): object => {
  const { address, status, reason, denoms, pair, isRetired } = excluded
  return {
    address,
    ...(pair === undefined ? denoms : encodeTerms(pair)),
    ...(isRetired === true && { retired: true }),
    status,
    reason: reason.slice(status.length + 2),
  }
}

/** The configuration of a pair in the document. */
export const encodeTerms = (pair: Omit<Pair, 'address' | 'rules' | 'ranges'>): object => ({
  base: pair.base,
  quote: pair.quote,
  tick: pair.tick,
  fee_taker: formatDecimal(pair.takerFee),
  fee_maker: formatDecimal(pair.makerFee),
  ...(pair.version !== undefined && { fin_version: pair.version }),
  oracles: pair.oracles,
})

function encodedPair(state: PairState, options: EncodeOptions): object {
  const cached = options.encoded?.get(state)
  if (cached !== undefined) return cached
  const document = encodePair(state, options)
  options.encoded?.set(state, document)
  return document
}

function encodePair(state: PairState, { isCompact }: EncodeOptions): object {
  const { pair, balances } = state
  const visiblePools = [...poolsOf(state.asks), ...poolsOf(state.bids)]
  const isPartial = state.asks.knownTo !== undefined || state.bids.knownTo !== undefined
  const stored = !isPartial && visiblePools.every((pool) => pool.sum !== undefined)
  const makersKnown = state.exact || (pair.ranges.length > 0 && visiblePools.every(isOfKnownKind))
  return {
    address: pair.address,
    ...encodeTerms(pair),
    ...(!(isCompact && stored) && { book: encodeBook(state) }),
    ...(stored && {
      pools: { base: encodePools(state, 'ask'), quote: encodePools(state, 'bid') },
    }),
    ...(makersKnown && { makers: state.makers.map(encodeMaker) }),
    ...(pair.ranges.length > 0 && { ranges: pair.ranges }),
    ...(balances && { balances: { base: `${balances.base}`, quote: `${balances.quote}` } }),
    status: 'open',
  }
}

function encodeBook(state: PairState): object {
  const [asks, bids] = [
    visibleBook(state, 'ask', BOOK_LIMIT),
    visibleBook(state, 'bid', BOOK_LIMIT),
  ]
  return {
    base: asks.levels.map(encodeLevel),
    quote: bids.levels.map(encodeLevel),
    truncated: { base: asks.truncated, quote: bids.truncated },
  }
}

/** A level of a book in the document. */
export const encodeLevel = ({ rate, total }: BookLevel): object => ({
  price: formatDecimal(rate),
  total: `${total}`,
})

const isOfKnownKind = (pool: RestingPool): boolean => pool.origin !== 'unknown'

const encodePools = (state: PairState, side: Side): readonly object[] =>
  [...poolsOf(restingOf(state, side))]
    .sort((a, b) => Number(isBetter(side, b.rate, a.rate)) - Number(isBetter(side, a.rate, b.rate)))
    .map(encodePool)

/** A pool of a pair in the document; sum and product are left out as long as it is unfilled. */
export const encodePool = ({
  rate,
  total,
  bps,
  sum,
  product,
}: Omit<RestingPool, 'origin' | 'certain'>): object => ({
  ...encodeLevel({ rate, total }),
  ...(bps !== undefined && { bps }),
  ...(sum && sum.mantissa !== 0n && { sum: scaledText(sum) }),
  ...(product && !scaledEqual(product, SCALED_ONE) && { product: scaledText(product) }),
})

function encodeMaker(maker: Maker): object {
  if (maker.kind === 'silent') return { address: maker.address }
  if (maker.kind === 'quoted')
    return {
      address: maker.address,
      levels: { base: maker.asks.map(encodeQuote), quote: maker.bids.map(encodeQuote) },
      levels_truncated: { base: maker.asksTruncated, quote: maker.bidsTruncated },
    }
  const { address, x, y, step, minQuote, fee, reserveX, reserveY } = maker
  return {
    address,
    strategy: {
      xyk: [
        { x, y, step: formatDecimal(step), min_quote: `${minQuote}`, fee: formatDecimal(fee) },
        { x: `${reserveX}`, y: `${reserveY}`, k: `${reserveX * reserveY}` },
      ],
    },
  }
}

const encodeQuote = ({ price, size }: MakerLevel): object => ({
  price: formatDecimal(price),
  size: `${size}`,
})
