import { decimal } from '../../engine/math/decimal.js'
import { type Network, routerBuilds } from './network.js'
import { arbs, HOME, tokens, USDC } from './tokens.js'

/** THORChain's stagenet. Its coins have value. */
export const stagenet: Network = {
  name: 'stagenet',
  aliases: ['thorchain-stagenet-2'],
  chainId: 'thorchain-stagenet-2',
  rpc: ['https://stagenet-rpc.ninerealms.com'],
  rest: ['https://stagenet-thornode.ninerealms.com'],
  prefix: 'sthor',
  hdPath: "m/44'/931'/0'/0/0",
  feeDenom: 'rune',
  gasPrice: decimal(0n),
  gas: { percent: 350n, limit: undefined },
  home: HOME,
  discovery: { name: 'rujira-fin' },
  // No public source names a router.
  router: { address: undefined, dialect: 'auto', builds: routerBuilds },
  arbs,
  usd: USDC,
  tokens,
  real: true,
}
