import { didYouMean } from '../config/suggest.js'
import { SwapError } from '../engine/errors.js'
import type { Command } from './command.js'
import { shownCommands } from './command-tree.js'

/** The words that call a command. */
export const nameOf = (path: readonly Command[]): string => path.map(({ name }) => name).join(' ')

/** A word that is no command, with the closest ones. */
export function unknownCommand(
  word: string,
  commands: readonly Command[],
  topics: readonly string[] = [],
): SwapError {
  const shown = commands.filter(({ isHidden }) => !isHidden)
  const names = [...shown.map(({ name }) => name), 'help', ...topics]
  return new SwapError('INVALID_REQUEST', `no command "${word.slice(0, 40)}"`, {
    hint: nearestFirst(word, names),
    members: { errors: [{ pointer: '', detail: 'not a command' }] },
  })
}

/** The commands that a word may have meant, then all. */
const nearestFirst = (word: string, names: readonly string[]): string =>
  [didYouMean(word, names), `the commands are ${names.join(', ')}`].filter(Boolean).join(' ')

/** A word after a group's name that is none of its commands. */
export function unknownSubcommand(word: string, path: readonly Command[]): SwapError {
  const names = shownCommands(path.at(-1)).map(({ name }) => name)
  const name = nameOf(path)
  const isPrivate = path.some((command) => command.isPrivate)
  return new SwapError(
    'INVALID_REQUEST',
    `${name} has no command ${isPrivate ? 'of this name' : `"${word.slice(0, 40)}"`}`,
    {
      hint: nearestFirst(word, names),
      members: { errors: [{ pointer: '', detail: `not a command of ${name}` }] },
    },
  )
}
