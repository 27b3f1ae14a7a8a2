import { type Example, operation, UPSTREAM_CODES } from '../operation.js'
import type { RouteAnswer } from '../route/route-answer.js'
import { SimulateAnswer } from './simulate-answer.js'
import { readSimulateRequest, SimulateRequest } from './simulate-request.js'

/**
 * The message of the best route of an answer, and what it is answered with where the router says the
 * same as we do. Stages name contracts, so there is no example without a market.
 */
function simulateExample(answers: ReadonlyMap<string, Example>): Example | undefined {
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

export const simulateOperation = operation({
  name: 'simulate',
  method: 'POST',
  path: '/swap/simulate',
  tag: 'swap',
  summary: 'The router’s own number for a message, beside ours',
  description:
    'Asks the router contract what each message would pay, by itself, at the height that is served. `coin` and `stages` are the `funds` and `tx.swap.stages` of a route; `legs` has them for several. Beyond the tolerance it is refused with `SIMULATION_MISMATCH`, which holds the whole answer.',
  request: SimulateRequest,
  exampleFrom: simulateExample,
  response: SimulateAnswer,
  codes: [
    'INVALID_AMOUNT',
    'UNKNOWN_TOKEN',
    'QUOTE_MISMATCH',
    'SIMULATION_MISMATCH',
    ...UPSTREAM_CODES,
  ],
  weight: 'heavy',
  deadline: 5_000,
  needsChain: () => true,
  read: readSimulateRequest,
  run: async (...call) => (await import('./simulate-stages.js')).simulateStages(...call),
})
