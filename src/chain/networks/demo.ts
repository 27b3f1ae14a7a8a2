import { decimal } from '../../engine/math/decimal.js'
import type { Network } from './network.js'
import { arbs, HOME, tokens, USDC } from './tokens.js'

/** The chain that comes with the program: play money, on this machine. */
export const demo: Network = {
  name: 'demo',
  aliases: [],
  chainId: 'demo-1',
  rpc: ['http://127.0.0.1:26657'],
  rest: ['http://127.0.0.1:1317'],
  prefix: 'demo',
  hdPath: "m/44'/118'/0'/0/0",
  feeDenom: 'rune',
  gasPrice: decimal(0n),
  home: HOME,
  discovery: { codes: { ids: [1n, 2n], label: 'rujira-fin:' } },
  router: {
    address: 'demo16sl82ssg7trpxpler375mlkwcg0dwku6yl08339hqxmk7wjjsmwsfv6q08',
    // It is forward unless the chain was started with the other one.
    dialect: 'auto',
  },
  arbs,
  usd: USDC,
  tokens,
  real: false,
}
