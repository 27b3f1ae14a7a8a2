import { simulateBook } from '../../engine/market/book.js'
import type { Market } from '../../engine/market/market.js'
import { isRefusal } from '../../engine/market/refusal.js'
import type { Coin } from '../../engine/market/token.js'
import type { Contracts, SimulateQuery, SimulateResult } from '../chain-port.js'
import { coinFrom } from '../route-document.js'
import { allAgree, compare, simulationsOf } from '../simulations.js'
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
