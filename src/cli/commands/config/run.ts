import { didYouMean } from '../../../config/suggest.js'
import { SwapError } from '../../../engine/errors.js'
import { quote } from '../../../render/width.js'
import { missing } from '../../arguments/arguments.js'
import type { Context, FlagValues, Run } from '../../command.js'
import { listConfig } from './list.js'
import { checkConfig, getConfig, pathConfig } from './look.js'

/** Shows and changes the configuration. */
export async function runConfig(
  context: Context,
  [verb, ...args]: readonly string[],
  flags: FlagValues,
): Promise<void> {
  if (verb === undefined)
    throw missing(`one of ${[...verbs.keys()].join(', ')}`, 'swap config list')
  const run = verbs.get(verb)
  if (run !== undefined) return run(context, args, flags)
  throw new SwapError('INVALID_REQUEST', `config does not know ${quote(verb)}`, {
    why: `there are ${[...verbs.keys()].join(', ')}`,
    hint: didYouMean(verb, verbs.keys()) ?? 'see: swap help config',
    members: { errors: [{ pointer: '', detail: 'not a word of config' }] },
  })
}

/** What changes files is loaded by who changes them. */
const changing =
  (name: 'setConfig' | 'unsetConfig'): Run =>
  async (...call) =>
    (await import('./change.js'))[name](...call)

const editing: Run = async (...call) => (await import('./edit.js')).editConfig(...call)

const verbs: ReadonlyMap<string, Run> = new Map<string, Run>([
  ['list', listConfig],
  ['get', getConfig],
  ['set', changing('setConfig')],
  ['unset', changing('unsetConfig')],
  ['path', pathConfig],
  ['edit', editing],
  ['check', checkConfig],
])
