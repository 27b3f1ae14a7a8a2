import type {
  CurvePoint,
  ExecutionDocument,
  OpportunityDocument,
} from '../../../operations/arbitrage/arbitrage-documents.js'

import { invalidRequest } from '../../invalid-request.js'
import type { RouteContext } from '../../quotes/route/route-view.js'

/** Context of the renderers of `swap arbroute`. */
export type ArbrouteContext = RouteContext & {
  /** How the router writes its stages: in order of execution, or the last one first. */
  readonly dialect: 'forward' | 'stack'
  /** Profit by size of the first loop, for the plot. */
  readonly picture: readonly CurvePoint[]
}

/** The pairs of an execution in the order of execution. */
export function pairsMet(
  { tx }: ExecutionDocument,
  dialect: ArbrouteContext['dialect'],
): readonly string[] {
  const addresses = tx.swap.stages.map(({ address }) => address)
  return dialect === 'forward' ? addresses : addresses.reverse()
}

/** Checks `--max-hops` of a loop, which has at least two hops. @throws SwapError INVALID_REQUEST */
export function loopHops(maxHops: number): number {
  if (maxHops >= 2) return maxHops
  throw invalidRequest(`${maxHops} hops do not make a loop`, '/max_hops', {
    why: 'an arbitrage loop has at least two hops',
    hint: 'write --max-hops 2, or leave it out for 4',
  })
}

/** Profit of a loop in hundredths of a percent. */
export const profitHundredths = ({ profit_percent }: OpportunityDocument): bigint =>
  BigInt(Math.round(profit_percent * 100))
