import type { Command } from '../command.js'

export const configCommand: Command = {
  name: 'config',
  summary: 'Show the configuration and where each value comes from',
  usage: [['swap config list', 'every key with its value, origin and what it overrode']],
  examples: [['swap config list --json', 'for a script']],
  groups: [],
  exit: '0 ok, 2 usage or a value that cannot be used',
}
