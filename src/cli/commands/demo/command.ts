import { type Command, type Flag, flag } from '../../command.js'
import { chainFlags, faultSeedFlag, faultTimeFlag, linesFlag } from '../../flags/command-flags.js'

const documents = () => import('./demo-answers.js')

/** Options of starting a chain. */
const chain: readonly Flag[] = [
  ...Object.values(chainFlags),
  flag('--oracles', 'RUNE/USDC and BTC/USDC take orders at oracle prices'),
]

const foreground = flag('--foreground', 'stay in the terminal until ctrl-c')

const commands: readonly Command[] = [
  {
    name: 'tour',
    summary: 'Go through the first five minutes, step by step',
    examples: { 'swap demo tour': 'every step waits for enter' },
    answer: async () => (await import('../command-answers.js')).TourAnswer,
    load: async () => (await import('./tour/tour.js')).runTour,
  },
  {
    name: 'start',
    summary: 'Run the chain as a process of its own, which later commands find',
    examples: { 'swap demo start --block-time 500ms': 'a chain with quick blocks' },
    flags: { START: [...chain, foreground] },
    answer: async () => (await documents()).DemoStatus,
    load: async () => (await import('./run.js')).start,
  },
  {
    name: 'run',
    summary: 'Run the chain in this process; start and --foreground call it',
    usage: 'until ctrl-c or SIGTERM',
    flags: { START: chain },
    isHidden: true,
    load: async () => (await import('./run.js')).run,
  },
  {
    name: 'status',
    summary: 'Show where the chain answers, its height, its faucet and its faults',
    examples: { 'swap demo status --json | jq -r .rpc': 'for a script' },
    answer: async () => (await documents()).DemoStatus,
    load: async () => (await import('./run.js')).status,
  },
  {
    name: 'stop',
    summary: 'End the process; the chain stays in its file',
    examples: { 'swap demo stop': 'swap demo start continues from the same block' },
    answer: async () => (await documents()).DemoStopped,
    load: async () => (await import('./run.js')).stop,
  },
  {
    name: 'reset',
    summary: 'End the process and remove the chain',
    examples: { 'swap demo reset && swap demo start --seed 2': 'another market' },
    answer: async () => (await documents()).DemoReset,
    load: async () => (await import('./run.js')).reset,
  },
  {
    name: 'faucet',
    summary: 'Pay play money to an address',
    usage: {
      'swap demo faucet [address] [coins]':
        'pay play money to an address (default: 10000rune 10000usdc to the default key)',
    },
    examples: { 'swap demo faucet main 100rune 2btc': 'two coins at once, to a key' },
    arguments: [
      { form: '[address]', meaning: 'the address', values: ['account', 'token'] },
      { form: '[coins...]', meaning: 'the coins', values: ['token'] },
    ],
    flags: { COINS: [flag('--atomic', 'amounts in base units')] },
    exit: '0 ok, 2 usage, 4 it does not answer, 7 a key file, 13 another process holds the chain',
    answer: async () => (await documents()).DemoGiven,
    load: async () => (await import('./faucet.js')).runFaucet,
  },
  {
    name: 'fail',
    summary: 'Switch a fault on or off, or list them',
    usage: {
      'swap demo fail [kind] [number]': 'switch a fault on; without a kind, list all',
      'swap demo fail off [kind]': 'switch all faults off, or one',
    },
    examples: {
      'swap demo fail slippage --once': 'the next swap is refused by its own minimum',
      'swap demo fail slow 10 --for 30s': 'half a minute of slow answers',
      'swap demo fail 429 --method abci_query': 'only this method is refused',
    },
    arguments: [
      { form: '[kind]', meaning: 'the fault', values: ['fault'] },
      { form: '[number]', meaning: 'its number' },
    ],
    flags: {
      FAIL: [
        faultTimeFlag,
        flag('--once', 'for the next call only'),
        flag('--method <name>', 'only calls of this method, e.g. abci_query'),
        flag('--pair <pair>', 'only this contract: an address, or rune/usdc', { value: 'pair' }),
        faultSeedFlag,
      ],
    },
    answer: async () => (await documents()).DemoFaults,
    load: async () => (await import('./run.js')).runFail,
  },
  {
    name: 'logs',
    summary: 'Show blocks, failed transactions, starts, stops and faults',
    examples: { 'swap demo logs --follow': 'until ctrl-c' },
    flags: { LOGS: [flag('-f, --follow', 'follow new lines'), linesFlag] },
    isStream: true,
    answer: async () => (await documents()).DemoLogLine,
    load: async () => (await import('./run.js')).runLogs,
  },
]

export const demoCommand: Command = {
  name: 'demo',
  summary: 'Run the embedded chain, fund accounts, and inject faults',
  usage: 'what it is and its status',
  commands,
  topics: ['first-steps'],
  exit: '0 ok, 2 usage, 4 it does not answer, 13 another process holds the chain or the port',
  answer: async () => (await documents()).DemoStatus,
  load: async () => (await import('./run.js')).overview,
}
