import type { Command } from '../../command.js'

export const journalCommand: Command = {
  name: 'journal',
  summary: 'Show what this machine has signed and sent, and what came of it',
  usage: [
    ['swap journal', 'the newest first'],
    ['swap journal show <id|hash>', 'one of them, leg by leg'],
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
        { flags: '--export <form>', meaning: 'csv: one row a leg' },
      ],
    },
  ],
  ownFlags: ['limit'],
  exit: '0 ok, 2 usage',
}
