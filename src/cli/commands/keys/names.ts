import { SwapError } from '../../../engine/errors.js'
import { missing } from '../../arguments/arguments.js'

/**
 * The names that a verb takes, no more and no fewer. What is left over is counted and not repeated:
 * it may be words of a mnemonic.
 */
export function namesIn(args: readonly string[], verb: string, ...names: string[]): string[] {
  const call = `swap keys ${verb} ${names.map((name) => `<${name}>`).join(' ')}`
  for (const [at, name] of names.entries())
    if (!name.endsWith('?') && args[at] === undefined)
      throw missing(name === 'name' ? 'the name of the key' : `the ${name} name`, call)
  if (args.length <= names.length) return [...args]
  throw tooMany(args.length - names.length, call)
}

const tooMany = (count: number, call: string): SwapError =>
  new SwapError(
    'INVALID_REQUEST',
    `there ${count > 1 ? 'are arguments' : 'is an argument'} too many`,
    {
      why: `${count} of them; the call is ${call.replaceAll('?', '')}`,
      hint: 'if it was a secret: no argument takes one, and it is in the history of your shell now',
      members: { errors: [{ pointer: '', detail: 'too many arguments' }] },
    },
  )
