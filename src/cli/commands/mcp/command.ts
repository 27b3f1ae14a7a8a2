import { type Command, choices, flag } from '../../command.js'
import { executionGroups } from '../../flags/execution-flags.js'

/** The configuration of clients that start `swap mcp`; docs/mcp.md prints the same texts. */
const clientListings = {
  'CLAUDE CODE': ['claude mcp add swap -- swap mcp'],
  'CLAUDE DESKTOP, CURSOR   (claude_desktop_config.json, ~/.cursor/mcp.json)': [
    '{ "mcpServers": { "swap": { "command": "swap", "args": ["mcp"] } } }',
  ],
  'VS CODE   (.vscode/mcp.json)': [
    '{ "servers": { "swap": { "command": "swap", "args": ["mcp"] } } }',
  ],
}

export const mcpCommand: Command = {
  name: 'mcp',
  summary: 'Answer agents over the Model Context Protocol, on standard input and output',
  usage: 'until its input ends; started by the client, not by hand',
  examples: {
    'swap mcp': 'the configured network; every tool only reads',
    'swap mcp --snapshot market.json': 'a saved market, which never grows old',
    'swap mcp --allow execute --from bot --password-file ~/.swap-pw --slippage 0.5%':
      'tools that sign, within limits.* of the configuration',
    'swap serve': 'the same reading tools over HTTP: POST /mcp',
  },
  flags: {
    'SIGNING, WITHOUT A PERSON': [
      flag(
        '--allow <what>',
        'execute or orders, again for both: add tools that preview a quote or an order, and execute a preview',
        { many: true, value: choices('execute', 'orders') },
      ),
      ...executionGroups.agent,
    ],
  },
  listings: clientListings,
  exit: '0 the input ended, 2 usage, 7 the key',
  topics: ['scripts'],
  load: async () => (await import('./run.js')).runMcp,
}
