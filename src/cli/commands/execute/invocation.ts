import type { FlagValues } from '../../command.js'
import type { Asking } from '../keys/passwords.js'

/** What one call goes by: its flags, the person, and the signal that the person wants it to stop. */
export type Call = {
  readonly flags: FlagValues
  readonly asking: Asking
  readonly interrupt: AbortSignal
}
