import { DEFAULTS } from './defaults.js'
import { type Example, operation, UPSTREAM_CODES, WEIGHTS } from './operation.js'
import { route } from './route/route.js'
import { RouteAnswer } from './route/route-answer.js'
import { RouteRequest, readRouteRequest } from './route/route-request.js'
import {
  readSimulateRequest,
  SimulateAnswer,
  SimulateRequest,
} from './simulate/simulate-documents.js'
import { readSplitRequest, SplitAnswer, SplitRequest } from './split/split-documents.js'

export const routeOperation = operation({
  name: 'route',
  method: 'POST',
  path: '/swap/route',
  tag: 'swap',
  summary: 'The best single path, ranked alternatives and the message to sign',
  description:
    'Exactly one of `input.amount` and `output.amount` is given. `routes[0]` is the one to use: `tx` is the message of its contract call and `funds` the coin to attach.',
  request: RouteRequest,
  example: { input: { denom: 'btc-btc', amount: '10000000' }, output: { denom: 'rune' } },
  response: RouteAnswer,
  codes: [
    'INVALID_AMOUNT',
    'INVALID_SLIPPAGE',
    'INVALID_ADDRESS',
    'INVALID_AFFILIATE',
    'SAME_TOKEN',
    'UNKNOWN_TOKEN',
    'NOT_FOUND',
    'NO_ROUTE',
    'INSUFFICIENT_LIQUIDITY',
    'AMOUNT_TOO_SMALL',
    'PRICE_IMPACT_TOO_HIGH',
    'ASSERTION_FAILED',
    'MARKET_HALTED',
    ...UPSTREAM_CODES,
  ],
  weight: 'light',
  deadline: 5_000,
  inBatch: true,
  inStream: true,
  needsChain: ({ verify }) => verify === true,
  weightOf: ({ explain, output, max_hops: hops = DEFAULTS.maxHops }) =>
    explain
      ? WEIGHTS.explained
      : output.amount !== undefined || hops > DEFAULTS.maxHops
        ? WEIGHTS.heavy
        : WEIGHTS.light,
  read: readRouteRequest,
  run: route,
})

export const srouteOperation = operation({
  name: 'sroute',
  method: 'POST',
  path: '/swap/sroute',
  tag: 'swap',
  summary: 'The amount divided over several paths, leg by leg',
  description:
    'Legs are executed in their order: each is quoted on the books as the ones before it left them, and is one contract call with its own `tx` and `funds`. Never worse than the best single route.',
  request: SplitRequest,
  example: {
    input: { denom: 'btc-btc', amount: '150000000', split_step: 5 },
    output: { denom: 'rune' },
  },
  response: SplitAnswer,
  codes: [...routeOperation.codes, 'INVALID_SPLIT_STEP'],
  weight: 'heavy',
  deadline: 10_000,
  inBatch: true,
  inStream: true,
  needsChain: ({ verify }) => verify === true,
  weightOf: ({ explain, frontier }) => (explain || frontier ? WEIGHTS.explained : WEIGHTS.heavy),
  read: readSplitRequest,
  run: async (...call) => (await import('./split/split.js')).sroute(...call),
})

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
  run: async (...call) => (await import('./simulate/simulate-stages.js')).simulateStages(...call),
})
