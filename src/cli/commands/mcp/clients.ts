/** The configuration of clients that start `swap mcp`; docs/mcp.md prints the same texts. */
export const clientListings: readonly {
  readonly title: string
  readonly lines: readonly string[]
}[] = [
  {
    title: 'CLAUDE CODE',
    lines: ['claude mcp add swap -- swap mcp'],
  },
  {
    title: 'CLAUDE DESKTOP, CURSOR   (claude_desktop_config.json, ~/.cursor/mcp.json)',
    lines: ['{ "mcpServers": { "swap": { "command": "swap", "args": ["mcp"] } } }'],
  },
  {
    title: 'VS CODE   (.vscode/mcp.json)',
    lines: ['{ "servers": { "swap": { "command": "swap", "args": ["mcp"] } } }'],
  },
]
