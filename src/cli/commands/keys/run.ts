import { type PasswordPrompt, passwordPromptOf } from '../../accounts/passwords.js'
import type { Context, FlagValues, Run } from '../../command.js'

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
