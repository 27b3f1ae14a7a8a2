import { namedCommands } from '../../src/cli/command.js'
import { commands } from '../../src/cli/commands/index.js'

/** A call by the name of its document, `config-list`: the words of the command, or its first example where it needs arguments. */
export function exampleOf(name: string): readonly string[] {
  const [words = name, { arguments: declared = [], examples = {} } = {}] =
    namedCommands(commands).find(([each]) => each.replaceAll(' ', '-') === name) ?? []
  const isComplete = declared.every(({ form }) => form.startsWith('['))
  const [call] = isComplete ? [] : Object.keys(examples)
  return call?.split(' ').slice(1) ?? words.split(' ')
}
