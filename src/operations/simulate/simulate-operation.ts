import { operation } from '../operation.js'
import { SimulateAnswer } from './simulate-answer.js'
import { simulateExample } from './simulate-example.js'
import { readSimulateRequest, SimulateRequest } from './simulate-request.js'
import { simulateStages } from './simulate-stages.js'

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
    'UPSTREAM_ERROR',
    'UPSTREAM_INVALID_DATA',
    'UPSTREAM_TIMEOUT',
    'UPSTREAM_RATE_LIMITED',
  ],
  weight: 'heavy',
  deadline: 5_000,
  needsChain: () => true,
  read: readSimulateRequest,
  run: simulateStages,
})
