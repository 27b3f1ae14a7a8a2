import { commands } from '../../src/cli/commands/index.js'

/** The arguments of the first example of a command: `['btc']` of `swap price btc`. */
export function exampleOf(name: string): readonly string[] {
  const [call = ''] = commands.find((command) => command.name === name)?.examples?.[0] ?? []
  return call.split(' ').slice(2)
}
