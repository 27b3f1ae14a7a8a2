import { listKeys } from '../../../wallet/store/keys.js'
import { storeOf } from '../../accounts/key-store.js'
import type { Context } from '../../command.js'
import { printAnswer } from '../../print-answer.js'
import { builtInKeyInfo, isBuiltInHere, keyInfoOf } from './key-info.js'
import { renderKeys } from './render-keys.js'

/** Lists the keys by the unencrypted members of their files. */
export async function runList(context: Context): Promise<void> {
  const { out, config } = context
  const { keys: stored, broken } = await listKeys(storeOf(context.surroundings))
  const builtIn = isBuiltInHere(config) ? [builtInKeyInfo(context)] : []
  const keys = [...builtIn, ...stored.map((key) => keyInfoOf(context, key))]
  for (const { name, error } of broken)
    out.note(`${name} is left out: ${error.why ?? error.message}; ${error.hint ?? ''}`)
  const unusable = broken.map(({ name, path, error }) => ({
    name,
    file: path,
    code: error.code,
    detail: error.why ?? error.message,
  }))
  return printAnswer(
    context,
    { keys, unusable },
    {
      quiet: () => keys.map(({ name }) => name).join('\n'),
      human: () => renderKeys(keys, out.style),
    },
  )
}
