import type { ExecutionDocument } from '../../../operations/arbitrage/arbroute.js'
import type { CurvePoint } from '../../../operations/arbitrage/capital-curve.js'
import { formatPrice } from '../../../render/amount.js'
import type { RouteContext } from '../../quotes/route/view.js'

/** What the renderers of an arbitrage route are told beside the answer. */
export type ArbrouteContext = RouteContext & {
  /** How the router writes its stages: in order of execution, or the last one first. */
  readonly dialect: 'forward' | 'stack'
  /** Profit against size of the first circle, for the picture. */
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

/** The pairs of an execution in the order in which they are met. */
export function pairsMet(
  { tx }: ExecutionDocument,
  dialect: ArbrouteContext['dialect'],
): readonly string[] {
  const addresses = tx.swap.stages.map(({ address }) => address)
  return dialect === 'forward' ? addresses : addresses.reverse()
}
