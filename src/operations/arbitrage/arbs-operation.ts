import { operation } from '../operation.js'
import { ArbsAnswer } from './arbitrage-answers.js'
import { ArbsRequest, readArbsRequest } from './requests.js'

export const arbsOperation = operation({
  name: 'arbs',
  method: 'GET',
  path: '/swap/arbs',
  tag: 'swap',
  summary: 'Arbitrage loops that are profitable after all fees',
  description:
    'From the whitelisted denoms of the network, each with its fixed amount; best first.',
  request: ArbsRequest,
  example: { minPercent: 0.1 },
  response: ArbsAnswer,
  codes: [],
  weight: 'light',
  deadline: 10_000,
  read: readArbsRequest,
  run: async (...call) => (await import('./arbs.js')).arbs(...call),
})
