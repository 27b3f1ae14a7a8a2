import { apportion } from '../../engine/math/integers.js'
import type { CostDocument } from '../../operations/route/route-answer.js'
import { formatDollars, hundredthsOf, impactWord, paintImpact } from '../../render/amount.js'
import { field, unbroken } from '../../render/layout.js'
import type { Style } from '../../render/style.js'

/** Dollars in brackets after an amount; empty where they are not known. @example ' ($117,908)' */
export const dollarsBeside = (usd: string | null, style: Style): string =>
  usd === null ? '' : ` (${formatDollars(usd, { group: style.tty })})`

/** The total cost against the mid prices and its parts, which add up to it as they are written. */
export const costLines = (cost: CostDocument | null, style: Style): readonly string[] =>
  field('Cost', costPieces(cost, style), style, ' ')

/** @example '2.48 %', '= impact 2.09', '+ venues 0.29', '+ protocol 0.10', '($2,922)' */
export function costPieces(cost: CostDocument | null, style: Style): readonly string[] {
  if (cost === null) return ['not known: a book on the path has no mid price, one side is empty']
  const { impact_bps, venue_fees_bps, protocol_fee_bps, affiliate_fee_bps, cost_usd } = cost
  const parts = apportion(
    [impact_bps, venue_fees_bps, protocol_fee_bps, affiliate_fee_bps].map(hundredthsOf),
    100n,
  )
  const total = percentText(parts.reduce((a, b) => a + b))
  const [impact, venues, protocol, affiliate] = parts.map(percentText)
  return [
    `${total} %`,
    `= ${paintImpact(`impact ${impact}`, impact_bps, style)}`,
    `+ venues ${venues}`,
    `+ protocol ${protocol}`,
    ...(affiliate_fee_bps === 0 ? [] : [`+ affiliate ${affiliate}`]),
    dollarsBeside(cost_usd, style).trim(),
  ].map(unbroken)
}

/** Hundredths of a percent. */
const percentText = (hundredths: bigint): string => (Number(hundredths) / 100).toFixed(2)

/** Whether an impact is notable or worse. */
export const isWorthHint = (bps: number | null): boolean =>
  ['notable', 'high', 'severe'].includes(impactWord(bps).word)
