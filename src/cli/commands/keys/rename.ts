import { renameKey } from '../../../wallet/make.js'
import { loadKey } from '../../../wallet/store/keys.js'
import { storeOf } from '../../accounts/key-store.js'
import { requireNotInBook } from '../../accounts/named-accounts.js'
import type { Context } from '../../command.js'
import { keyInfoOf, printDone } from './key-info.js'

/** Gives a key another name. What is in the file does not change, so no password is asked for. */
export async function runRename(context: Context, args: readonly string[]): Promise<void> {
  const [old = '', name = ''] = args
  requireNotInBook(context, name)
  const store = storeOf(context.surroundings)
  const renamed = await renameKey(store, await loadKey(store, old), name)
  const answer = keyInfoOf(context, renamed)
  await printDone(context, `${old} is called ${name} now`, answer, {
    members: { renamed_from: old },
  })
}
