/** One line of the first five minutes: what to type, and what is learnt by it. */
export type TourStep = {
  readonly minute: number
  /** As typed. `q_…` is replaced by the id of the latest quote. */
  readonly command: string
  readonly shows: string
  /** The exit status that belongs to it. */
  readonly exit: number
}

const steps: readonly TourStep[] = [
  {
    minute: 1,
    command: 'swap tokens usdc',
    shows: 'several tokens are called USDC, which is why denoms exist; swap tokens lists all',
    exit: 0,
  },
  {
    minute: 1,
    command: 'swap route 1 usdd rune',
    shows: 'a typing error gets suggestions, never a substitution',
    exit: 2,
  },
  {
    minute: 1,
    command: 'swap route 1.5 btc rune',
    shows: 'a route, its whole cost against the mid prices, and a hint to divide it',
    exit: 0,
  },
  {
    minute: 2,
    command: 'swap sroute 1.5 btc rune',
    shows: 'the same, divided: the share of each path, and the gain over the best single path',
    exit: 0,
  },
  {
    minute: 2,
    command: 'swap sroute 15 btc rune',
    shows: 'a severe impact, and the command that finds the most that stays below it',
    exit: 0,
  },
  {
    minute: 2,
    command: 'swap sroute 15 btc rune --max-impact 5%',
    shows: 'the same with a guard: refused, exit 5',
    exit: 5,
  },
  {
    minute: 3,
    command: 'swap tokens usdc --csv',
    shows: 'rows for a program; --json prints the document, which swap schema describes',
    exit: 0,
  },
  {
    minute: 3,
    command: 'swap arbs',
    shows: 'loops that are profitable after all fees',
    exit: 0,
  },
  {
    minute: 3,
    command: 'swap arbroute 5000 usdc',
    shows: 'what a capital earns with them, and the curve of profit against size',
    exit: 0,
  },
  {
    minute: 3,
    command: 'swap sroute 1.5 btc rune --watch --count 5',
    shows: 'the quote as the demo chain makes blocks; without --count until ctrl-c',
    exit: 0,
  },
  {
    minute: 4,
    command: 'swap route 1.5 btc rune -q',
    shows: 'a quote to execute; -q prints the one number',
    exit: 0,
  },
  {
    minute: 4,
    command: 'swap execute q_… --from demo',
    shows: 'what you sign, in every detail, then the receipt; inside the demo only',
    exit: 0,
  },
  {
    minute: 5,
    command: 'swap demo fail slippage --once',
    shows: 'a fault for the next execution; swap demo fail lists every other one',
    exit: 0,
  },
  {
    minute: 5,
    command: 'swap execute 0.01 btc rune --from demo --yes --slippage 1%',
    shows: 'the chain refuses it by its own floor: exit 5, and what to do; once more it works',
    exit: 5,
  },
]

/** The steps whose commands there are. */
export const tourSteps = (commands: readonly string[]): readonly TourStep[] =>
  steps.filter(({ command }) => commands.includes(command.split(' ')[1]!))
