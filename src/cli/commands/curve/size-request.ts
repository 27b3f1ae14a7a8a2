import { integer } from '../../../config/readers.js'
import type { Token } from '../../../engine/market/token.js'
import type { CurveRequest, MaxRequest } from '../../../operations/split/size-request.js'
import { parsePercentOrBps } from '../../arguments/amount.js'
import { missing } from '../../arguments/arguments.js'
import type { Context, FlagValues } from '../../command.js'
import { namesOf, type Reader, readAmount, readerOf } from '../../quotes/route-request.js'
import { maxLegsOf, stepOf } from '../../quotes/split-request.js'

/** Turns the arguments of `swap curve` into its request. */
export async function curveRequestOf(
  context: Context,
  args: readonly string[],
  flags: FlagValues,
): Promise<CurveRequest> {
  const reader = await readerOf(context)
  const [input, output] = tokensOf(reader, args)
  const sizeOf = (name: 'from' | 'to') => {
    const text = flags[name]
    if (typeof text !== 'string') return {}
    return { [name]: `${readAmount(reader, text, input, `/input/${name}`)}` }
  }
  const { points } = flags
  return {
    input: { denom: input.denom, ...sizeOf('from'), ...sizeOf('to'), ...stepOf(flags) },
    output: { denom: output.denom },
    ...(typeof points === 'string' && {
      points: integer(2, 100)(points, { label: '--points', folder: '' }),
    }),
    ...limitsOf(context, reader, flags),
  }
}

/** Turns the arguments of `swap max` into its request. */
export async function maxRequestOf(
  context: Context,
  args: readonly string[],
  flags: FlagValues,
): Promise<MaxRequest> {
  const reader = await readerOf(context)
  const [input, output] = tokensOf(reader, args)
  const { maxImpact } = flags
  if (typeof maxImpact !== 'string')
    throw missing('--max-impact', 'swap max <in> <out> --max-impact <percent>')
  return {
    input: { denom: input.denom, ...stepOf(flags) },
    output: { denom: output.denom },
    max_impact_bps: parsePercentOrBps(maxImpact),
    ...limitsOf(context, reader, flags),
  }
}

function tokensOf(reader: Reader, args: readonly string[]): readonly [input: Token, output: Token] {
  const [from = '', to = ''] = args
  return [reader.token(from), reader.token(to)]
}

const limitsOf = ({ config }: Context, reader: Reader, flags: FlagValues) => ({
  max_hops: config.values.maxHops,
  ...(config.values.affiliate !== undefined && { affiliate: config.values.affiliate }),
  ...namesOf(reader, 'via', flags),
  ...namesOf(reader, 'exclude', flags),
  ...maxLegsOf(flags),
  ...(flags['split'] === true && { split: true }),
})
