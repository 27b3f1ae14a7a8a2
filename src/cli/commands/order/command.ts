import { type Command, choices, type Flag, type FlagGroups, flag } from '../../command.js'
import { maxCrossFlag, stepsFlag, weightFlag } from '../../flags/command-flags.js'
import { executionFlags, executionGroups } from '../../flags/execution-flags.js'
import { atomicFlag, slippageTapeFlag, watchFlags } from '../../flags/quote-flags.js'
import { isName } from '../../invalid-request.js'

const operations = () => import('../../../operations/orders/order-operations.js')

/** Flags of every command that signs orders. */
const signingFlags: FlagGroups = {
  SIGNER: executionGroups.signer,
  TRANSACTION: [executionFlags.deadline, ...executionGroups.gas, executionFlags.memo],
  CONFIRMATION: [
    flag('-y, --yes', 'do not ask for confirmation; respects the limits'),
    ...executionGroups.confirmation,
    executionFlags.once,
    ...executionGroups.modes,
  ],
  WAITING: executionGroups.waiting,
}

const exit =
  '0 done, 2 usage, 3 refused, 4 unreachable, 5 the book moved or it took too long, 6 funds, 7 key, 8 not confirmed, 9 unknown: wait, 10 failed, 11 halted, 12 in part, 13 busy, 14 limit, 130 ctrl-c'

const priceFlags: readonly Flag[] = [
  flag('--price <price>', 'the limit, in quote units for one base unit, e.g. 0.499'),
  flag('--oracle <distance>', 'in place of a price: so far from the oracle price, e.g. -25bps'),
  maxCrossFlag,
]

const placeFlags: FlagGroups = {
  ORDER: [
    ...priceFlags,
    flag('--ioc', 'immediate or cancel: nothing rests; the remainder comes back'),
    flag('--fok', 'fill or kill: refused before signing unless the book takes all of it now'),
    {
      ...executionFlags.autoSlippage,
      meaning:
        'with --ioc or --fok, in place of a price: so much worse than the book is now; auto: as recorded blocks suggest',
    },
    slippageTapeFlag,
    atomicFlag,
  ],
  ...signingFlags,
}

const pairWords = [
  { form: '<amount>', meaning: 'the amount' },
  { form: '<token>', meaning: 'the token', values: ['token'] },
  { form: '[other]', meaning: 'the other token of the pair', values: ['token'] },
] as const

type Texts = Pick<Command, 'summary' | 'usage' | 'examples'>

const placing = (name: 'buy' | 'sell', texts: Texts): Command => ({
  name,
  ...texts,
  arguments: pairWords,
  flags: placeFlags,
  exit,
  flagsElsewhere: {
    '--limit': ['--price VALUE', '0.499'],
    '--limit-price': ['--price VALUE', '0.499'],
  },
  load: async () => (await import('./run.js')).runPlace(name),
})

const closing = (name: 'claim' | 'cancel', all: string, texts: Texts): Command => ({
  name,
  ...texts,
  arguments: [{ form: '[ids...]', meaning: 'ids of swap order list', values: ['order'] }],
  flags: { ORDERS: [flag('--all', all)], ...signingFlags },
  exit,
  load: async () => (await import('./run.js')).runClose(name),
})

