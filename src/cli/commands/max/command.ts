import type { Command } from '../../command.js'
import { atFlags } from '../../flags/height-flag.js'
import { requestFlag } from '../../flags/request-flags.js'
import { sizeFlags, sizeWords } from '../curve/command.js'

export const maxCommand: Command = {
  name: 'max',
  summary: 'Find the largest amount within a limit of price impact',
  usage: [
    ['swap max <in> <out> --max-impact <percent>', 'the largest amount found, to the atomic'],
  ],
  examples: [
    ['swap max btc rune --max-impact 0.5%', 'by the best single path'],
    ['swap max btc rune --max-impact 50bps --split -q', 'by divisions; the amount only'],
  ],
  arguments: sizeWords,
  takesConnector: true,
  groups: [
    {
      title: 'LIMIT OF MAX',
      flags: [requestFlag('max', 'max_impact_bps', { example: '1% or 80bps; required' })],
    },
    { title: 'ROUTES', flags: sizeFlags },
    { title: 'OUTPUT', flags: [{ flags: '--atomic', meaning: 'base units in -q' }, ...atFlags] },
  ],
  helpWith: 'curve',
  exit: '0 ok, 2 usage, 3 no route, 5 no amount found',
  load: async () => (await import('../curve/run.js')).runMax,
}
