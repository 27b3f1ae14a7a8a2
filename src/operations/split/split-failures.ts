import { SwapError } from '../../engine/errors.js'
import type { Coin } from '../../engine/market/token.js'
import { findRoutes } from '../../engine/routing/find-routes.js'
import { type PathQuery, withShare } from '../../engine/routing/query.js'
import type { Splits, SplitTerms } from '../../engine/splits/find-split.js'
import type { Split } from '../../engine/splits/split.js'
import { largestSplit } from '../../engine/splits/split-size.js'
import { formatCoin, sellLess } from '../amount.js'
import { noRoute } from '../route/no-route.js'

/** Raises each leg's minimum in proportion to its expected output above it, to the atomic. */
export function raiseMinReturn(split: Split, least: bigint): Split {
  const shortfall = least - split.minReturn
  if (shortfall <= 0n) return split
  const surplus = split.expected - split.minReturn
  let before = 0n
  let given = 0n
  const legs = split.legs.map((leg) => {
    const { route } = leg
    before += route.expected - route.minReturn
    const share = (shortfall * before) / surplus - given
    given += share
    return { ...leg, route: { ...route, minReturn: route.minReturn + share } }
  })
  return { ...split, legs, minReturn: split.minReturn + given }
}

/** Why no split takes an input: as for a single path, with the largest one that a split takes. */
export function noSplit(
  query: PathQuery,
  input: Coin,
  { placed }: Splits,
  terms: SplitTerms,
): SwapError {
  const { slippageBps } = terms
  const { budget, graph } = query
  const { market } = graph
  const target = graph.denoms[query.to]!
  const error = withShare(budget, 0.5, () =>
    noRoute(query, input, findRoutes(query, input, 1, { slippageBps, explain: true })),
  )
  if (error.code !== 'INSUFFICIENT_LIQUIDITY') return error
  const largest = largestSplit(query, input, placed, terms)
  if (largest === undefined) return error
  const sold = formatCoin(market, input.denom, largest.input.amount)
  const paid = formatCoin(market, target, largest.expected)
  return new SwapError('INSUFFICIENT_LIQUIDITY', error.message.replace(/^no route/, 'no split'), {
    why: `paths exist, but all of them together take no more than about ${sold}, which pays ${paid}`,
    hint: sellLess(market, largest.input, { denom: target, amount: largest.expected }, ' --split'),
    members: {
      max_input: `${largest.input.amount}`,
      output_at_max: `${largest.expected}`,
      rejected: error.members['rejected'] ?? [],
    },
  })
}
