import type { FlagValues } from '../../command.js'
import type { PasswordPrompt } from '../keys/passwords.js'

/** One invocation of a command that signs: its flags, the prompt, and the signal of ctrl-c. */
export type Invocation = {
  readonly flags: FlagValues
  readonly asking: PasswordPrompt
  readonly interrupt: AbortSignal
}
