import type { Command } from '../../command.js'
import { exportFlag, limitFlag } from '../../flags/command-flags.js'

export const journalCommand: Command = {
  name: 'journal',
  summary: 'Show what this machine has signed and sent, and its status',
  usage: {
    'swap journal': 'the newest first',
    'swap journal --csv': 'one row a leg, for a spreadsheet',
  },
  examples: {
    'swap journal --limit 50': 'the last fifty',
    'swap tx show x_7f3a91c2': 'one of them, by transaction and leg',
    "swap journal --json | jq -r '.intents[] | select(.open) | .id'": 'what is not settled',
  },
  flags: { JOURNAL: [limitFlag] },
  ownFlags: ['limit'],
  formerFlags: [exportFlag],
  exit: '0 ok, 2 usage, 9 an open entry cannot be read',
  answer: async () => (await import('../../../execution/lifecycle/report-schema.js')).JournalAnswer,
  load: async () => (await import('./run.js')).runJournal,
}