const commands: readonly Command[] = [
  placing('buy', {
    summary: 'Buy with a limit order: take what is cheaper now, rest with the remainder',
    usage: {
      'swap order buy <amount> <base> <quote> --price <price>':
        'the amount is of the token that is bought, before the fee',
    },
    examples: {
      'swap order buy 100 rune usdc --price 0.499 --from demo': 'shows what is signed, and asks',
      'swap order buy 100 rune usdc --price 0.51 --ioc --from demo --dry-run': 'a preview alone',
      'swap order buy 100 rune usdc --oracle -25bps --from demo':
        'follows the oracle price, where the pair has one: swap demo start --oracles',
    },
  }),
  placing('sell', {
    summary: 'Sell with a limit order: take what pays more now, rest with the remainder',
    usage: {
      'swap order sell <amount> <base> <quote> --price <price>':
        'amounts also as 50% or max of the balance',
    },
    examples: {
      'swap order sell 100 rune usdc --price 0.52 --from demo': 'shows what is signed, and asks',
      'swap order sell 500 rune usdc --price 0.5 --fok --from demo':
        'not signed unless the book takes all',
      'swap order sell 100 rune usdc --ioc --slippage 0.5% --from demo': 'by the book',
    },
  }),
  {
    name: 'ladder',
    summary: 'Place several orders at evenly spaced prices in one message',
    usage: {
      'swap order ladder buy <amount> <quote> <base>': 'the amount is what all of them offer',
      'swap order ladder sell <amount> <base> <quote>': 'also 50% or max of the balance',
    },
    examples: {
      'swap order ladder buy 500 usdc rune --from-price 0.48 --to-price 0.50 --steps 8 --from demo':
        'eight bids',
      'swap order ladder sell 9000 rune usdc --from-price 0.52 --to-price 0.6 --weight linear --from demo':
        'more at the far end',
    },
    arguments: [
      { form: '<side>', meaning: 'buy or sell', values: [choices('buy', 'sell')] },
      ...pairWords,
    ],
    flags: {
      ORDERS: [
        flag('--from-price <price>', 'price of the first order, in quote units for one base unit'),
        flag('--to-price <price>', 'price of the last order'),
        stepsFlag,
        weightFlag,
        maxCrossFlag,
        atomicFlag,
      ],
      ...signingFlags,
    },
    exit,
    load: async () => (await import('./run.js')).runLadder,
  },
  {
    name: 'list',
    summary: 'List the resting orders of an account, and what can be claimed',
    usage: 'on every pair or on one, all as of one height',
    examples: {
      'swap order list --from main': 'resting, filled and claimable amounts',
      'swap order list rune/usdc -q': 'the ids of the orders of one pair',
      "swap order list --json | jq -r '.claimable[].denom'": 'for a script',
    },
    arguments: [{ form: '[pair]', meaning: 'the pair', values: ['pair'] }],
    flags: { ACCOUNT: [executionFlags.account], ...watchFlags("'orders>=1', 'claimable>=1'") },
    flagsElsewhere: { '--owner': ['--from VALUE', 'main', isName] },
    topics: ['watching'],
    exit: '0 ok, 1 --exec failed, 2 usage or no such pair, 4 unreachable, 5 --until not met, 7 a key file',
    request: async () => (await operations()).OrdersRequest,
    answer: async () => (await operations()).OrdersAnswer,
    load: async () => (await import('./list.js')).runOrderList,
  },
  {
    name: 'show',
    summary: 'Show one resting order',
    usage: 'an id of swap order list',
    examples: { 'swap order show rune/usdc/buy/0.499 --from main': 'status and amounts' },
    arguments: [{ form: '<id>', meaning: 'the id of the order', values: ['order'] }],
    flags: { ACCOUNT: [executionFlags.account] },
    exit: '0 ok, 2 usage, 4 unreachable, 7 a key file',
    answer: async () => (await operations()).OrderAnswer,
    load: async () => (await import('./list.js')).runOrderShow,
  },
  closing('claim', 'every order with fills', {
    summary: 'Claim the proceeds of orders; their remainders keep resting',
    usage: {
      'swap order claim <id...>': 'orders by their ids',
      'swap order claim --all': 'every order with something to claim',
    },
    examples: { 'swap order claim --all --from demo': 'all of them in one transaction' },
  }),
  closing('cancel', 'every order of the account', {
    summary: 'Cancel orders, and claim their proceeds',
    usage: {
      'swap order cancel <id...>': 'orders by their ids',
      'swap order cancel --all': 'every order of the account on every pair',
    },
    examples: {
      'swap order cancel rune/usdc/buy/0.499 --from demo': 'one of them',
      'swap order cancel --all --from demo --yes': 'all, without a question',
    },
  }),
  {
    name: 'replace',
    summary: 'Move the remainder of an order to another price, in one message',
    usage: { 'swap order replace <id> --price <price>': 'cancels, claims and offers it again' },
    examples: {
      'swap order replace rune/usdc/buy/0.499 --price 0.498 --from demo': 'at a lower price',
    },
    arguments: [{ form: '<id>', meaning: 'the id of the order', values: ['order'] }],
    flags: { ORDER: priceFlags, ...signingFlags },
    exit,
    load: async () => (await import('./run.js')).runReplace,
  },
]

export const orderCommand: Command = {
  name: 'order',
  summary: 'Place, list, claim and cancel limit orders in the books',
  commands,
  answer: async () => (await import('../command-answers.js')).OrderExecutionAnswer,
  exit,
}
