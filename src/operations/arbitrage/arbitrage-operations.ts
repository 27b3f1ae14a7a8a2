import { operation } from '../operation.js'
import {
  ArbrouteAnswer,
  ArbrouteRequest,
  ArbsAnswer,
  ArbsRequest,
  readArbrouteRequest,
  readArbsRequest,
} from './arbitrage-documents.js'

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
