import { SwapError } from '../../engine/errors.js'
import type { Denom } from '../../engine/market/token.js'
import type { OperationContext } from '../context.js'
import { route } from '../route/route.js'
import type { BookAnswer } from './book.js'
import type { WalkDocument } from './book-answer.js'

export type { WalkDocument } from './book-answer.js'

/**
 * Swaps an amount through one pair alone, without executing it.
 *
 * @param full the pair with all the levels that there are
 * @throws SwapError INVALID_REQUEST for a denom that the pair does not trade, INSUFFICIENT_LIQUIDITY
 */
export async function walk(
  context: OperationContext,
  full: BookAnswer,
  input: { readonly denom: Denom; readonly amount: bigint },
): Promise<WalkDocument> {
  const { address, base, quote } = full.pair
  if (input.denom !== base && input.denom !== quote) throw notTraded(input.denom, full)
  const side = input.denom === quote ? 'ask' : 'bid'
  const answer = await route(context, {
    input: { denom: input.denom, amount: `${input.amount}` },
    output: { denom: side === 'ask' ? base : quote },
    path: [address],
  })
  const hop = answer.routes[0]!.hops[0]!
  const gross = BigInt(hop.output.amount) + BigInt(hop.fee.amount)
  const { levels } = side === 'ask' ? full.asks : full.bids
  const last = levels.find(({ depth }) => BigInt(depth) >= gross)
  return {
    side,
    input: hop.input,
    output: hop.output,
    levels_used: hop.levels_used,
    depth_used_percent: hop.depth_used_percent,
    price_impact_bps: hop.price_impact_bps,
    rate: last?.rate ?? null,
  }
}

const notTraded = (denom: Denom, { pair }: BookAnswer): SwapError =>
  new SwapError('INVALID_REQUEST', `this pair does not trade ${denom}`, {
    why: `it trades ${pair.base} for ${pair.quote}`,
    hint: {
      cli: 'name an amount of one of them: --amount 25000usdc',
      http: 'name an amount of one of them',
    },
    members: { errors: [{ pointer: '/amount', detail: 'not a denom of the pair' }] },
  })
