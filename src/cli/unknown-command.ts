import { didYouMean } from '../config/suggest.js'
import { SwapError } from '../engine/errors.js'
import { type Command, shownCommands } from './command.js'

/** What other programs call a command. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ['split', 'sroute'],
  ['quote', 'route'],
  ['swap', 'execute'],
  ['trade', 'execute'],
  ['wallet', 'keys'],
  ['markets', 'pairs'],
  ['orderbook', 'book'],
])

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
  [suggestion(word, names), `the commands are ${names.join(', ')}`].filter(Boolean).join(' ')

function suggestion(word: string, names: readonly string[]): string | undefined {
  const name = otherNames.get(word.toLowerCase())
  return name !== undefined && names.includes(name)
    ? `did you mean ${name}?`
    : didYouMean(word, names)
}

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
