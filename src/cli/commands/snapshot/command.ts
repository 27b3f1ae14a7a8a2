import type { Command } from '../../command.js'
import { heightFlag } from '../../flags/height-flag.js'

export const snapshotCommand: Command = {
  name: 'snapshot',
  summary: 'Save a whole market as one document, or show what one holds',
  usage: [
    ['swap snapshot show [FILE]', 'pairs, prices, spreads, depth, and what is left out and why'],
    ['swap snapshot save FILE', 'write the current market; - writes to standard output'],
  ],
  examples: [
    ['swap snapshot show', 'the market that quotes come from'],
    ['swap snapshot save market.json', 'keep it'],
    ['swap route 1.5 btc rune --snapshot market.json', 'quote from it, today or in a year'],
  ],
  groups: [{ title: 'BLOCK', flags: [heightFlag] }],
  exit: '0 ok, 2 usage or a document that cannot be read',
}
