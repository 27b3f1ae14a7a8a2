import { decimal } from '../../engine/math/decimal.js'
import type { Network } from './network.js'
import { arbs, HOME, tokens, USDC } from './tokens.js'

/** The embedded demo chain; its tokens have no value. */
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
  // Its prices are about three times the recorded node's.
  gas: { percent: 300n, limit: undefined },
  home: HOME,
  discovery: {
    codes: { ids: [1n, 2n], label: 'rujira-fin:' },
    // cbBTC/BTC, and USDT.avax/USDT, whose configuration was never readable.
    retired: [
      'demo1ar3grsxufvmr3fq8j92ssvc8vcyzdkhh9rlg5mdmuw8we552htxs5fq9ad',
      'demo1cwahyj3lsu9ug6qhxg2hppas3c9vmhjsuml964um5vx9j034zknqmfzrhv',
    ],
  },
  router: {
    address: 'demo16sl82ssg7trpxpler375mlkwcg0dwku6yl08339hqxmk7wjjsmwsfv6q08',
    // The dialect is forward unless the chain was started with the other one.
    dialect: 'auto',
    builds: new Map([
      ['B7062E8D092BB838D687C90D67565A25F8ABE8AC33BC0172DEB638F07D00EB45', 'down'],
      ['0BDA31BCD9C21CA4C3426925CEC100B9DC66B06D4F5AD1B236FEE7FBF6BA8B0F', 'down'],
      ['F9CA7B2F56B5C6E1463982E48011753F9B8FF401664C886C50DBE07290781FD7', 'up'],
      ['F4F899858CC3D682963DB4D969611846A346EB98A0CB00559401D66918F05D60', 'up'],
    ]),
  },
  arbs,
  usd: USDC,
  tokens,
  real: false,
}
