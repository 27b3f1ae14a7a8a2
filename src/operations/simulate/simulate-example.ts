import type { Example } from '../operation.js'
import type { RouteAnswer } from '../route/route.js'

/**
 * The message of the best route of an answer, and what it is answered with where the router says the
 * same as we do. Stages name contracts, so there is no example without a market.
 */
export function simulateExample(answers: ReadonlyMap<string, Example>): Example | undefined {
  const quoted = answers.get('route')?.answer as RouteAnswer | undefined
  const best = quoted?.routes[0]
  if (quoted === undefined || best === undefined) return undefined
  const { network, chain_id, height, time, excluded, output } = quoted
  const request = { coin: best.funds, stages: best.tx.swap.stages }
  const leg = {
    ...request,
    simulated_output: best.simulated_output,
    returned: best.simulated_output,
    fee: best.fees.protocol.amount,
    difference: '0',
    difference_bps: 0,
    refused: null,
    tolerance_bps: best.exact ? 0 : 5,
    within: true,
  }
  const head = { network, chain_id, height, time, excluded, at_quote: true, output }
  return { request, answer: { ...head, legs: [leg], within: true } }
}
