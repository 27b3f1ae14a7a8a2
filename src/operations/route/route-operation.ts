import { DEFAULTS } from '../defaults.js'
import { operation, UPSTREAM_CODES, WEIGHTS } from '../operation.js'
import { route } from './route.js'
import { RouteAnswer } from './route-answer.js'
import { RouteRequest, readRouteRequest } from './route-request.js'

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
