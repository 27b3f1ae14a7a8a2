import { DEMO } from '../../../wallet/demo-key.js'
import { misuse } from '../../../wallet/errors.js'
import { loadKey } from '../../../wallet/store/keys.js'
import { storeOf } from '../../accounts/key-store.js'
import type { Context, FlagValues } from '../../command.js'
import { builtInKeyInfo, isBuiltInHere, keyInfoOf, printKey } from './key-info.js'

/** Shows one key: its address and whatever else is no secret. */
export async function runShow(
  context: Context,
  args: readonly string[],
  flags: FlagValues,
): Promise<void> {
  const [name = ''] = args
  const key =
    name === DEMO.name
      ? builtIn(context)
      : keyInfoOf(context, await loadKey(storeOf(context.surroundings), name))
  if (flags['pubkey'] === true && context.form.kind !== 'json' && context.form.quiet < 2)
    return context.out.result(key.pubkey)
  if (flags['qr'] === true && context.form.kind !== 'json' && context.form.quiet === 0) {
    const { qrLines } = await import('./render-qr.js')
    return context.out.result([key.address, ...qrLines(key.address, context.out.style)].join('\n'))
  }
  return printKey(context, key, key.address)
}

function builtIn(context: Context) {
  if (isBuiltInHere(context.config)) return builtInKeyInfo(context)
  throw misuse('the key demo belongs to the demo network', {
    why: `the network here is ${context.config.network.name}`,
    hint: 'show it there: swap keys show demo -n demo',
  })
}
