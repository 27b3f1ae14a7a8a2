import { resolve } from 'node:path'
import { errorCode, SwapError } from '../../../engine/errors.js'
import { KeyfileInvalid } from '../../../wallet/errors.js'
import { writeNew } from '../../../wallet/store/files.js'
import {
  type PasswordPrompt,
  passwordPromptOf,
  promptUnavailable,
} from '../../accounts/passwords.js'
import type { Context, FlagValues, Run } from '../../command.js'
import { invalidRequest } from '../../invalid-request.js'

/** A command of `swap keys`: what it does with passwords and the terminal at hand. */
export type KeysRun = (
  context: Context,
  args: readonly string[],
  flags: FlagValues,
  asking: PasswordPrompt,
) => Promise<void>

/** Closes the terminal and wipes the passwords that a command of `swap keys` has read. */
export const withPasswords =
  (run: KeysRun): Run =>
  async (context, args, flags) => {
    if (process.platform === 'win32')
      context.out.note('on Windows the permissions of key files are not checked')
    const asking = passwordPromptOf(context, flags)
    try {
      await run(context, args, flags, asking)
    } finally {
      asking.close()
    }
  }

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

/**
 * Writes something secret to a new file, 0600, on the disk when this returns.
 *
 * @returns its whole path
 * @throws SwapError INVALID_REQUEST when it is there already, KEYFILE_INVALID when it cannot be written
 */
export async function writeSecret(file: string, cwd: string, text: Uint8Array): Promise<string> {
  const path = resolve(cwd, file)
  try {
    if (await writeNew(path, text)) return path
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    throw new KeyfileInvalid(
      path,
      `it cannot be written (${errorCode(error)})`,
      'name a file in a folder of yours',
    )
  }
  throw invalidRequest(`${path} is there already`, '', {
    why: 'no file is ever overwritten with a secret',
    hint: 'name a new file',
    detail: 'the file exists',
  })
}
