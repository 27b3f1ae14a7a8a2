import type { Market } from '../../engine/market/market.js'
import type { Hop } from '../../engine/market/router.js'
import type { Coin } from '../../engine/market/token.js'
import { stagesOf } from '../../engine/routing/message.js'
import type { Limits } from '../../engine/routing/query.js'
import { finishRoute, isSimplePath, type Route } from '../../engine/routing/route.js'
import type { Frontier } from '../../engine/splits/find-split.js'
import { type Split, type SplitLeg, splitOf } from '../../engine/splits/split.js'
import type { Contracts, SimulateQuery, SimulateResult } from '../chain-port.js'
import { allAgree } from '../comparison.js'
import { confirmRoutes, filledHop, verifiedCalls } from '../route/verify.js'
import { pointsOf, type SplitResult } from './find-split.js'
import type { SplitDocument, SplitVerification } from './split-documents.js'

/**
 * The same with the contracts' numbers wherever ours are estimates, ranked by them. What they refuse
 * goes. A bound that was proved on what is known says nothing of what is not: there is none then.
 */
export async function confirmResult(
  contracts: Contracts,
  market: Market,
  found: SplitResult,
  terms: { readonly limits: Limits; readonly slippageBps: number },
): Promise<SplitResult> {
  const { splits, single, frontier } = found
  const distinct = [
    ...new Map([...splits, ...pointsOf(frontier)].map((each) => [each.id, each])).values(),
  ]
  const [numbers, [best]] = await Promise.all([
    confirmSplits(contracts, market, distinct, terms),
    confirmRoutes(contracts, market, single === undefined ? [] : [single], terms),
  ])
  const known = new Map(distinct.map(({ id }, i) => [id, numbers[i]]))
  const confirmedOf = (split: Split): readonly Split[] => {
    const one = known.get(split.id)
    return one === undefined ? [] : [one]
  }
  return {
    ...found,
    splits: undominated(splits.flatMap(confirmedOf)),
    single: best,
    bound: undefined,
    free: undefined,
    frontier: frontier && {
      byLegs: runningBest(
        frontier.byLegs.flatMap((point) =>
          confirmedOf(point.split).map((split) => ({ ...point, split })),
        ),
      ),
      bySteps: frontier.bySteps.flatMap((point) =>
        confirmedOf(point.split).map((split) => ({ ...point, split })),
      ),
    },
  }
}

/** With more legs allowed, one with fewer is still there. */
function runningBest(points: Frontier['byLegs']): Frontier['byLegs'] {
  let best: Split | undefined
  return points.map((point) => {
    if (best === undefined || point.split.expected > best.expected) best = point.split
    return { ...point, split: best }
  })
}

/** Those that no division with as few legs beats, the one that pays most first. */
function undominated(splits: readonly Split[]): readonly Split[] {
  const ranked = [...splits].sort((a, b) => {
    if (a.expected !== b.expected) return a.expected > b.expected ? -1 : 1
    return a.legs.length - b.legs.length || (a.id < b.id ? -1 : 1)
  })
  let fewest = Number.POSITIVE_INFINITY
  return ranked.filter(({ legs }) => {
    if (legs.length >= fewest) return false
    fewest = legs.length
    return true
  })
}

type Terms = { readonly limits: Limits; readonly slippageBps: number }

/** A leg while its hops are confirmed one by one. */
type LegProgress = {
  readonly leg: SplitLeg
  hops: readonly Hop[]
  /** Whether its numbers are final: ours if all is known or a node could not say, else the contracts'. */
  state: 'open' | 'ours' | 'theirs' | 'refused'
  /** What the router's own `simulate` said of the leg alone. */
  alone: SimulateResult | undefined
}

/** What has gone through the same side of a book before a hop, in this division. */
type EarlierUse = { readonly offered: bigint; readonly bought: bigint; readonly fee: bigint }

/**
 * Divisions over pairs that hold more than is known of them, with the contracts' own numbers. Every hop
 * is what its pair's `simulate` says at the market's height of what the hop before it pays; where
 * earlier legs use the same book, what it says of all of them together less what those were paid. They
 * stay inexact, since `simulate` runs no arbitrage step. A division that a contract refuses has none; a
 * leg that a node could not ask for keeps our estimate.
 */
async function confirmSplits(
  contracts: Contracts,
  market: Market,
  splits: readonly Split[],
  terms: Terms,
): Promise<readonly (Split | undefined)[]> {
  const asked = splits.map(({ legs }) => legs.map(legProgress))
  await simulateLegsAlone(contracts, market, asked.flat())
  for (;;) {
    const ready = asked.flatMap(pendingHops)
    if (ready.length === 0) break
    const answers = await contracts.simulations(
      ready.map(({ question }) => question),
      market.height,
    )
    for (const [i, each] of ready.entries()) applyResult(each, answers[i]!)
  }
  return splits.map((split, i) => confirmedSplit(market, split, asked[i]!, terms))
}

