import { DEMO } from '../../../wallet/demo-key.js'
import { loadKey } from '../../../wallet/store/keys.js'
import { storeOf } from '../../accounts/key-store.js'
import type { Context, FlagValues } from '../../command.js'
import { setConfig } from '../config/change.js'

/** Makes a key the default signer: `from` in the user's `.swaprc`. */
export async function runUse(
  context: Context,
  args: readonly string[],
  flags: FlagValues,
): Promise<void> {
  const [name = ''] = args
  if (name !== DEMO.name) await loadKey(storeOf(context.surroundings), name)
  await setConfig(context, ['from', name], flags)
}
