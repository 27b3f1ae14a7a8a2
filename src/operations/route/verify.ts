import { simulateBook } from '../../engine/market/book.js'
import type { Market } from '../../engine/market/market.js'
import { isRefusal } from '../../engine/market/refusal.js'
import type { Coin } from '../../engine/market/token.js'
import type { Contracts, SimulateQuery, SimulateResult } from '../chain-port.js'
import { coinFrom } from '../document-parts.js'
import { allAgree, compare, simulationsOf } from '../simulations.js'
import type { RouteDocument, Verification } from './route-documents.js'
import type { VerifiedCall } from './verification-documents.js'

/** The numbers of one contract call to verify. */
export type Call = Pick<RouteDocument, 'hops' | 'funds' | 'tx' | 'simulated_output'>

/**
 * Queries the contracts for every hop and every whole path of an answer, at its market's height, and compares
 * them with our numbers.
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

/** The same for arbitrary calls, in their order. */
export async function verifiedCalls(
  contracts: Contracts,
  market: Market,
  calls: readonly Call[],
): Promise<readonly VerifiedCall[]> {
  const questions = calls.map((call) => questionsOf(market, call))
  const answers = await simulationsOf(contracts, market, questions.flat())
  let next = 0
  return calls.map((call, i) => {
    const first = next
    next += questions[i]!.length
    return verifiedCall(market, call, answers.slice(first, next))
  })
}

/** One query for each hop, and one for the whole path. */
const questionsOf = (market: Market, { hops, funds, tx }: Call): readonly SimulateQuery[] => [
  ...hops.map(({ address, input }) => ({ contract: address, coin: coinFrom(input) })),
  { contract: market.router.address, coin: coinFrom(funds), stages: tx.swap.stages },
]

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
  const { simulated_output: computed } = call
  const router = compare(computed === null ? undefined : BigInt(computed), answers.at(-1)!)
  const agrees = allAgree([...hops, router].map((each) => each.agrees))
  return { agrees, hops, router }
}

/**
 * Our number for a pair's `simulate`, which ignores its arbitrage step and the effects of earlier hops and
 * calls.
 */
function ownNumber(market: Market, address: string, coin: Coin): bigint | undefined {
  const book = market.books.get(address)
  const fill = book && simulateBook(book, coin)
  return fill === undefined || isRefusal(fill) ? undefined : fill.bought
}
