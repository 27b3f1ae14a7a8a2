import type { Market } from '../../engine/market/market.js'
import type { Coin, Denom } from '../../engine/market/token.js'
import { findRoutes, netOf } from '../../engine/routing/find-routes.js'
import { stagesOf } from '../../engine/routing/message.js'
import { type Limits, queryOf, type WorkBudget } from '../../engine/routing/query.js'
import type { Route } from '../../engine/routing/route.js'
import { undominated } from '../../engine/splits/candidates.js'
import type { Frontier, Splits, SplitTerms } from '../../engine/splits/find-split.js'
import { type Split, splitOf, undividedSplit } from '../../engine/splits/split.js'
import type { Contracts, SimulateResult } from '../chain-port.js'
import type { MarketView } from '../context.js'
import {
  type Confirmation,
  type ConfirmationTerms,
  confirmationOf,
  confirmedRoute,
  confirmHops,
} from '../route/confirm-routes.js'
import { verifiedCalls } from '../route/verify.js'
import { allAgree, answersByName, nameOf } from '../simulations.js'
import type { SplitDocument, SplitVerification } from './split-documents.js'

/** Splits found or given, best first, with their benchmarks. */
export type SplitResult = Pick<Splits, 'splits' | 'single' | 'frontier' | 'free'> & {
  readonly input: Coin
  readonly bound: bigint | undefined
}

/** Whether all numbers rest on complete knowledge. */
const isExact = ({ splits, single, frontier }: SplitResult): boolean =>
  [...splits, ...pointsOf(frontier)].every(({ exact }) => exact) && (single?.exact ?? true)

const pointsOf = (frontier: Frontier | undefined): readonly Split[] =>
  frontier === undefined ? [] : [...frontier.byLegs, ...frontier.bySteps].map(({ split }) => split)

/** What a search of splits was for. */
type Searched = {
  readonly view: Pick<MarketView, 'graph'>
  readonly output: Denom
  readonly limits: Limits
  readonly terms: Pick<SplitTerms, 'slippageBps'>
  readonly budget: WorkBudget
}

/**
 * Replaces estimates by the contracts' numbers and ranks by them, with so many single paths beside the splits that
 * were found. Refused splits are dropped. The upper bound holds only for complete knowledge, so it is dropped too.
 */
export async function confirmResult(
  contracts: () => Promise<Contracts>,
  { view: { graph }, output, limits, terms: { slippageBps }, budget }: Searched,
  result: SplitResult,
  count: number,
): Promise<SplitResult> {
  const { input, single, frontier } = result
  const search = () => {
    const query = queryOf(graph, input.denom, output, limits, budget)
    return findRoutes(query, input, count, { slippageBps }).routes
  }
  const singles = single === undefined ? [] : count > 1 ? search() : [single]
  const splits = [...result.splits, ...singles.map((route) => undividedSplit(input, route))]
  if (isExact({ ...result, splits })) return result
  const { market } = graph
  const netOfSplit = ({ legs }: Split): bigint =>
    legs.reduce((sum, { route }) => sum + netOf(graph, route), 0n)
  const distinct = [
    ...new Map([...splits, ...pointsOf(frontier)].map((split) => [split.id, split])).values(),
  ]
  const terms = { limits, slippageBps }
  const numbers = await confirmSplits(await contracts(), market, distinct, terms)
  const byId = new Map(distinct.map(({ id }, i) => [id, numbers[i]]))
  const confirmedPoints = <Point extends { readonly split: Split }>(points: readonly Point[]) =>
    points.flatMap((point) => {
      const split = byId.get(point.split.id)
      return split === undefined ? [] : [{ ...point, split }]
    })
  const best = undominated(
    splits.flatMap(({ id }) => byId.get(id) ?? []),
    (split) => ({ net: netOfSplit(split), legs: split.legs }),
    // Of single paths that pay the same, the one that is the best route.
    ({ id, legs }) => [...legs.map(({ route }) => route.id), id].join(' '),
  )
  const alone = best.find(({ legs }) => legs.length === 1)
  return {
    ...result,
    splits: best,
    single: single && alone?.legs[0]?.route,
    bound: undefined,
    free: undefined,
    frontier: frontier && {
      byLegs: runningBest(confirmedPoints(frontier.byLegs), netOfSplit, alone),
      bySteps: confirmedPoints(frontier.bySteps),
    },
  }
}

