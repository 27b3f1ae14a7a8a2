import type { Command } from '../../command.js'
import { clientListings } from './clients.js'

export const mcpCommand: Command = {
  name: 'mcp',
  summary: 'Answer agents over the Model Context Protocol, on standard input and output',
  usage: [['swap mcp', 'until its input ends; started by the client, not by hand']],
  examples: [
    ['swap mcp', 'the configured network; every tool only reads'],
    ['swap mcp --snapshot market.json', 'a saved market, which never grows old'],
    ['swap serve', 'the same tools over HTTP: POST /mcp'],
  ],
  groups: [],
  listings: clientListings,
  exit: '0 the input ended, 2 usage',
  topics: ['scripts'],
  load: async () => (await import('./run.js')).runMcp,
}
