import { SwapError } from '../../../engine/errors.js'
import type { ExecutionDocument } from '../../../operations/arbitrage/arbroute.js'
import type { OpportunityDocument } from '../../../operations/arbitrage/arbs.js'
import type { CurvePoint } from '../../../operations/arbitrage/capital-curve.js'
import { formatPrice } from '../../../render/amount.js'
import type { RouteContext } from '../../quotes/route/route-view.js'

/** Context of the renderers of `swap arbroute`. */
export type ArbrouteContext = RouteContext & {
  /** How the router writes its stages: in order of execution, or the last one first. */
  readonly dialect: 'forward' | 'stack'
  /** Profit by size of the first loop, for the plot. */
  readonly picture: readonly CurvePoint[]
}

/** Dollars with cents, or as many digits as small ones need; nothing where unknown. @example '$9.41' */
export function dollars(usd: string | null, group: boolean): string {
  if (usd === null) return ''
  const [whole = '0', fraction = ''] = usd.split('.')
  const isSmall = whole === '0' && /[1-9]/.test(fraction) && !/^0?[1-9]/.test(fraction)
  if (isSmall) return `$${formatPrice(usd, { group })}`
  const cents = fraction.slice(0, 2).padEnd(2, '0')
  return `$${group ? whole.replace(/\B(?=(\d{3})+$)/g, ',') : whole}.${cents}`
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
  const why = 'an arbitrage loop has at least two hops'
  throw new SwapError('INVALID_REQUEST', `${maxHops} hops do not make a loop`, {
    why,
    hint: 'write --max-hops 2, or leave it out for 4',
    members: { errors: [{ pointer: '/max_hops', detail: why }] },
  })
}

/** Profit of a loop in hundredths of a percent. */
export const profitHundredths = ({ profit_percent }: OpportunityDocument): bigint =>
  BigInt(Math.round(profit_percent * 100))
