import { operation, WEIGHTS } from '../operation.js'
import { routeOperation } from '../route/route-operation.js'
import { SplitAnswer } from './split-answer.js'
import { readSplitRequest, SplitRequest } from './split-request.js'

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
  run: async (...call) => (await import('./split.js')).sroute(...call),
})
