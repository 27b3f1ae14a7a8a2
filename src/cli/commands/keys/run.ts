import { didYouMean } from '../../../config/suggest.js'
import { SwapError } from '../../../engine/errors.js'
import { missing } from '../../arguments/arguments.js'
import type { Context, FlagValues } from '../../command.js'
import { type Asking, askingOf } from './passwords.js'

/** A verb of `swap keys`, with the name of the key it is about. */
export type KeysRun = (
  context: Context,
  args: readonly string[],
  flags: FlagValues,
  asking: Asking,
) => Promise<void>

/** Everything about key files. Each verb is loaded by who calls it. */
export async function runKeys(
  context: Context,
  [verb, ...args]: readonly string[],
  flags: FlagValues,
): Promise<void> {
  if (verb === undefined) throw missing('what to do', 'swap keys list')
  const load = verbs.get(verb)
  if (load === undefined) throw unknownVerb(verb)
  if (process.platform === 'win32')
    context.out.note('on Windows nobody checks who else may read key files')
  const asking = askingOf(context, flags)
  try {
    await (await load())(context, args, flags, asking)
  } finally {
    asking.close()
  }
}

const verbs: ReadonlyMap<string, () => Promise<KeysRun>> = new Map([
  ['new', async () => (await import('./new.js')).runNew],
  ['import', async () => (await import('./exchange/import.js')).runImport],
  ['list', async () => (await import('./list.js')).runList],
  ['show', async () => (await import('./show.js')).runShow],
  ['check', async () => (await import('./check.js')).runCheck],
  ['use', async () => (await import('./use.js')).runUse],
  ['export', async () => (await import('./exchange/export.js')).runExport],
  ['rename', async () => (await import('./rename.js')).runRename],
  ['reencrypt', async () => (await import('./reencrypt.js')).runReencrypt],
  ['delete', async () => (await import('./delete.js')).runDelete],
])

/** The word is repeated only where it is no more than a word: it may be one of a mnemonic. */
function unknownVerb(verb: string): SwapError {
  const known = [...verbs.keys()]
  return new SwapError('INVALID_REQUEST', 'keys does not know this word', {
    why: `there are ${known.join(', ')}`,
    hint: didYouMean(verb, known) ?? 'see: swap help keys',
    members: { errors: [{ pointer: '', detail: 'not a word of keys' }] },
  })
}
