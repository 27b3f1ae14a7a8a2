import { commands } from '../../src/cli/commands/index.js'

/** The arguments of the first example of a command: `['btc']` of `swap price btc`. */
export function exampleOf(name: string): readonly string[] {
  const [call = ''] = Object.keys(commands.find((each) => each.name === name)?.examples ?? {})
  return call.split(' ').slice(2)
}
