import { didYouMean } from '../../../config/suggest.js'
import { SwapError } from '../../../engine/errors.js'
import { quote } from '../../../render/width.js'
import { missing, refuseMore } from '../../arguments/arguments.js'
import type { Context, FlagValues } from '../../command.js'
import { isShell, scripts, shells } from '../../completion/scripts.js'

/** Prints what a shell needs to complete `swap`, or puts it where the shell finds it. */
export async function runCompletion(
  context: Context,
  [word, ...more]: readonly string[],
  flags: FlagValues,
): Promise<void> {
  const known = [...shells, 'install', 'uninstall']
  if (word === undefined) throw missing(`one of ${known.join(', ')}`, 'swap completion <shell>')
  refuseMore('completion', more)
  if (word === 'install' || word === 'uninstall') {
    const { install, uninstall } = await import('./install.js')
    return (word === 'install' ? install : uninstall)(context, flags)
  }
  if (isShell(word)) return context.out.result(scripts[word])
  throw new SwapError('INVALID_REQUEST', `completion does not know ${quote(word)}`, {
    why: `there are ${known.join(', ')}`,
    hint: didYouMean(word, known) ?? 'see: swap help completion',
    members: { errors: [{ pointer: '', detail: 'not a shell' }] },
  })
}
