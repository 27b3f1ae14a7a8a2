import type { Choice, Command, Flag } from './command.js'

/** The flags of a command, of all headings. */
export const flagsOf = (command: Command | undefined): readonly Flag[] =>
  (command?.groups ?? []).flatMap(({ flags }) => flags)

/** The commands of a group that help and completion show. */
export const shownCommands = (command: Command | undefined): readonly Command[] =>
  (command?.commands ?? []).filter(({ isHidden }) => !isHidden)

/** Forms of the call of a command, named with its groups: its own, then those of its commands. */
export function usageOf(path: readonly Command[]): NonNullable<Command['usage']> {
  const { usage, summary, load, arguments: declared = [] } = path.at(-1)!
  const words = ['swap', ...path.map(({ name }) => name), ...declared.map(({ form }) => form)]
  const meaning = summary.charAt(0).toLowerCase() + summary.slice(1)
  const own = usage ?? (load === undefined ? [] : [[words.join(' '), meaning] as const])
  return [...own, ...shownCommands(path.at(-1)).flatMap((inner) => usageOf([...path, inner]))]
}

/** The examples of a command; of a group without examples the first one of each of its commands. */
export const examplesOf = (command: Command): NonNullable<Command['examples']> =>
  command.examples ?? shownCommands(command).flatMap((inner) => examplesOf(inner).slice(0, 1))

/** A command and its groups, outermost first; `undefined` for words that name none. */
export function commandPath(
  words: readonly string[],
  commands: readonly Command[],
): readonly Command[] | undefined {
  const [word, ...more] = words
  const command = commands.find(({ name }) => name === word)
  if (command === undefined) return undefined
  if (more.length === 0) return [command]
  const rest = commandPath(more, command.commands ?? [])
  return rest && [command, ...rest]
}

/** Every command with the words that call it: `route`, `keys`, `keys new`. */
export const namedCommands = (
  commands: readonly Command[],
  group = '',
): readonly (readonly [name: string, command: Command])[] =>
  commands.flatMap((command) => {
    const name = `${group}${command.name}`
    return [[name, command] as const, ...namedCommands(shownCommands(command), `${name} `)]
  })

/** Words to choose from, with or without a meaning. */
export const choices = (...words: readonly (string | Choice)[]): readonly Choice[] =>
  words.map((word) => (typeof word === 'string' ? [word, ''] : word))
