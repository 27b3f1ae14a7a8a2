import { renameKey } from '../../../wallet/make.js'
import { loadKey } from '../../../wallet/store/keys.js'
import type { Context } from '../../command.js'
import { answerOf, tellDone } from './answer.js'
import { storeOf } from './place.js'

/** Gives a key another name. What is in the file does not change, so no password is asked for. */
export async function runRename(context: Context, args: readonly string[]): Promise<void> {
  const [old = '', name = ''] = args
  const store = storeOf(context.surroundings)
  const renamed = await renameKey(store, await loadKey(store, old), name)
  const answer = answerOf(context, renamed)
  await tellDone(context, `${old} is called ${name} now`, answer, {
    members: { renamed_from: old },
  })
}
