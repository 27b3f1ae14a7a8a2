import { wipe } from '../../../wallet/secret.js'
import { openStored } from '../../../wallet/signer.js'
import { loadKey } from '../../../wallet/store/keys.js'
import { storeOf } from '../../accounts/key-store.js'
import type { Context, FlagValues } from '../../command.js'
import { keyInfoOf, printDone } from './key-info.js'
import { type PasswordPrompt, passwordSource } from './passwords.js'

/** Opens a key and forgets it: file, owner, modes, password and address are as they should be. */
export async function runCheck(
  context: Context,
  args: readonly string[],
  _flags: FlagValues,
  asking: PasswordPrompt,
): Promise<void> {
  const [name = ''] = args
  const stored = await loadKey(storeOf(context.surroundings), name)
  const secret = await openStored(stored, passwordSource(asking))
  wipe(secret.bytes)
  await printDone(context, `the password opens ${name}`, keyInfoOf(context, stored), {
    members: { ok: true },
  })
}