/** More allowed legs include splits with fewer. */
function runningBest(
  points: Frontier['byLegs'],
  netOf: (split: Split) => bigint,
  single: Split | undefined,
): Frontier['byLegs'] {
  let best = single
  return points.map((point) => {
    if (best === undefined || netOf(point.split) > netOf(best)) best = point.split
    return { ...point, split: best }
  })
}

/**
 * Confirms splits over incompletely known pairs with the contracts' numbers (`confirmHops`). `undefined` for
 * a refused one.
 */
async function confirmSplits(
  contracts: Contracts,
  market: Market,
  splits: readonly Split[],
  terms: ConfirmationTerms,
): Promise<readonly (Split | undefined)[]> {
  const lists = splits.map(({ legs }) => legs.map(({ route }) => confirmationOf(route)))
  const aloneResults = await simulationsAlone(contracts, market, lists.flat())
  await confirmHops(contracts, market.height, lists)
  return splits.map(({ id, input, legs }, i) => {
    const list = lists[i]!
    // What follows a refusal was not queried.
    if (list.some(({ state }) => state === 'refused')) return undefined
    const confirmed = legs.flatMap((leg, at) => {
      const confirmation = list[at]!
      if (confirmation.state === 'ours') return leg
      const alone = aloneResults.get(confirmation)
      const route = confirmedLeg(market, confirmation, alone, at === 0, terms)
      return route ? { ...leg, route } : []
    })
    return confirmed.length < legs.length ? undefined : splitOf({ id, input }, confirmed)
  })
}

/** The router's answer for each unconfirmed leg alone: `simulated_output`. */
async function simulationsAlone(
  contracts: Contracts,
  { router, height }: Market,
  legs: readonly Confirmation[],
): Promise<ReadonlyMap<Confirmation, SimulateResult>> {
  const open = legs.filter(({ state }) => state === 'open')
  if (open.length === 0) return new Map()
  const questions = open.map(({ route }) => ({
    contract: router.address,
    coin: route.input,
    stages: stagesOf(router, route),
  }))
  const answers = await answersByName(contracts, questions, height)
  return new Map(open.map((leg, i) => [leg, answers.get(nameOf(questions[i]!))!]))
}

/** The router's balance joins the first leg. */
function confirmedLeg(
  market: Market,
  confirmation: Confirmation,
  aloneResult: SimulateResult | undefined,
  isFirst: boolean,
  terms: ConfirmationTerms,
): Route | undefined {
  const router = isFirst ? market.router : { ...market.router, balances: new Map() }
  const route = confirmedRoute({ ...market, router }, confirmation, terms)
  const unconfirmed = aloneResult?.kind === 'unknown' ? confirmation.route.simulated : undefined
  const simulated = aloneResult?.kind === 'answered' ? aloneResult.returned : unconfirmed
  return route && { ...route, simulated }
}

/**
 * Queries the contracts for every leg of every split: each pair for its hop's offer, the router for the leg
 * alone. `simulate` sees untouched books, and so do both numbers.
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
  let first = 0
  const routes = splits.map((split) => {
    const legs = calls.slice(first, first + split.legs.length)
    first += split.legs.length
    return { id: split.id, agrees: allAgree(legs.map(({ agrees }) => agrees)), legs }
  })
  return {
    height: market.height,
    agrees: allAgree(routes.map(({ agrees }) => agrees)),
    routes,
  }
}
