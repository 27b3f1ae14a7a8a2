import type { Command } from '../../command.js'
import { waitFlags } from '../../flags/execution-flags.js'

export const resumeCommand: Command = {
  name: 'resume',
  summary: 'Find the status of signed transactions, after a crash or a time-out',
  usage: [
    ['swap resume', 'everything that may still be included, on every account of this network'],
    ['swap resume <id|hash>', 'one of them'],
  ],
  examples: [
    ['swap resume', 'sends the same bytes again where that is safe, and waits'],
    ['swap resume x_7f3a91c2 --json', 'for a script: the report, or the problem'],
  ],
  arguments: [{ form: '[id]', meaning: 'the id' }],
  groups: [{ title: 'WAITING', flags: waitFlags }],
  exit: '0 all is settled, 2 usage or unknown id, 4 unreachable, 5 price, 6 funds, 9 still unknown, 10 failed, 11 halted, 12 in part, 13 busy',
  load: async () => (await import('./run.js')).runResume,
}
