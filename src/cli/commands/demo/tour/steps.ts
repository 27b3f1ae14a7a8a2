import type { DocumentOf } from '../../../../operations/document-schema.js'
import type { TourAnswer } from '../../command-answers.js'

/** A step of the first five minutes. In its command `q_...` is replaced by the id of the latest quote. */
type TourStep = DocumentOf<typeof TourAnswer>['steps'][number]

/** The commands of each minute, with what they show. */
const minutes: readonly Readonly<Record<string, string>>[] = [
  {
    'swap tokens usdc':
      'several tokens are called USDC, which is why denoms exist; swap tokens lists all',
    'swap route 1 usdd rune': 'a typing error gets suggestions, never a substitution',
    'swap route 1.5 btc rune':
      'a route, its whole cost against the mid prices, and a hint to divide it',
  },
  {
    'swap sroute 1.5 btc rune':
      'the same, divided: the share of each path, and the gain over the best single path',
    'swap sroute 30 btc rune':
      'a severe impact, and the command that finds the most that stays below it',
    'swap sroute 30 btc rune --max-impact 5%': 'the same with a guard: refused, exit 5',
  },
  {
    'swap tokens usdc --csv':
      'rows for a program; --json prints the document, which swap schema describes',
    'swap arbs': 'loops that are profitable after all fees',
    'swap arbroute 5000 usdc':
      'what a capital earns with them, and the curve of profit against size',
    'swap sroute 1.5 btc rune --watch --count 5':
      'the quote as the demo chain makes blocks; without --count until ctrl-c',
  },
  {
    'swap route 1.5 btc rune -q': 'a quote to execute; -q prints the one number',
    'swap execute q_... --from demo':
      'what you sign, in every detail, then the receipt; inside the demo only',
  },
  {
    'swap demo fail slippage --once':
      'a fault for the next execution; swap demo fail lists every other one',
    'swap execute 0.01 btc rune --from demo --yes --slippage 1%':
      'the chain refuses it by its own minimum: exit 5, and what to do; once more it works',
  },
]

/** The exit statuses of the commands that fail. */
const failures: Readonly<Record<string, number>> = {
  'swap route 1 usdd rune': 2,
  'swap sroute 30 btc rune --max-impact 5%': 5,
  'swap execute 0.01 btc rune --from demo --yes --slippage 1%': 5,
}

export const tourSteps: readonly TourStep[] = minutes.flatMap((steps, i) =>
  Object.entries(steps).map(([command, shows]) => {
    return { minute: i + 1, command, shows, exit: failures[command] ?? 0 }
  }),
)
