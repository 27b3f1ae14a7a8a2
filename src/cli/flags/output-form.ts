import type { FlagValues } from '../command.js'
import { clashing } from '../invalid-request.js'
import { textOf } from './checked-flag.js'

/**
 * The form of output that flags name, as `output` takes it in a file; `undefined` without one. Events are documents
 * too: a single answer is one line in either form.
 *
 * @throws SwapError INVALID_REQUEST where two flags name different ones
 */
export function namedForm(flags: FlagValues): string | undefined {
  const output = textOf(flags, 'output')
  const [first, ...more] = [
    ...(flags['json'] === true ? [['--json', 'json'] as const] : []),
    ...(flags['ndjson'] === true ? [['--ndjson', 'json'] as const] : []),
    ...(flags['csv'] === true ? [['--csv', 'csv'] as const] : []),
    ...(output === undefined
      ? []
      : [[`--output ${output}`, output === 'ndjson' ? 'json' : output] as const]),
  ]
  const other = more.find(([, form]) => form !== first?.[1])
  if (first !== undefined && other !== undefined)
    throw clashing(first[0], other[0], 'they name different forms of the output', '/output')
  return first?.[1]
}
