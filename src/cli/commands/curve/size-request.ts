import { SwapError } from '../../../engine/errors.js'
import type { Token } from '../../../engine/market/token.js'
import { formatCoin } from '../../../operations/amount.js'
import type { CurveRequest, MaxRequest } from '../../../operations/split/size-documents.js'
import type { Context, FlagValues } from '../../command.js'
import { membersOf } from '../../flags/request-flags.js'
import { inFlag, missing } from '../../invalid-request.js'
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
  const { from, to } = membersOf('curve', ['from', 'to'], flags)
  const read = (name: 'from' | 'to', text: string | number | undefined) =>
    text === undefined
      ? undefined
      : inFlag(`--${name}`, () => readAmount(reader, `${text}`, input, `/input/${name}`))
  const [low, high] = [read('from', from), read('to', to)]
  if (low !== undefined && high !== undefined && high < low)
    throw descending(reader, input, low, high)
  const sizes = {
    ...(low !== undefined && { from: `${low}` }),
    ...(high !== undefined && { to: `${high}` }),
  }
  return {
    input: { denom: input.denom, ...sizes, ...stepOf(flags) },
    output: { denom: output.denom },
    ...membersOf('curve', ['points'], flags),
    ...limitsOf(context, reader, flags),
  }
}

/** `--from` above `--to`, in the units of the command line. */
function descending({ market, atomic }: Reader, { denom }: Token, low: bigint, high: bigint) {
  const text = (amount: bigint) => (atomic ? `${amount}` : formatCoin(market, denom, amount))
  const why = `${text(low)} is above ${text(high)}`
  return new SwapError('INVALID_REQUEST', '--from and --to clash', {
    why,
    hint: 'begin with the smaller size',
    members: { errors: ['from', 'to'].map((name) => ({ pointer: `/input/${name}`, detail: why })) },
  })
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
  return [reader.token(from, '/input/denom'), reader.token(to, '/output/denom')]
}

const limitsOf = ({ config }: Context, reader: Reader, flags: FlagValues) => ({
  max_hops: config.values.maxHops,
  ...(config.values.affiliate !== undefined && { affiliate: config.values.affiliate }),
  ...namesOf(reader, 'via', flags),
  ...namesOf(reader, 'exclude', flags),
  ...membersOf('curve', ['max_legs', 'split'], flags),
})
