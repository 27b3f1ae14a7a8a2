import { SwapError } from '../../engine/errors.js'
import type { Market } from '../../engine/market/market.js'
import type { Coin } from '../../engine/market/token.js'
import {
  over,
  plus,
  type Rational,
  rational,
  toBps,
  toPercent,
} from '../../engine/math/rational.js'
import { messageOf } from '../../engine/routing/message.js'
import { minReturnOf, type Route, type RouteHop } from '../../engine/routing/route.js'
import { impactsOf } from '../../engine/splits/split.js'
import { formatCoin } from '../../operations/amount.js'
import type { MarketView } from '../../operations/context.js'
import { requireAffiliate, requireRecipient } from '../../operations/names.js'
import { requireImpact } from '../../operations/route/guards.js'
import { worthIn } from '../../operations/worth.js'
import { shellWord } from '../../platform/shell-word.js'
import type { RequestedLeg, RequestedSwap, SwapTask, SwapTerms } from '../task.js'
import { requireOneTrade } from './claims.js'
import { requireFresh } from './expiry.js'
import { BY_PERSON } from './limits.js'
import { requireLeast, requote } from './requote.js'
import {
  isUntrusted,
  ownMinimum,
  requestedMinimum,
  type Tolerance,
  toleranceOf,
} from './tolerance.js'

/** One leg as it will be signed. */
export type PlannedLeg = ReturnType<typeof plannedLeg>

/** The legs to sign, computed from the market at one height. */
export type Plan = {
  readonly market: Market
  /** The router that is called. */
  readonly contract: string
  readonly legs: readonly PlannedLeg[]
  readonly recipient: string
  readonly affiliate: string | undefined
  readonly tolerance: Tolerance
  /** Price impact of all legs; `null` without a reference price. */
  readonly impactBps: number | null
}

/**
 * Percent of a side of a book, used by all legs together, from which the book may be exhausted at execution: the
 * router would keep the unsold rest.
 */
const DEEP_PERCENT = 80

/** Tolerance of such a leg, in basis points, so that the transaction fails if the book is thinner. */
const DEEP_BPS = 10

/**
 * Requotes a swap on a market and plans its legs. All guards are checked here.
 *
 * @param from the address of the account
 * @throws SwapError of the first guard that fails
 */
export async function planOf(
  venue: MarketView,
  { requested, terms, account }: SwapTask,
): Promise<Plan> {
  const { market } = venue
  requireOneTrade(requested.legs)
  requireFresh(requested, terms, market)
  await requireRecipient(market, terms.to)
  requireOwnRecipient(requested, terms, account.address)
  requireOwnAffiliate(requested, terms)
  const affiliate = requireAffiliate(market, terms.affiliate)
  // The contract pays the signer if no recipient is named.
  const to = terms.to === account.address ? undefined : terms.to
  const tolerance = toleranceOf(terms, requested)
  const routes = requote(venue, requested.legs, { slippageBps: tolerance.bps, affiliate })
  const least = minimumsOf(requested.legs, routes, {
    tolerance,
    isBound: isUntrusted(terms, requested),
  })
  requireLeast(market, least, routes)
  const impact = impactsOf(routes).impact ?? lossOf(market, routes)
  if (!isLoop(requested) || impact !== undefined) requireImpact(impact, terms.maxImpactBps)
  const own = isUntrusted(terms, requested)
    ? await ownMinimum(venue, requested, { bps: tolerance.bps, affiliate: terms.affiliate })
    : 0n
  requireOwnMinimum(market, routes, own, tolerance)
  const minimum = requestedMinimum(requested, terms)
  const raised = raiseMinimums(market, least, routes, own > minimum ? own : minimum)
  return {
    market,
    contract: market.router.address,
    legs: routes.map((route, i) =>
      plannedLeg(market, route, raised[i]!, { to, affiliate: terms.affiliate }),
    ),
    recipient: to ?? account.address,
    affiliate: terms.affiliate,
    tolerance,
    impactBps: impact === undefined ? null : toBps(impact),
  }
}

/** The recipient of a quote must be the signer, or be named on the command line. */
function requireOwnRecipient(
  { recipient }: RequestedSwap,
  { to }: SwapTerms,
  address: string,
): void {
  if (recipient === undefined || recipient === (to ?? address)) return
  throw new SwapError('QUOTE_MISMATCH', 'the quote pays another account', {
    why: `it names ${recipient}`,
    hint: {
      cli: `if that is meant, say so: --to ${shellWord(recipient)}`,
      http: 'quote again without recipient: POST /swap/route',
    },
    members: { recipient },
  })
}

function requireOwnAffiliate({ affiliate }: RequestedSwap, terms: SwapTerms): void {
  if (affiliate === undefined || affiliate === terms.affiliate) return
  throw new SwapError('INVALID_AFFILIATE', `the quote pays a fee to "${affiliate.slice(0, 60)}"`, {
    why: 'an affiliate code in a document is not taken on trust',
    hint: {
      cli: `if that is meant, say so: --affiliate ${shellWord(affiliate.slice(0, 60))}`,
      http: 'quote again without affiliate: POST /swap/route',
    },
    members: { pointer: '/affiliate' },
  })
}

type LegMinimum = RequestedLeg & { readonly isDeep: boolean }

/**
 * The minimum of each leg: the greatest of the quote's minimum, the quote's output less the tolerance,
 * and the current output less the tolerance. `--slippage` overrides the quote's minimum, unless the
 * quote is binding.
 */
