import type { Coin, Denom } from '../../engine/market/token.js'
import { type Question, smart } from '../queries/questions.js'
import { decodeSimulation, type Simulation } from '../queries/router.js'

const coinOf = ({ denom, amount }: Coin): object => ({ denom, amount: `${amount}` })

/** A pair's own `simulate` of an offer: what its book gives, without its arbitrage step. */
export const pairSimulation = (address: string, offer: Coin): Question<Simulation> =>
  smart(address, { simulate: coinOf(offer) }, decodeSimulation)

/** One hop as a router's message has it, in the dialect of that router. */
export type Stage = { readonly address: string; readonly denom: Denom }

/** A router's own `simulate` of a route: net of its protocol fee, without affiliates. */
export const routeSimulation = (
  router: string,
  coin: Coin,
  stages: readonly Stage[],
): Question<Simulation> =>
  smart(router, { simulate: { coin: coinOf(coin), stages } }, decodeSimulation)
