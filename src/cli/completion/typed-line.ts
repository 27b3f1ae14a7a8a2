import { type Command, type Flag, flagsOf } from '../command.js'

/** A partial command line: its words so far, and the word to complete. */
export type Line = {
  /** The innermost command named so far. */
  readonly command: Command | undefined
  /** The first word, even if it is not a command, e.g. `help`. */
  readonly word: string | undefined
  /** Arguments of the command before the current word, and names before it in its list; without flags. */
  readonly args: readonly string[]
  /** Values of the flags before it, by the flag as typed. */
  readonly given: ReadonlyMap<string, string>
  /** The flag whose value is being typed. */
  readonly flag: string | undefined
  /** The word being typed; for `--flag=val` the part after the sign, of a list its last name. */
  readonly current: string
  /** The part of the same word before `current`: `--flag=`, `btc,`. */
  readonly prefix: string
  /** After `--` nothing is a flag. */
  readonly literal: boolean
}

/** Flags as typed, and whether a value follows. */
export const spellings = ({ flags }: Flag): readonly (readonly [string, boolean])[] => {
  const takes = flags.includes('<')
  return (flags.match(/(?<![\w-])--?[a-z][a-z-]*/g) ?? []).map((each) => [each, takes] as const)
}

/** Parses a partial line. `words` begin after the program's name; the last one is being typed. */
export function readLine(
  words: readonly string[],
  commands: readonly Command[],
  common: readonly Flag[],
): Line {
  const joined = withSigns(words)
  const before = joined.slice(0, -1)
  // Shells pass a quote that is still open.
  const last = (joined.at(-1) ?? '').replace(/^["']/, '')
  let command: Command | undefined
  let word: string | undefined
  let pending: string | undefined
  let literal = false
  const args: string[] = []
  const given = new Map<string, string>()
  const takes = (flag: string) =>
    [...common, ...flagsOf(command)]
      .flatMap(spellings)
      .some(([spelled, value]) => spelled === flag && value)
  for (const each of before) {
    if (pending !== undefined) {
      given.set(pending, each)
      pending = undefined
    } else if (!literal && each === '--') literal = true
    else if (!literal && each.startsWith('-') && each !== '-') {
      const [flag = '', value] = halves(each)
      if (value !== undefined) given.set(flag, value)
      else if (takes(flag)) pending = flag
    } else if (word === undefined) {
      word = each
      command = commands.find(({ name }) => name === each)
    } else {
      const inner =
        args.length === 0 ? command?.commands?.find(({ name }) => name === each) : undefined
      if (inner === undefined) args.push(each)
      else command = inner
    }
  }
  const line = { command, word, args, given, literal }
  if (pending !== undefined)
    return atLastName({ ...line, flag: pending, current: last, prefix: '' })
  const [flag = '', value] = literal || !last.startsWith('--') ? [] : halves(last)
  if (value === undefined) return { ...line, flag: undefined, current: last, prefix: '' }
  return atLastName({ ...line, flag, current: value, prefix: `${flag}=` })
}

/** Splits a list of names, `--via btc,r`: the last one is being typed. */
function atLastName(line: Line): Line {
  const { flag, command, current, prefix, args } = line
  const { many, value } = flagNamed(flag, flagsOf(command)) ?? {}
  if (many !== true || typeof value !== 'string') return line
  const before = current.slice(0, current.lastIndexOf(',') + 1)
  return {
    ...line,
    current: current.slice(before.length),
    prefix: prefix + before,
    args: [...args, ...before.split(',')],
  }
}

export const flagNamed = (name: string | undefined, flags: readonly Flag[]): Flag | undefined =>
  flags.find((each) => spellings(each).some(([spelled]) => spelled === name))

/** A flag, and what follows its sign. */
const halves = (word: string): readonly string[] => word.split(/=(.*)/s)

/** Bash passes `--flag = value` as three words; then only the value is completed. */
function withSigns(words: readonly string[]): readonly string[] {
  return words.filter((word, i) => {
    const isSign = word === '=' && words[i - 1]?.startsWith('--')
    return !isSign || i === words.length - 1
  })
}
