import type { Token } from '../../../engine/market/token.js'
import type { CurveRequest, MaxRequest } from '../../../operations/split/size-request.js'
import { missing } from '../../arguments/arguments.js'
import type { Context, FlagValues } from '../../command.js'
import { membersOf } from '../../flags/request-flags.js'
import { namesOf, type Reader, readAmount, readerOf } from '../../quotes/route-request.js'
import { stepOf } from '../../quotes/split-request.js'

/** Turns the arguments of `swap curve` into its request. */
export async function curveRequestOf(
  context: Context,
  args: readonly string[],
  flags: FlagValues,
): Promise<CurveRequest> {
  const reader = await readerOf(context)
  const [input, output] = tokensOf(reader, args)
  const sizes = Object.entries(membersOf('curve', ['from', 'to'], flags)).map(
    ([name, text]) => [name, `${readAmount(reader, `${text}`, input, `/input/${name}`)}`] as const,
  )
  return {
    input: { denom: input.denom, ...Object.fromEntries(sizes), ...stepOf(flags) },
    output: { denom: output.denom },
    ...membersOf('curve', ['points'], flags),
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
  const { max_impact_bps } = membersOf('max', ['max_impact_bps'], flags)
  if (max_impact_bps === undefined)
    throw missing('--max-impact', 'swap max <in> <out> --max-impact <percent>')
  return {
    input: { denom: input.denom, ...stepOf(flags) },
    output: { denom: output.denom },
    max_impact_bps,
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
  ...membersOf('curve', ['max_legs', 'split'], flags),
})
