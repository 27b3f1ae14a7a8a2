import { invalidRequest, type SwapError } from '../engine/errors.js'
import { didYouMeanFlag } from '../operations/suggest.js'
import { type Command, flagsOf, shownCommands } from './command.js'
import { commonFlags } from './common-flags.js'
import { isAmount, nameOf } from './invalid-request.js'

/** Flags of other programs with those of this one, for every command that takes these. */
const commonEquivalents: Readonly<Record<string, string>> = {
  '--node': '--rpc <url>',
  '--endpoint': '--rpc <url>',
  '--chain-id': '--network <name>',
  '--format': '--output <form>',
  '--key': '--from <key>',
  '--wallet': '--from <key>',
  '--address': '--from <address>',
  '--simulate': '--dry-run',
}

/** The error of a flag without its value. @param spelled as the command declares it */
export const withoutValue = (spelled: string, path: readonly Command[]): SwapError =>
  invalidRequest(`${/--[a-z-]+/.exec(spelled)?.[0]} has no value`, '', {
    why: `it is written ${spelled}`,
    hint: `write the value after it; ${seeHelp(path)}`,
  })

/**
 * The error of a flag that the command does not take, with suggestions, or of one that takes no value.
 *
 * @param word the flag as typed, perhaps with its value
 * @param path the command after its groups; empty before a command
 */
export function unknownFlag(
  word: string,
  path: readonly Command[],
  argv: readonly string[],
): SwapError {
  // The value of a misspelt flag may be a secret.
  const [flag = ''] = /^[^'= ]*/.exec(word) ?? []
  const command = path.at(-1)
  const takers = takersOf(flag, path)
  const known = [...commonFlags, ...flagsOf(command)]
    .flatMap(({ flags }) => flags.match(/--[a-z-]+/g) ?? [])
    .concat('--help', '--help-all', '--version')
  if (known.includes(flag))
    return invalidRequest(`${flag} takes no value`, '', {
      why: 'it is on where it is written',
      hint: `write ${flag} alone, or leave it out`,
    })
  const others =
    takers.length > 0 && `; ${takers.join(', ')} ${takers.length === 1 ? 'does' : 'do'}`
  return invalidRequest(`no flag "${flag}"`, '', {
    why:
      command === undefined
        ? 'before a command there may be the flags that every command takes'
        : `${nameOf(path)} does not take it${others || ''}`,
    hint:
      equivalentOf(command, flag, argv) ??
      commonEquivalentOf(flag, known) ??
      didYouMeanFlag(flag, known) ??
      seeHelp(path),
  })
}

const seeHelp = (path: readonly Command[]): string => `see: swap help ${nameOf(path) || 'flags'}`

/** Other commands of the group that take a flag. */
function takersOf(flag: string, path: readonly Command[]): readonly string[] {
  const group = path.at(-2)
  if (group === undefined) return []
  return shownCommands(group)
    .filter((each) => flagsOf(each).some(({ flags }) => flags.split(/[ ,]+/).includes(flag)))
    .map(({ name }) => `${group.name} ${name}`)
}

/** The equivalent of another program's flag, with the typed value if it is harmless. */
function equivalentOf(
  command: Command | undefined,
  flag: string,
  argv: readonly string[],
): string | undefined {
  const [write, example, fits = isAmount] = command?.flagsElsewhere?.[flag] ?? []
  if (write === undefined || example === undefined) return undefined
  const at = argv.findIndex((word) => word === flag || word.startsWith(`${flag}=`))
  const word = (argv[at] === flag ? argv[at + 1] : argv[at]?.slice(flag.length + 1)) ?? ''
  const typed = write.includes('$VALUE') ? word.replace(/^\$/, '') : word
  const value = typed.length <= 40 && fits(typed) ? typed : example
  return `write ${write.replaceAll('VALUE', () => value)}`
}

/** The equivalent of another program's flag that all commands share, if this one takes it. */
function commonEquivalentOf(flag: string, known: readonly string[]): string | undefined {
  const own = commonEquivalents[flag]
  return own !== undefined && known.includes(own.split(' ')[0]!) ? `write ${own}` : undefined
}
