import type { Command } from '../../command.js'

const accountFlag = {
  flags: '--from <account>',
  meaning: 'the account: an address, a key or a name (default: the default key)',
  value: 'account',
} as const

const commands: readonly Command[] = [
  {
    name: 'list',
    summary: 'List the resting orders of an account, and what can be claimed',
    usage: [['swap order list [pair]', 'on every pair or on one, all as of one height']],
    examples: [
      ['swap order list --from main', 'what rests, what was filled, what can be claimed'],
      ['swap order list rune/usdc -q', 'the ids of the orders of one pair'],
      ["swap order list --json | jq -r '.claimable[].denom'", 'for a script'],
    ],
    arguments: [{ form: '[pair]', meaning: 'the pair', values: ['pair'] }],
    groups: [{ title: 'ACCOUNT', flags: [accountFlag] }],
    exit: '0 ok, 2 usage or no such pair, 4 unreachable',
    load: async () => (await import('./run.js')).runOrderList,
  },
  {
    name: 'show',
    summary: 'Show one resting order',
    usage: [['swap order show <id>', 'an id of swap order list']],
    examples: [['swap order show rune/usdc/buy/0.499 --from main', 'status and amounts']],
    arguments: [{ form: '<id>', meaning: 'pair, side and price of the order' }],
    groups: [{ title: 'ACCOUNT', flags: [accountFlag] }],
    exit: '0 ok, 2 usage, 4 unreachable',
    load: async () => (await import('./run.js')).runOrderShow,
  },
]

export const orderCommand: Command = {
  name: 'order',
  summary: 'Look at the limit orders that an account has in the books',
  usage: [],
  examples: [
    ['swap order list --from main', 'what rests, what was filled, what can be claimed'],
    ['swap order show rune/usdc/buy/0.499 --from main', 'one of them'],
  ],
  groups: [],
  commands,
  exit: '0 ok, 2 usage, 4 unreachable',
}
