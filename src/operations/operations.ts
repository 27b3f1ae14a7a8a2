import * as Type from 'typebox'
import type { ErrorCode } from '../engine/errors.js'
import { SNAPSHOT_FORMAT } from '../engine/snapshot/decode.js'
import { encodeSnapshot } from '../engine/snapshot/encode.js'
import {
  ArbrouteAnswer,
  ArbrouteRequest,
  ArbsAnswer,
  ArbsRequest,
} from './arbitrage/arbitrage-documents.js'
import { NeedsWorker } from './context.js'
import { DEFAULTS } from './defaults.js'
import * as Doc from './document-schema.js'
import { type Example, type Operation, operation, UPSTREAM_CODES, WEIGHTS } from './operation.js'
import { orderPreviewOperation, ordersOperation } from './orders/order-operations.js'
import { route } from './route/route.js'
import { RouteAnswer } from './route/route-documents.js'
import { RouteRequest } from './route/route-request.js'
import { SimulateAnswer, SimulateRequest } from './simulate/simulate-documents.js'
import { readSplitRequest, SplitAnswer, SplitRequest } from './split/split-documents.js'
import { tokens } from './tokens/tokens.js'
import { TokensAnswer } from './tokens/tokens-documents.js'

const NoParameters = Doc.closedObject({})

const tokensOperation = operation({
  name: 'tokens',
  method: 'GET',
  path: '/swap/tokens',
  summary: 'Every token, with its decimals',
  description: 'The same list for input and output. A token that no open book trades is not in it.',
  request: NoParameters,
  example: {},
  response: TokensAnswer,
  weight: 'light',
  deadline: 5_000,
  run: (context) => tokens(context),
})

const ROUTE_CODES: readonly ErrorCode[] = [
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
]

const routeOperation = operation({
  name: 'route',
  method: 'POST',
  path: '/swap/route',
  summary: 'The best single path, ranked alternatives and the message to sign',
  description:
    'Exactly one of `input.amount` and `output.amount` is given. `routes[0]` is the one to use: `tx` is the message of its contract call and `funds` the coin to attach.',
  request: RouteRequest,
  example: { input: { denom: 'btc-btc', amount: '10000000' }, output: { denom: 'rune' } },
  response: RouteAnswer,
  codes: ROUTE_CODES,
  weight: 'light',
  deadline: 5_000,
  needsChain: ({ verify }) => verify === true,
  weightOf: ({ explain, output, max_hops: hops = DEFAULTS.maxHops }) =>
    explain
      ? WEIGHTS.explained
      : output.amount !== undefined || hops > DEFAULTS.maxHops
        ? WEIGHTS.heavy
        : WEIGHTS.light,
  run: route,
})

const srouteOperation = operation({
  name: 'sroute',
  method: 'POST',
  path: '/swap/sroute',
  summary: 'The amount divided over several paths, leg by leg',
  description:
    'Legs are executed in their order: each is quoted on the books as the ones before it left them, and is one contract call with its own `tx` and `funds`. Never worse than the best single route.',
  request: SplitRequest,
  example: {
    input: { denom: 'btc-btc', amount: '150000000', split_step: 5 },
    output: { denom: 'rune' },
  },
  response: SplitAnswer,
  codes: [...ROUTE_CODES, 'INVALID_SPLIT_STEP'],
  weight: 'heavy',
  deadline: 10_000,
  needsChain: ({ verify }) => verify === true,
  weightOf: ({ explain, frontier }) => (explain || frontier ? WEIGHTS.explained : WEIGHTS.heavy),
  read: readSplitRequest,
  run: async (...call) => (await import('./split/split.js')).sroute(...call),
})

