import { tourSteps } from '../../commands/demo/tour/steps.js'
import type { Topic } from './topic.js'

/** The way in, and the way out of the demo; only what this build can do. */
export const firstStepsTopic = (commands: readonly string[]): Topic => ({
  name: 'first-steps',
  summary: 'Five minutes with no network and no key, and three commands to the real thing',
  parts: [
    'Nothing has to be set up: a market is inside the program, with made-up prices that move, and a chain that executes. swap demo tour goes through this step by step.',
    tourSteps(commands).map(({ command, shows }) => [command, shows] as const),
    'To the real thing:',
    (
      [
        ['swap config set network mainnet', 'quotes of the real market, read-only, no key'],
        ['swap doctor', 'nodes, clock, contracts: what is wrong and what to do'],
        ['swap keys new main', 'a key of your own, encrypted'],
      ] as const
    ).filter(([call]) => commands.includes(call.split(' ')[1]!)),
    'For one command only: swap -n mainnet route 1 btc usdc. Back to the demo: swap config set network demo.',
  ],
})
