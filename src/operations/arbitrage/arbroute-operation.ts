import { operation } from '../operation.js'
import { ArbrouteAnswer } from './arbitrage-answers.js'
import { ArbrouteRequest, readArbrouteRequest } from './requests.js'

export const arbrouteOperation = operation({
  name: 'arbroute',
  method: 'POST',
  path: '/swap/arbroute',
  tag: 'swap',
  summary: 'What a capital earns through arbitrage loops, step by step',
  description: 'Nothing that pays: `steps` is empty and `output` equals `input`.',
  request: ArbrouteRequest,
  example: { input: { denom: 'btc-btc', amount: '100000000' } },
  response: ArbrouteAnswer,
  codes: ['INVALID_AMOUNT', 'INVALID_SLIPPAGE', 'UNKNOWN_TOKEN', 'NO_ROUTE', 'MARKET_HALTED'],
  weight: 'heavy',
  deadline: 10_000,
  read: readArbrouteRequest,
  run: async (...call) => (await import('./arbroute.js')).arbroute(...call),
})