/**
 * The message of an answer's best route, and a simulation that agrees. Stages contain contract addresses, so
 * there is no example without a market.
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

const simulateOperation = operation({
  name: 'simulate',
  method: 'POST',
  path: '/swap/simulate',
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
  run: async (...call) => (await import('./simulate/simulate-stages.js')).simulateStages(...call),
})

const arbsOperation = operation({
  name: 'arbs',
  method: 'GET',
  path: '/swap/arbs',
  summary: 'Arbitrage loops profitable after all fees',
  description:
    'From the whitelisted denoms of the network, each with its fixed amount; best first.',
  request: ArbsRequest,
  example: { minPercent: 0.1 },
  response: ArbsAnswer,
  weight: 'light',
  deadline: 10_000,
  run: async (...call) => (await import('./arbitrage/arbs.js')).arbs(...call),
})

const arbrouteOperation = operation({
  name: 'arbroute',
  method: 'POST',
  path: '/swap/arbroute',
  summary: 'What a capital earns through arbitrage loops, step by step',
  description: 'Without a profitable loop `steps` is empty and `output` equals `input`.',
  request: ArbrouteRequest,
  example: { input: { denom: 'btc-btc', amount: '100000000' } },
  response: ArbrouteAnswer,
  codes: ['INVALID_AMOUNT', 'INVALID_SLIPPAGE', 'UNKNOWN_TOKEN', 'NO_ROUTE', 'MARKET_HALTED'],
  weight: 'heavy',
  deadline: 10_000,
  run: async (...call) => (await import('./arbitrage/arbroute.js')).arbroute(...call),
})

const SnapshotRequest = Doc.closedObject({
  compact: Type.Optional(
    Doc.flag(
      'Leave out the books of pairs whose pools and makers are known: an eighth of the size, and the same quotes.',
    ),
  ),
})

const anyList = (description: string) => Doc.listOf(description, Type.Unknown())

/** The members of the snapshot document (docs/api.md#snapshot-members); its decoder validates them. */
const SnapshotDocument = Type.Object({
  format: Type.Literal(SNAPSHOT_FORMAT, { description: 'Form of this document.' }),
  ...Doc.networkMembers,
  height: Doc.BlockHeight,
  time: Doc.text('Block time, RFC 3339.'),
  tokens: anyList('Tokens, and how they are displayed.'),
  usd: Doc.textOrNull('Denom of the dollar-pegged reference token; null without one.'),
  router: Type.Unknown({ description: 'The router contract, its fee and its affiliates.' }),
  gas: Type.Optional(
    Type.Unknown({
      description: 'Percent of the gas estimates, gas limit of a transaction, and price of gas.',
    }),
  ),
  arbs: anyList('Whitelisted denoms of the arbitrage scan, with their amounts.'),
  pairs: anyList('Every pair: its configuration, orders and market makers.'),
})

/** The market itself. It has its own handler, which compresses; it is too large for a tool of agents. */
export const snapshotOperation = operation({
  name: 'snapshot',
  method: 'GET',
  path: '/swap/snapshot',
  summary: 'Everything that a quote is computed from, as of one block',
  description:
    'The bytes of `swap snapshot save` at this height. The `ETag` is strong; `br` and `gzip` are negotiated, and each block is compressed once.',
  request: SnapshotRequest,
  example: { compact: true },
  response: SnapshotDocument,
  weight: 'heavy',
  deadline: 10_000,
  async run({ openMarket, inline }, { compact: isCompact = false }) {
    if (inline) throw new NeedsWorker()
    return encodeSnapshot((await openMarket()).market, { isCompact })
  },
})

/** Every operation, in the order of the documentation. */
export const operations: readonly Operation[] = [
  tokensOperation,
  routeOperation,
  srouteOperation,
  simulateOperation,
  arbsOperation,
  arbrouteOperation,
  ordersOperation,
  orderPreviewOperation,
]

/** The operations that batches and streams take. */
export const quoteOperations: readonly Operation[] = [routeOperation, srouteOperation]

/** The operation of a name in this table. */
export function operationOf(name: string): Operation {
  const found = [...operations, snapshotOperation].find((each) => each.name === name)
  if (found === undefined) throw new Error(`there is no operation ${name}`)
  return found
}
