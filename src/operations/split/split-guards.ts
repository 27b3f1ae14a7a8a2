import { SwapError } from '../../engine/errors.js'
import type { Market } from '../../engine/market/market.js'
import type { Split } from '../../engine/splits/split.js'
import { readAmount } from '../amount.js'
import { formatCoin } from '../amount-text.js'
import { requireImpact } from '../route/guards.js'
import type { SplitRequest } from './split-request.js'

/**
 * Holds the caller's guards against the best division and refuses where they do not hold. A `min_out`
 * also raises what the legs demand until their sum reaches it; divisions that cannot are not offered.
 *
 * @throws SwapError PRICE_IMPACT_TOO_HIGH, ASSERTION_FAILED
 */
export function applySplitGuards(
  market: Market,
  request: Pick<SplitRequest, 'min_out' | 'max_impact_bps'>,
  splits: readonly Split[],
): readonly Split[] {
  const [best] = splits
  if (best === undefined) return splits
  if (request.max_impact_bps !== undefined) requireImpact(best.worstImpact, request.max_impact_bps)
  if (request.min_out === undefined) return splits
  const least = readAmount(request.min_out, '/min_out')
  if (best.expected < least) {
    const words = (amount: bigint) => formatCoin(market, best.legs[0]!.route.output, amount)
    throw new SwapError('ASSERTION_FAILED', 'the best division pays less than you ask for', {
      why: `it pays ${words(best.expected)} at block ${market.height}; you ask for at least ${words(least)}`,
      hint: {
        cli: 'quote again, sell less, or lower --min-out',
        http: 'quote again, sell less, or lower min_out',
      },
      members: { limit: `${least}`, actual: `${best.expected}` },
    })
  }
  return splits
    .filter(({ expected }) => expected >= least)
    .map((split) => raiseMinReturn(split, least))
}

/** Each leg demands more in proportion to what it is expected to pay above its demand, to the atomic. */
export function raiseMinReturn(split: Split, least: bigint): Split {
  const lack = least - split.minReturn
  if (lack <= 0n) return split
  const spare = split.expected - split.minReturn
  let [before, given] = [0n, 0n]
  const legs = split.legs.map((leg) => {
    const { route } = leg
    before += route.expected - route.minReturn
    const share = (lack * before) / spare - given
    given += share
    return { ...leg, route: { ...route, minReturn: route.minReturn + share } }
  })
  return { ...split, legs, minReturn: split.minReturn + given }
}