function minimumsOf(
  legs: readonly RequestedLeg[],
  routes: readonly Route[],
  { tolerance, isBound }: { readonly tolerance: Tolerance; readonly isBound: boolean },
): readonly LegMinimum[] {
  const deep = deepLegs(routes)
  const isLoosened = !isBound && tolerance.source === '--slippage'
  return legs.map((leg, i) => {
    const { expected, minReturn } = routes[i]!
    const isDeep = deep[i]!
    const promised = leg.quoted === undefined ? 0n : minReturnOf(leg.quoted, tolerance.bps)
    const demanded = isLoosened && leg.quoted !== undefined ? 0n : leg.least
    const close = isDeep ? minReturnOf(expected, DEEP_BPS) : 0n
    // The two bounds of the quote may exceed the current output; the two of the fresh route never do.
    const least = [demanded, promised, minReturn, close].reduce((a, b) => (a > b ? a : b))
    return { ...leg, isDeep, least }
  })
}

/** Refuses an external quote that pays less than the minimum of a fresh quote. */
function requireOwnMinimum(
  market: Market,
  routes: readonly Route[],
  own: bigint,
  { bps }: Tolerance,
): void {
  const expected = routes.reduce((sum, route) => sum + route.expected, 0n)
  if (expected >= own) return
  const { output } = routes[0]!
  throw new SwapError('SLIPPAGE_EXCEEDED', 'the quote pays less than a quote of our own', {
    why: `its paths give ${formatCoin(market, output, expected)} at block ${market.height}; the best ones, less ${bps} bps, give ${formatCoin(market, output, own)}`,
    hint: {
      cli: `nothing was signed; quote again, a large amount as a split: swap sroute; or ${BY_PERSON}`,
      http: 'nothing was signed; quote again, a large amount as a split: POST /swap/sroute',
    },
    members: { limit: `${own}`, actual: `${expected}`, denom: output, height: market.height },
  })
}

/** The legs that use a side of a book deeply, counting all legs that use it. */
function deepLegs(routes: readonly Route[]): readonly boolean[] {
  const used = new Map<string, number>()
  const sideOf = ({ book, fill }: RouteHop) => `${book.state.pair.address} ${fill.side}`
  for (const hop of routes.flatMap(({ hops }) => hops)) {
    const share = toPercent(hop.depthUsed)
    used.set(sideOf(hop), (used.get(sideOf(hop)) ?? 0) + share)
  }
  return routes.map(({ hops }) => hops.some((hop) => used.get(sideOf(hop))! >= DEEP_PERCENT))
}

/** An arbitrage loop is compared with its input, not with a mid price. */
export const isLoop = ({ legs }: Pick<RequestedSwap, 'legs'> | Pick<Plan, 'legs'>): boolean =>
  legs.every(({ funds, output }) => funds.denom === output)

/** Raises minimums of legs, up to their expected output, until they sum up to the requested one. */
function raiseMinimums(
  market: Market,
  legs: readonly LegMinimum[],
  routes: readonly Route[],
  minimum: bigint,
): readonly LegMinimum[] {
  let missing = minimum - legs.reduce((sum, { least }) => sum + least, 0n)
  const raised = legs.map((leg, i) => {
    if (missing <= 0n) return leg
    const room = routes[i]!.expected - leg.least
    const more = missing < room ? missing : room
    missing -= more
    return { ...leg, least: leg.least + more }
  })
  if (missing <= 0n) return raised
  const { output } = legs[0]!
  const expected = routes.reduce((sum, route) => sum + route.expected, 0n)
  throw new SwapError('ASSERTION_FAILED', 'the swap pays less than you ask for', {
    why: `it pays ${formatCoin(market, output, expected)} at block ${market.height}; you ask for at least ${formatCoin(market, output, minimum)}`,
    hint: 'quote again, or ask for less: --min-out, of loops --min-profit',
    members: { limit: `${minimum}`, actual: `${expected}` },
  })
}

/**
 * The share lost in dollars at the mid prices of other books, fees included, if a book of the route has no mid price;
 * `undefined` if the others give no price either.
 */
function lossOf(market: Market, routes: readonly Route[]): Rational | undefined {
  const worth = worthIn(market)
  const sum = (coins: readonly Coin[]) =>
    coins.reduce<Rational | undefined>(
      (total, coin) => {
        const each = worth(coin)
        return total && each && plus(total, each)
      },
      rational(0n, 1n),
    )
  const sold = sum(routes.map(({ input }) => input))
  const bought = sum(routes.map(({ output, expected }) => ({ denom: output, amount: expected })))
  if (sold === undefined || bought === undefined || sold.numerator === 0n) return undefined
  const left = over(bought, sold)
  return rational(left.denominator - left.numerator, left.denominator)
}

function plannedLeg(
  market: Market,
  route: Route,
  leg: LegMinimum,
  { to, affiliate }: Pick<SwapTerms, 'to' | 'affiliate'>,
) {
  const { least, funds, output, pairs, isDeep } = leg
  const signed = { ...route, minReturn: least }
  return {
    funds,
    output,
    pairs,
    /** Whether it takes so much of a book that its minimum is set close to the expected output. */
    isDeep,
    /** The minimum enforced by the chain, and the output by the quote and by the current books, in atomics. */
    least,
    quoted: leg.quoted ?? route.expected,
    expected: route.expected,
    message: messageOf(market.router, signed, { recipient: to, affiliate }),
    route,
  }
}