const legProgress = (leg: SplitLeg): LegProgress =>
  leg.route.exact || !isSimplePath(leg.route)
    ? { leg, hops: leg.route.hops, state: 'ours', alone: undefined }
    : { leg, hops: [], state: 'open', alone: undefined }

/** What the router answers for each leg alone: `simulated_output`. */
async function simulateLegsAlone(
  contracts: Contracts,
  { router, height }: Market,
  asked: readonly LegProgress[],
): Promise<void> {
  const open = asked.filter(({ state }) => state === 'open')
  if (open.length === 0) return
  const questions = open.map(({ leg: { route } }) => ({
    contract: router.address,
    coin: route.input,
    stages: stagesOf(router, route),
  }))
  const answers = await contracts.simulations(questions, height)
  for (const [i, each] of open.entries()) each.alone = answers[i]
}

type PendingHop = {
  readonly asked: LegProgress
  readonly hop: Hop
  readonly offer: Coin
  readonly before: EarlierUse
  readonly question: SimulateQuery
}

/** The next hop of every leg for which all that goes through its book before it is settled. */
function pendingHops(legs: readonly LegProgress[]): readonly PendingHop[] {
  if (legs.some(({ state }) => state === 'refused')) return []
  return legs.flatMap((asked, i) => {
    const hop = asked.leg.route.hops[asked.hops.length]
    if (asked.state !== 'open' || hop === undefined) return []
    const earlier = legs.slice(0, i)
    if (earlier.some((each) => stillUses(each, hop))) return []
    const before = sumOf([...earlier.flatMap(({ hops }) => hops), ...asked.hops], hop)
    const offer = asked.hops.at(-1)?.output ?? asked.leg.route.input
    const coin = { denom: offer.denom, amount: offer.amount + before.offered }
    return [
      { asked, hop, offer, before, question: { contract: hop.book.state.pair.address, coin } },
    ]
  })
}

const isSame = (a: Hop, b: Hop): boolean => a.book === b.book && a.fill.side === b.fill.side

const stillUses = ({ leg, hops }: LegProgress, hop: Hop): boolean =>
  leg.route.hops.slice(hops.length).some((each) => isSame(each, hop))

const sumOf = (hops: readonly Hop[], hop: Hop): EarlierUse =>
  hops
    .filter((each) => isSame(each, hop))
    .reduce(
      ({ offered, bought, fee }, { offer, fill }) => ({
        offered: offered + offer.amount,
        bought: bought + fill.bought,
        fee: fee + fill.fee,
      }),
      { offered: 0n, bought: 0n, fee: 0n },
    )

function applyResult({ asked, hop, offer, before }: PendingHop, answer: SimulateResult): void {
  if (answer.kind === 'unknown') {
    asked.hops = asked.leg.route.hops
    asked.state = 'ours'
    return
  }
  const bought = answer.kind === 'answered' ? answer.returned - before.bought : 0n
  if (answer.kind !== 'answered' || bought <= 0n) {
    asked.state = 'refused'
    return
  }
  const fee = answer.fee > before.fee ? answer.fee - before.fee : 0n
  asked.hops = [...asked.hops, filledHop(hop, offer, bought, fee)]
  if (asked.hops.length === asked.leg.route.hops.length) asked.state = 'theirs'
}

/** The division with these hops; none where a contract refused one of them. */
function confirmedSplit(
  market: Market,
  { id, input }: Split,
  asked: readonly LegProgress[],
  terms: Terms,
): Split | undefined {
  if (asked.some(({ state }) => state === 'refused')) return undefined
  const legs = asked.map((each, i) => {
    const { leg } = each
    return each.state === 'ours'
      ? leg
      : { ...leg, route: confirmedRoute(market, each, i === 0, terms) }
  })
  return splitOf({ id, input }, legs)
}

/** What lies in the router goes with the first leg. */
function confirmedRoute(
  market: Market,
  { leg, hops, alone }: LegProgress,
  isFirst: boolean,
  terms: Terms,
): Route {
  const router = isFirst ? market.router : { ...market.router, balances: new Map() }
  const route = finishRoute({ ...market, router }, leg.route.input, hops, terms)
  const said = alone?.kind === 'unknown' ? leg.route.simulated : undefined
  return { ...route, simulated: alone?.kind === 'answered' ? alone.returned : said }
}

/**
 * Asks the contracts about every leg of every division: each pair about what its hop is offered, the
 * router about the leg alone. `simulate` sees untouched books, so both numbers are those of such.
 */
export async function verifySplits(
  contracts: Contracts,
  market: Market,
  splits: readonly SplitDocument[],
): Promise<SplitVerification> {
  const calls = await verifiedCalls(
    contracts,
    market,
    splits.flatMap(({ legs }) => legs),
  )
  let at = 0
  const routes = splits.map(({ id, legs: { length } }) => {
    const legs = calls.slice(at, (at += length))
    return { id, agrees: allAgree(legs.map(({ agrees }) => agrees)), legs }
  })
  return {
    height: market.height,
    agrees: allAgree(routes.map(({ agrees }) => agrees)),
    routes,
  }
}
