import { hundredths, rational } from '../../../engine/math/rational.js'
import type { CoinDocument, HopDocument } from '../../../operations/route-document.js'
import { formatBps, formatSignedBps, impactWord } from '../../../render/amount.js'
import { field, roomOf, unbroken } from '../../../render/layout.js'
import type { Names } from '../../../render/names.js'
import { type RouteView, venueName } from './route-view.js'

/** Percent of a side's depth from which a hop is warned about: a thinner book would not fill it. */
const DEPTH_WARNING_PERCENT = 80

/** Fees, warnings and hints. */
export const noteLines = (view: RouteView): readonly string[] => [
  ...field('Fees', feePieces(view), view.style, ' '),
  ...recipientLines(view.best.tx.swap, view),
  ...simulateLines(view),
  ...depthLines(view.best.hops, view),
  ...hintLines(view),
  ...excludedLines(view),
  ...quoteLines(view),
  ...moreLines(view),
]

/** Fees of venues, protocol and affiliate, zeros included. */
function feePieces({ best, names }: RouteView): readonly string[] {
  const { venue, protocol, referral, affiliate } = best.fees
  const code = best.tx.swap.affiliate_code
  const gross = BigInt(best.gross_output)
  const share = ({ amount }: CoinDocument) =>
    formatBps(gross === 0n ? null : hundredths(rational(BigInt(amount), gross), 10_000n))
  const fee = (coin: CoinDocument) =>
    isZero(coin) ? '0' : `${coinText(coin)} ${unbroken(`(${share(coin)})`)}`
  const coinText = (coin: CoinDocument) => unbroken(names.coin(coin))
  const venues = totals(venue).map(coinText)
  const referred = isZero(referral) ? '' : `, of it ${coinText(referral)} for the referral`
  return [
    `venues ${venues.length === 0 ? '0' : venues.join(' + ')};`,
    `protocol ${fee(protocol)}${referred};`,
    `affiliate ${code === undefined ? '' : `${names.text(code)} `}${fee(affiliate)}`,
  ]
}

const isZero = ({ amount }: CoinDocument): boolean => BigInt(amount) === 0n

/** Sums coins by denom, in order of appearance, without zeros. */
export function totals(coins: readonly CoinDocument[]): readonly CoinDocument[] {
  const sums = new Map<string, bigint>()
  for (const { denom, amount } of coins) sums.set(denom, (sums.get(denom) ?? 0n) + BigInt(amount))
  return [...sums]
    .filter(([, sum]) => sum > 0n)
    .map(([denom, sum]) => ({ denom, amount: `${sum}` }))
}

/** What all kinds of quotes have for their notes. */
type NoteContext = Pick<RouteView, 'names' | 'style' | 'quoteId'> & {
  readonly answer: Pick<RouteView['answer'], 'excluded'>
}

export function recipientLines(
  { recipient }: { readonly recipient?: string },
  { names, style }: NoteContext,
): readonly string[] {
  if (recipient === undefined) return []
  return field('Pays to', [names.short(recipient, roomOf(style))], style)
}

/** The router's simulation, if it differs from what an execution pays. */
function simulateLines({ best, names, style }: RouteView): readonly string[] {
  const { simulated_output, fees } = best
  const unseen = 'it does not see arbitrage steps nor what lies in the router'
  if (simulated_output === null)
    return field('Simulate', [`fails on this path: ${unseen}; an execution works`], style)
  const paid = BigInt(best.expected_output) + BigInt(fees.affiliate.amount)
  const difference = BigInt(simulated_output) - paid
  if (difference === 0n || paid === 0n) return []
  const says = unbroken(names.coin({ denom: best.path.at(-1)!, amount: simulated_output }))
  const by = formatSignedBps(hundredths(rational(difference, paid), 10_000n))
  return field('Simulate', [`says ${says} ${unbroken(`(${by})`)}: ${unseen}`], style)
}

/** A warning for hops that take most of their book's depth. */
export function depthLines(
  hops: readonly HopDocument[],
  { names, style }: NoteContext,
): readonly string[] {
  const deep = hops.filter((hop) => hop.depth_used_percent >= DEPTH_WARNING_PERCENT)
  if (deep.length === 0) return []
  const taken = deep.map(
    (hop) => `${unbroken(`${hop.depth_used_percent.toFixed(2)} %`)} of ${venueName(hop, names)}`,
  )
  const risk =
    'if that book thins before the execution, what is left over stays in the router, ' +
    'where anybody can take it'
  return field(style.yellow('Warning'), [`this takes ${taken.join(' and ')}: ${risk}`], style)
}

/**
 * For a severe impact: `swap execute` refuses it, and `swap max` finds the largest amount that is
 * accepted. Empty for a lesser impact.
 */
export function severeHint(
  best: { readonly price_impact_bps: number | null; readonly path: readonly string[] },
  names: Names,
  split: boolean,
): string {
  if (impactWord(best.price_impact_bps).word !== 'severe') return ''
  const tokens = [best.path[0]!, best.path.at(-1)!].map((denom) => names.text(names.typed(denom)))
  const most = `swap max ${tokens.join(' ')} --max-impact 5%${split ? ' --split' : ''}`
  return `; execute refuses it, and the most that it takes says: ${most}`
}

/** The source of a notable or greater impact, and remedies. */
function hintLines({ best, names, style }: RouteView): readonly string[] {
  const { word } = impactWord(best.price_impact_bps)
  if (!['notable', 'high', 'severe'].includes(word)) return []
  const source =
    best.hops.length > 1 ? `, most of it at ${venueName(worstHop(best.hops), names)}` : ''
  const helps = 'a smaller amount, or swap sroute, gets a better price'
  const hint = `the impact is ${word}${source}; ${helps}${severeHint(best, names, false)}`
  return field('Hint', [hint], style)
}

const worstHop = (hops: readonly HopDocument[]): HopDocument =>
  hops.reduce((a, b) => ((b.price_impact_bps ?? 0) > (a.price_impact_bps ?? 0) ? b : a))

export function excludedLines({ answer, style }: NoteContext): readonly string[] {
  const { length } = answer.excluded
  if (length === 0) return []
  const pairs = length === 1 ? '1 pair' : `${length} pairs`
  return field('Left out', [`${pairs} at this block;`, 'see: swap snapshot show'], style, ' ')
}

export const quoteLines = ({
  quoteId,
  names,
  style,
}: Omit<NoteContext, 'answer'>): readonly string[] =>
  quoteId === undefined ? [] : field('Quote', [`${style.dim(names.text(quoteId))} (30 s)`], style)

/** Flags that show more of this quote. */
function moreLines({ answer, style }: RouteView): readonly string[] {
  const json = 'add --json for the message to sign'
  const both = 'add --explain for every level and why others lost, --json for the message to sign'
  return field('More', [answer.explain ? json : both], style).map(style.dim)
}
