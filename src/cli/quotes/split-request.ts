import type { SwapError } from '../../engine/errors.js'
import { readSplitStep } from '../../operations/split/read-request.js'
import type { SplitRequest } from '../../operations/split/split-documents.js'
import type { Context, FlagValues } from '../command.js'
import { membersOf } from '../flags/request-flags.js'
import { inFlag, invalidRequest } from '../invalid-request.js'
import {
  listOf,
  pairOf,
  type Reader,
  readAmount,
  readerOf,
  routeRequestOf,
} from './route-request.js'

/** Turns the arguments of `swap sroute` into the request body of the service. */
export async function splitRequestOf(
  context: Context,
  args: readonly string[],
  flags: FlagValues,
  command = 'sroute',
): Promise<SplitRequest> {
  const { input, ...request } = await routeRequestOf(context, args, flags, command)
  const legs = legsOf(await readerOf(context), input.denom, flags)
  const step = stepOf(flags)
  const isSearched = legs === undefined && flags['path'] === undefined
  const isFree = flags['grid'] === false || (isSearched && step.split_step === undefined)
  return {
    input: { ...input, ...step },
    ...request,
    ...membersOf('sroute', ['max_legs'], flags),
    ...(isFree && { grid: false }),
    ...(flags['explain'] === true && isSearched && { frontier: true }),
    ...(legs && { legs }),
  }
}

/** `--split-step`, where it was given. */
export function stepOf(flags: FlagValues): { readonly split_step?: number } {
  const text = flags['splitStep']
  if (text === undefined) return {}
  return { split_step: readSplitStep(/^\d{1,9}$/.test(String(text)) ? Number(text) : text) }
}

/** `--legs 0.9:btc/usdc,rune/usdc`, once for each leg. */
function legsOf(reader: Reader, denom: string, flags: FlagValues) {
  const { legs } = flags
  if (legs === undefined || typeof legs === 'boolean') return undefined
  const token = reader.market.tokens.get(denom)!
  return [legs].flat().map((text, i) => {
    const at = text.indexOf(':')
    const pairs = listOf({ pairs: text.slice(at + 1) }, 'pairs')
    if (at < 1 || pairs.length === 0) throw notLeg(text, i)
    return {
      path: pairs.map((pair, j) => pairOf(reader, pair, `/legs/${i}/path/${j}`) ?? pair),
      amount: `${inFlag('--legs', () => readAmount(reader, text.slice(0, at), token, `/legs/${i}/amount`))}`,
    }
  })
}

const notLeg = (text: string, index: number): SwapError =>
  invalidRequest(`--legs ${text.slice(0, 60)} is not a leg`, `/legs/${index}`, {
    why: 'a leg is an amount, a colon, and the pairs in order of execution',
    hint: 'write e.g. --legs 0.9:btc/usdc,rune/usdc --legs 0.6:rune/btc',
    detail: 'is not amount:pairs',
  })
