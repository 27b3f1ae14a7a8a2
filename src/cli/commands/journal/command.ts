import type { Command } from '../../command.js'
import { choices } from '../../command-tree.js'

const commands: readonly Command[] = [
  {
    name: 'show',
    summary: 'Show one of them, leg by leg',
    usage: [['swap journal show <id|hash>', 'one of them, leg by leg']],
    examples: [['swap journal show x_7f3a91c2', 'by its id']],
    arguments: [{ form: '<id>', meaning: 'the id' }],
    groups: [],
    load: async () => (await import('./run.js')).showIntent,
  },
]

export const journalCommand: Command = {
  name: 'journal',
  summary: 'Show what this machine has signed and sent, and its status',
  usage: [
    ['swap journal', 'the newest first'],
    ['swap journal --export csv', 'one row a leg, for a spreadsheet'],
  ],
  examples: [
    ['swap journal --limit 50', 'the last fifty'],
    ["swap journal --json | jq -r '.intents[] | select(.open) | .id'", 'what is not settled'],
  ],
  groups: [
    {
      title: 'JOURNAL',
      flags: [
        { flags: '--limit <n>', meaning: 'so many at most (default 20)' },
        { flags: '--export <form>', meaning: 'csv: one row a leg', value: choices('csv') },
      ],
    },
  ],
  commands,
  ownFlags: ['limit'],
  exit: '0 ok, 2 usage',
  load: async () => (await import('./run.js')).runJournal,
}
