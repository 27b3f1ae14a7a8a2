import type { Command } from '../../command.js'
import { blockFlags } from '../../flags/quote-flags.js'

const flags = { BLOCK: blockFlags }

const commands: readonly Command[] = [
  {
    name: 'show',
    summary: 'Show pairs, prices, spreads and depth of a market',
    usage: 'pairs, prices, spreads, depth, and what is left out and why',
    examples: {
      'swap snapshot show': 'the market that quotes come from',
      'swap snapshot show market.json': 'one that was saved',
    },
    arguments: [{ form: '[file]', meaning: 'the file', values: ['file'] }],
    flags,
    answer: async () => (await import('../../../operations/book/book-documents.js')).SnapshotAnswer,
    load: async () => (await import('./run.js')).show,
  },
  {
    name: 'save',
    summary: 'Save the whole market as one document',
    usage: 'write the current market; - writes to standard output',
    examples: {
      'swap snapshot save market.json': 'the current market',
      'swap route 1.5 btc rune --snapshot market.json': 'quote from it, today or in a year',
    },
    arguments: [{ form: '<file>', meaning: 'the file', values: ['file'] }],
    flags,
    answer: async () => (await import('../../../operations/book/book-documents.js')).SnapshotSaved,
    load: async () => (await import('./run.js')).save,
  },
]

export const snapshotCommand: Command = {
  name: 'snapshot',
  summary: 'Save a whole market as one document, or show its content',
  commands,
  exit: '0 ok, 2 usage or a document that cannot be read, 4 unreachable',
}
