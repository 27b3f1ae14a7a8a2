import { simulateBook } from '../../engine/market/book.js'
import type { Market } from '../../engine/market/market.js'
import { isRefusal } from '../../engine/market/refusal.js'
import type { Hop } from '../../engine/market/router.js'
import type { Coin } from '../../engine/market/token.js'
import type { Limits } from '../../engine/routing/query.js'
import { byCost, finishRoute, isSimplePath, type Route } from '../../engine/routing/route.js'
import type { Contracts, SimulateQuery, SimulateResult } from '../chain-port.js'
import { allAgree, compare } from '../comparison.js'
import { coinFrom } from '../route-document.js'
import { simulationsOf } from '../simulations.js'
import type { RouteDocument, Verification } from './route-answer.js'
import type { VerifiedCall } from './verification-answer.js'

/** What is asked about one contract call of an answer. */
export type Call = Pick<RouteDocument, 'hops' | 'funds' | 'tx' | 'simulated_output'>

/**
 * Asks the contracts what they would answer for every hop and for every whole path of an answer, at
 * the height of its market, and sets it beside our numbers.
 */
export async function verify(
  contracts: Contracts,
  market: Market,
  routes: readonly RouteDocument[],
): Promise<Verification> {
  const calls = await verifiedCalls(contracts, market, routes)
  return {
    height: market.height,
    agrees: allAgree(calls.map(({ agrees }) => agrees)),
    routes: calls.map((call, i) => ({ id: routes[i]!.id, ...call })),
  }
}

/** The same for any calls, in their order. What several of them ask is asked once. */
export async function verifiedCalls(
  contracts: Contracts,
  market: Market,
  calls: readonly Call[],
): Promise<readonly VerifiedCall[]> {
  const questions = new Map<string, SimulateQuery>()
  const names = calls.map((call) =>
    questionsOf(market, call).map((question) => {
      const name = nameOf(question)
      questions.set(name, question)
      return name
    }),
  )
  const answers = await simulationsOf(contracts, market, [...questions.values()])
  const known = new Map([...questions.keys()].map((name, i) => [name, answers[i]!]))
  return calls.map((call, i) =>
    verifiedCall(
      market,
      call,
      names[i]!.map((name) => known.get(name)!),
    ),
  )
}

/** One question a hop, and one for the whole path. */
const questionsOf = (market: Market, { hops, funds, tx }: Call): readonly SimulateQuery[] => [
  ...hops.map(({ address, input }) => ({ contract: address, coin: coinFrom(input) })),
  { contract: market.router.address, coin: coinFrom(funds), stages: tx.swap.stages },
]

const nameOf = ({ contract, coin, stages = [] }: SimulateQuery): string =>
  [contract, coin.denom, coin.amount, ...stages.map((each) => each.address)].join(' ')

function verifiedCall(
  market: Market,
  call: Call,
  answers: readonly SimulateResult[],
): VerifiedCall {
  const hops = call.hops.map(({ address, input }, i) => ({
    address,
    input,
    ...compare(ownNumber(market, address, coinFrom(input)), answers[i]!),
  }))
  const { simulated_output: ours } = call
  const router = compare(ours === null ? undefined : BigInt(ours), answers.at(-1)!)
  const agrees = allAgree([...hops, router].map((each) => each.agrees))
  return { agrees, hops, router }
}

/**
 * What we say a pair's `simulate` answers: it sees neither its arbitrage step nor what earlier hops
 * and earlier calls do to its book.
 */
function ownNumber(market: Market, address: string, coin: Coin): bigint | undefined {
  const book = market.books.get(address)
  const fill = book && simulateBook(book, coin)
  return fill === undefined || isRefusal(fill) ? undefined : fill.bought
}

type Terms = { readonly limits: Limits; readonly slippageBps: number }

/** A route on its way from contract to contract. */
type ConfirmationProgress = {
  readonly route: Route
  readonly hops: readonly Hop[]
  /** False once a contract has refused, or could not say. */
  readonly isPending: boolean
}

/**
 * Routes over pairs that hold more than is known of them, with the contracts' own numbers: every hop
 * is what its pair's `simulate` says at the market's height of what the hop before it pays. They stay
 * inexact, since `simulate` runs no arbitrage step. A route that a contract refuses goes; one that a
 * node could not ask for keeps our estimate. Exact routes are left as they are, and paths that return to
 * a denom, since `simulate` knows no leftovers. Best first.
 */
export async function confirmRoutes(
  contracts: Contracts,
  market: Market,
  routes: readonly Route[],
  terms: Terms,
): Promise<readonly Route[]> {
  let asked = routes.filter(isConfirmable).map(unconfirmed)
  for (
    let at = 0;
    asked.some(({ route, isPending: goesOn }) => goesOn && at < route.hops.length);
    at += 1
  )
    asked = await simulateHop(contracts, market.height, asked, at)
  const numbers = new Map(asked.map((each) => [each.route, confirmedRoute(market, each, terms)]))
  return routes
    .flatMap((route) => (isConfirmable(route) ? (numbers.get(route) ?? []) : [route]))
    .sort(byCost)
}

const isConfirmable = (route: Route): boolean => !route.exact && isSimplePath(route)

const unconfirmed = (route: Route): ConfirmationProgress => ({ route, hops: [], isPending: true })

/** Asks every route's hop number `at` at once. */
async function simulateHop(
  contracts: Contracts,
  height: number,
  asked: readonly ConfirmationProgress[],
  at: number,
): Promise<ConfirmationProgress[]> {
  const questions = asked.map((each) => queryForHop(each, at))
  const answers = await contracts.simulations(
    questions.filter((each) => each !== undefined),
    height,
  )
  let next = 0
  return asked.map((each, i) => {
    const question = questions[i]
    const hop = each.route.hops[at]
    if (question === undefined || hop === undefined) return each
    const answer = answers[next++]
    if (answer?.kind === 'unknown') return { ...each, hops: each.route.hops, isPending: false }
    if (answer?.kind !== 'answered') return { ...each, hops: [], isPending: false }
    const filled = filledHop(hop, question.coin, answer.returned, answer.fee)
    return { ...each, hops: [...each.hops, filled] }
  })
}

function queryForHop({ route, hops, isPending: goesOn }: ConfirmationProgress, at: number) {
  const hop = route.hops[at]
  if (!goesOn || hop === undefined) return undefined
  const coin = hops.at(-1)?.output ?? route.input
  return { contract: hop.book.state.pair.address, coin }
}

/** A hop that takes all of its offer, with a contract's numbers. */
export const filledHop = (hop: Hop, offer: Coin, bought: bigint, fee: bigint): Hop => ({
  ...hop,
  offer,
  output: { denom: hop.output.denom, amount: bought },
  fill: { ...hop.fill, sold: offer.amount, unsold: 0n, bought, fee, exact: false },
})

/** The route with these hops, none where a contract refused, ours where a node could not say. */
function confirmedRoute(
  market: Market,
  { route, hops }: ConfirmationProgress,
  terms: Terms,
): readonly Route[] {
  if (hops === route.hops) return [route]
  const paid = hops.at(-1)
  if (hops.length < route.hops.length || paid === undefined || paid.output.amount === 0n) return []
  const finished = finishRoute(market, route.input, hops, terms)
  return [{ ...finished, simulated: finished.gross - finished.division.protocol }]
}
