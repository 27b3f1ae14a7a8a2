import { commandWords } from '../../platform/user-command.js'
import { misuse } from '../errors.js'

/** A signer program and its arguments, started without a shell. */
export type SignerCommand = {
  /** As it was given: `exec:` and the words. */
  readonly text: string
  readonly program: string
  readonly args: readonly string[]
  /** The folder that it runs in. */
  readonly cwd: string
}

/**
 * Splits `exec:COMMAND` into words, as `commandWords` does.
 *
 * @throws SwapError INVALID_REQUEST
 */
export function parseSigner(text: string, cwd: string): SignerCommand {
  const source = /^exec:(.*)$/s.exec(text)?.[1]
  if (source === undefined)
    throw notASigner(
      'it does not begin with exec:',
      'write e.g. --signer "exec:my-signer --account 0"',
    )
  if (/\p{Cc}/u.test(source.replaceAll('\t', ' ')))
    throw notASigner('it has a control character', 'write the command in one line')
  const words = commandWords(source)
  if (words === undefined)
    throw notASigner('a quote is not closed', 'close it, or write a backslash before it')
  const [program, ...args] = words
  if (program === undefined || program === '')
    throw notASigner('it names no program', 'write e.g. --signer "exec:my-signer --account 0"')
  return { text, program, args, cwd }
}

/** Refuses a program of a relative path: what it means depends on the current folder. */
export function requireFixedProgram({ program }: SignerCommand): void {
  const isPath = /[/\\]/.test(program)
  if (!isPath || /^([/\\]|[a-z]:[/\\])/i.test(program)) return
  throw notASigner(
    `${program} is in the folder that a command happens to run in`,
    'write its whole path, or a name that is in PATH',
  )
}

const notASigner = (why: string, hint: string) =>
  misuse('this is not the command of a signer', { why, hint })
