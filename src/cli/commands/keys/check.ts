import { wipe } from '../../../wallet/secret.js'
import { openStored } from '../../../wallet/signer.js'
import { loadKey } from '../../../wallet/store/keys.js'
import type { Context, FlagValues } from '../../command.js'
import { answerOf, tellDone } from './answer.js'
import { type Asking, passwordSource } from './passwords.js'
import { storeOf } from './place.js'

/** Opens a key and forgets it: file, owner, modes, password and address are as they should be. */
export async function runCheck(
  context: Context,
  args: readonly string[],
  _flags: FlagValues,
  asking: Asking,
): Promise<void> {
  const [name = ''] = args
  const stored = await loadKey(storeOf(context.surroundings), name)
  const secret = await openStored(stored, passwordSource(asking))
  wipe(secret.bytes)
  await tellDone(context, `the password opens ${name}`, answerOf(context, stored), {
    members: { ok: true },
  })
}
