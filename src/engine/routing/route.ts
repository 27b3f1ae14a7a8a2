import { messageGas } from '../market/gas.js'
import type { Market } from '../market/market.js'
import { midOf } from '../market/mid-price.js'
import { isRefusal } from '../market/refusal.js'
import {
  grossOf,
  type Hop,
  isPayoutExact,
  type Payout,
  payoutOf,
  simulatePath,
} from '../market/router.js'
import type { Coin, Denom } from '../market/token.js'
import { BPS } from '../math/decimal.js'
import { bpsBelow, over, type Rational, rational, times } from '../math/rational.js'
import type { Limits } from './query.js'

/** One hop of a finished route. */
export type RouteHop = Hop & {
  /** How much worse the hop's average price, before its fee, is than its mid price. */
  readonly impact: Rational | undefined
  /** Output before the fee against what the side holds. */
  readonly depthUsed: Rational
}

/** A path with all figures of a quote. Amounts are atomics of their coin's denom. */
export type Route = {
  /** The same path has the same id in every run and on every market. */
  readonly id: string
  readonly input: Coin
  readonly output: Denom
  readonly hops: readonly RouteHop[]
  readonly denoms: readonly Denom[]
  /** The last hop's output and the router's balance, before the router's fees. */
  readonly gross: bigint
  readonly payout: Payout
  /** The recipient's amount: `payout.recipient`. */
  readonly expected: bigint
  /** The router's `simulate` answer for the same message; `undefined` if it fails. */
  readonly simulated: bigint | undefined
  readonly minReturn: bigint
  /** Estimated gas of its message, without the transaction around it. */
  readonly gas: bigint
  readonly exact: boolean
  /** Received per offered, atomics, before the swap and without fees. */
  readonly mid: Rational | undefined
  /** How much worse the average price is than the mid, fees excluded; negative where it is better. */
  readonly impact: Rational | undefined
}

/** `max(1, floor(expected × (10,000 − slippage) ÷ 10,000))`. */
export function minReturnOf(expected: bigint, slippageBps: number): bigint {
  const least = (expected * (BPS - BigInt(slippageBps))) / BPS
  return least > 1n ? least : 1n
}

/** Finishes a path whose hops are filled: prices, fees, guards. The router must pay something (`payoutOf`). */
export function finishRoute(
  market: Market,
  input: Coin,
  hops: readonly Hop[],
  terms: { readonly limits: Limits; readonly slippageBps: number },
): Route {
  const output = hops.at(-1)!.output.denom
  const gross = grossOf(market.router, hops)
  const payout = payoutOf(market.router, gross, terms.limits.affiliate)
  if (isRefusal(payout)) throw new Error(payout.why)
  const books = hops.map((hop) => hop.book)
  const simulated = isPlain(market, hops)
    ? { returned: gross - payout.protocol }
    : simulatePath(market.router, books, input)
  const mids = hops.map((hop) => midOf(hop.book, hop.fill.side))
  const mid = product(mids)
  return {
    id: pathId(books.map((book) => book.state.pair.address)),
    input,
    output,
    hops: hops.map((hop, i) => finishHop(hop, mids[i])),
    denoms: [input.denom, ...hops.map((hop) => hop.output.denom)],
    gross,
    payout,
    expected: payout.recipient,
    simulated: isRefusal(simulated) ? undefined : simulated.returned,
    minReturn: minReturnOf(payout.recipient, terms.slippageBps),
    gas: messageGas(market.gas, hops),
    exact:
      hops.every((hop) => hop.fill.exact) &&
      isPayoutExact(market.router, gross, terms.limits.affiliate),
    mid,
    impact: impactOf(product(hops.map(averageOf)), mid),
  }
}

/**
 * Whether `simulate` sees what is executed: the router has no balances, no pair occurs twice, none has an
 * effective arbitrage step, and each takes all of its offer.
 */
const isPlain = (market: Market, hops: readonly Hop[]): boolean =>
  market.router.balances.size === 0 &&
  new Set(hops.map(({ book }) => book)).size === hops.length &&
  hops.every(({ book, fill }) => {
    const arbitrage = book.afterArbitrage()
    return fill.unsold === 0n && !isRefusal(arbitrage) && !arbitrage.changed
  })

/** Received before the fee per sold; `undefined` if nothing was sold. */
const averageOf = ({ fill }: Hop): Rational | undefined =>
  fill.sold === 0n ? undefined : rational(fill.bought + fill.fee, fill.sold)

const product = (factors: readonly (Rational | undefined)[]): Rational | undefined =>
  factors.reduce((a, b) => a && b && times(a, b), rational(1n, 1n))

/** Whether no denom occurs twice: every hop then sells the previous one's output and the router's balance. */
export const isSimplePath = ({ denoms }: Route): boolean => new Set(denoms).size === denoms.length

/** `1 − average ÷ mid`. */
function impactOf(average: Rational | undefined, mid: Rational | undefined): Rational | undefined {
  if (average === undefined || mid === undefined) return undefined
  const share = over(average, mid)
  return rational(share.denominator - share.numerator, share.denominator)
}

function finishHop(hop: Hop, mid: Rational | undefined): RouteHop {
  const { book, offer, output, fill } = hop
  const depth = book.depth(fill.side)
  // Listed one by one: a spread makes V8 create a hidden class for every hop of every quote.
  return {
    book,
    offer,
    output,
    fill,
    impact: impactOf(averageOf(hop), mid),
    depthUsed: rational(fill.bought + fill.fee, depth > 0n ? depth : 1n),
  }
}

/** How far a route is behind the best one, in bps: below its output, or above its input if larger. */
export const gapBps = (route: Route, best: Route): number =>
  route.input.amount === best.input.amount
    ? bpsBelow(route.expected, best.expected)
    : -bpsBelow(route.input.amount, best.input.amount)

/** Upper half of the offset basis of 64-bit FNV-1a. */
const OFFSET_HIGH = 0xcbf29ce4
/** Lower half of the offset basis. */
const OFFSET_LOW = 0x84222325

/** The prime is 2^40 + 0x1b3: the shift is what the lower half moves into the upper one. */
const PRIME_LOW = 0x1b3

/**
 * A name for a path: 16 hex digits of FNV-1a (64 bit) over its pair addresses in order of execution, each
 * followed by a line feed; the addresses are ASCII. Depends on nothing else, so a path keeps its id from
 * block to block. Computed in integers of 32 bits: a bigint here cost a third of a quote.
 */
export function pathId(addresses: readonly string[]): string {
  let high = OFFSET_HIGH
  let low = OFFSET_LOW
  for (const address of addresses)
    for (let i = 0; i <= address.length; i += 1) {
      const mixed = low ^ (i < address.length ? address.charCodeAt(i) : LINE_FEED)
      const lower = (mixed & 0xffff) * PRIME_LOW
      const upper = (mixed >>> 16) * PRIME_LOW + (lower >>> 16)
      low = (upper << 16) | (lower & 0xffff)
      high = (Math.imul(high, PRIME_LOW) + (upper >>> 16) + (mixed << 8)) | 0
    }
  return hex(high) + hex(low)
}

const LINE_FEED = 10

const hex = (half: number): string => (half >>> 0).toString(16).padStart(8, '0')
