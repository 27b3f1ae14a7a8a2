import { simulateBook } from '../../market/book.js'
import type { Market } from '../../market/market.js'
import { isRefusal } from '../../market/refusal.js'
import type { Coin } from '../../market/token.js'
import type { CoinDocument, RouteDocument } from '../document.js'
import { allAgree, type Comparison, compare } from './comparison.js'
import type { ChainPort, Simulated, SimulateQuestion } from './port.js'

/** The contracts' own numbers for one route, as of the answer's height. */
export type VerifiedRoute = {
  readonly id: string
  /** Whether every number is ours, to the last atomic; `null` where some are not known. */
  readonly agrees: boolean | null
  /** Each pair's `simulate` of what the hop offers it. */
  readonly hops: readonly ({
    readonly address: string
    readonly input: CoinDocument
  } & Comparison)[]
  /** The router's `simulate` of the whole path. */
  readonly router: Comparison
}

/** The member `verify` of an answer: one entry a route, in the order of the routes. */
export type Verification = {
  readonly height: number
  readonly agrees: boolean | null
  readonly routes: readonly VerifiedRoute[]
}

/**
 * Asks the contracts what they would answer for every hop and for every whole path of an answer, at
 * the height of its market, and sets it beside our numbers.
 */
export async function verify(
  chain: ChainPort,
  market: Market,
  routes: readonly RouteDocument[],
): Promise<Verification> {
  const questions = routes.flatMap((route) => [
    ...route.hops.map(({ address, input }) => ({ contract: address, coin: coinOf(input) })),
    wholeOf(market, route),
  ])
  const answers = await chain.simulations(questions, market.height)
  let at = 0
  const verified = routes.map((route) => {
    const some = answers.slice(at, (at += route.hops.length + 1))
    return verifiedRoute(market, route, some)
  })
  return {
    height: market.height,
    agrees: allAgree(verified.map(({ agrees }) => agrees)),
    routes: verified,
  }
}

const coinOf = ({ denom, amount }: CoinDocument): Coin => ({ denom, amount: BigInt(amount) })

const wholeOf = (market: Market, { funds, tx }: RouteDocument): SimulateQuestion => ({
  contract: market.router.address,
  coin: coinOf(funds),
  stages: tx.swap.stages,
})

function verifiedRoute(
  market: Market,
  route: RouteDocument,
  answers: readonly Simulated[],
): VerifiedRoute {
  const hops = route.hops.map(({ address, input }, i) => ({
    address,
    input,
    ...compare(ownNumber(market, address, coinOf(input)), answers[i]!),
  }))
  const { simulated_output: ours } = route
  const router = compare(ours === null ? undefined : BigInt(ours), answers.at(-1)!)
  const agrees = allAgree([...hops, router].map((each) => each.agrees))
  return { id: route.id, agrees, hops, router }
}

/** What we say a pair's `simulate` answers: it sees neither its arbitrage step nor earlier hops. */
function ownNumber(market: Market, address: string, coin: Coin): bigint | undefined {
  const book = market.books.get(address)
  const fill = book && simulateBook(book, coin)
  return fill === undefined || isRefusal(fill) ? undefined : fill.bought
}
