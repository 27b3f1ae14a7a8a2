import { SwapError } from '../../../engine/errors.js'
import { type PasswordPrompt, promptUnavailable } from '../../accounts/passwords.js'
import type { FlagValues } from '../../command.js'

/**
 * Has the name of a key typed, or said by `--confirm`, before something is done that cannot be
 * undone.
 *
 * @throws SwapError DECLINED, CONFIRMATION_REQUIRED
 */
export async function confirmName(
  name: string,
  action: string,
  flags: FlagValues,
  asking: PasswordPrompt,
): Promise<void> {
  const confirmed = flags['confirm']
  const terminal = confirmed === undefined ? asking.terminal() : undefined
  if (confirmed === undefined && terminal === undefined)
    throw promptUnavailable('the name of the key once more', `--confirm ${name}`)
  const typed = confirmed ?? (await terminal?.line(`Type ${name} to ${action}: `))
  if (String(typed).trim() === name) return
  throw new SwapError('DECLINED', 'nothing was done', {
    why: 'another name was given than that of the key',
    hint: `the name is ${name}`,
  })
}
