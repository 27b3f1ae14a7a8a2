import { sumByDenom } from '../../../engine/market/token.js'
import { counted } from '../../../engine/math/counted.js'
import { rational, toBps } from '../../../engine/math/rational.js'
import { coinDocument, coinFrom } from '../../../operations/document-parts.js'
import type { CoinDocument } from '../../../operations/document-schema.js'
import type { HopDocument, RouteDocument } from '../../../operations/route/route-documents.js'
import { formatBps, formatSignedBps, impactWord } from '../../../render/amount.js'
import { type FieldRow, fields, roomOf, suggesting, withoutBreaks } from '../../../render/layout.js'
import type { Names } from '../../../render/names.js'
import type { Style } from '../../../render/style.js'
import { displayWidth } from '../../../render/width.js'
import { QUOTE_AGE_MS } from '../quote-store.js'
import {
  dollarsBeside,
  type QuoteView,
  type RouteContext,
  type RouteView,
  venueName,
} from './route-view.js'

/** Percent of a side's depth from which a hop is warned about: a thinner book would not fill it. */
const DEPTH_WARNING_PERCENT = 80

/** What the notes of a path and of a split differ in. */
type Notes = {
  /** What the fees are a part of. */
  readonly gross?: bigint
  /** Shown where the quote is verbose. */
  readonly details: readonly FieldRow[]
  readonly hints: readonly FieldRow[]
}

/** Warnings, hints and the id below a quote; where it is verbose also fees, details and exclusions. */
export function noteLines(
  view: QuoteView,
  calls: readonly Pick<RouteDocument, 'fees' | 'tx' | 'hops'>[],
  { gross, details, hints }: Notes,
): readonly string[] {
  const { answer, best, verbose, names, style } = view
  const { network_fee: gas, network_fee_usd: usd = null } = best
  const { recipient } = calls[0]!.tx.swap
  const hops = calls.flatMap((call) => call.hops)
  const depth = depthText(hops, view)
  const excluded = `${counted(answer.excluded.length, 'pair')} at this block;`
  return fields(style, [
    verbose && ['Fees', feePieces(calls, names, gross), ' '],
    gas !== undefined && [
      'Gas',
      [`${withoutBreaks(`about ${names.coin(gas)}${dollarsBeside(usd, style)}`)}, on top`],
    ],
    recipient !== undefined && ['Pays to', [names.short(recipient, roomOf(style))]],
    ...(verbose ? details : []),
    depth !== undefined && hintRow(depth, true, style),
    ...hints,
    cutRow(answer, 'lower --max-hops or leave out --explain', style),
    verbose &&
      answer.excluded.length > 0 && ['Left out', [excluded, 'see: swap snapshot show'], ' '],
    quoteRow(view, [
      ...(verbose ? [] : ['-v']),
      ...(answer.explain === undefined ? ['--explain'] : []),
    ]),
  ])
}

/** A search that ended at its budget of work, with the flags that make it complete. */
export const cutRow = (
  { search_cut }: { readonly search_cut?: string | undefined },
  advice: string,
  style: Style,
): FieldRow => search_cut !== undefined && hintRow(cutShort(advice), false, style)

export const cutShort = (advice: string): string => `the search was cut short: ${advice}`

/** The notes of a single path. */
export const routeNotes = (view: RouteView): readonly string[] =>
  noteLines(view, [view.best], {
    gross: BigInt(view.best.gross_output),
    details: [simulateRow(view)],
    hints: [impactRow(view), directRow(view)],
  })

/** Fees of venues, protocol and affiliate of all calls, zeros included; the last two with their part of `gross`. */
function feePieces(
  calls: readonly Pick<RouteDocument, 'fees' | 'tx'>[],
  names: Names,
  gross?: bigint,
): readonly string[] {
  const fees = calls.map((call) => call.fees)
  const code = calls[0]!.tx.swap.affiliate_code
  const part = ({ amount }: CoinDocument) => {
    if (gross === undefined) return ''
    const bps = gross === 0n ? null : toBps(rational(BigInt(amount), gross))
    return ` ${withoutBreaks(`(${formatBps(bps)})`)}`
  }
  const sum = (coins: readonly CoinDocument[], behind = (_: CoinDocument) => '') =>
    totals(coins)
      .map((coin) => withoutBreaks(names.coin(coin)) + behind(coin))
      .join(' + ') || '0'
  const of = (name: 'protocol' | 'referral' | 'affiliate') => fees.map((each) => each[name])
  const referral = sum(of('referral'))
  return [
    `venues ${sum(fees.flatMap(({ venue }) => venue))};`,
    `protocol ${sum(of('protocol'), part)}${referral === '0' ? '' : `, of it ${referral} for the referral`};`,
    `affiliate ${code === undefined ? '' : `${names.text(code)} `}${sum(of('affiliate'), part)}`,
  ]
}

/** Sums coins by denom, in order of appearance, without zeros. */
export const totals = (coins: readonly CoinDocument[]): readonly CoinDocument[] =>
  sumByDenom(coins.map(coinFrom))
    .filter(({ amount }) => amount > 0n)
    .map(coinDocument)

/** The router's simulation, if it differs from what an execution pays. */
function simulateRow({ best, names }: RouteView): FieldRow {
  const { simulated_output, fees } = best
  const unseen = 'it does not see arbitrage steps nor what lies in the router'
  if (simulated_output === null)
    return ['Simulate', [`fails on this path: ${unseen}; an execution works`]]
  const paid = BigInt(best.expected_output) + BigInt(fees.affiliate.amount)
  const difference = BigInt(simulated_output) - paid
  if (difference === 0n || paid === 0n) return false
  const says = withoutBreaks(names.coin({ denom: best.path.at(-1)!, amount: simulated_output }))
  const by = formatSignedBps(toBps(rational(difference, paid)))
  return ['Simulate', [`says ${says} ${withoutBreaks(`(${by})`)}: ${unseen}`]]
}

/** The warning for hops that take most of their book's depth; of several, the deepest and a count. */
export function depthText(
  hops: readonly HopDocument[],
  { verbose, names }: Pick<QuoteView, 'verbose' | 'names'>,
): string | undefined {
  const deep = hops.filter((hop) => hop.depth_used_percent >= DEPTH_WARNING_PERCENT)
  const [deepest] = deep.toSorted((a, b) => b.depth_used_percent - a.depth_used_percent)
  if (deepest === undefined) return undefined
  const text = (hop: HopDocument) =>
    `${withoutBreaks(`${hop.depth_used_percent.toFixed(2)} %`)} of ${venueName(hop, names)}`
  const others = deep.length - 1
  const taken = verbose
    ? deep.map(text).join(' and ')
    : `${text(deepest)}${others > 0 ? ` and over ${DEPTH_WARNING_PERCENT} % of ${others} more` : ''}`
  return `takes ${taken}: on a thinner book the rest is lost`
}

/**
 * The impact from notable on, with remedies. A severe one is a warning: `swap execute` refuses it, and
 * `swap max` finds the largest amount that is accepted.
 */
export function impactHint(
  { best, names, style }: Pick<QuoteView, 'best' | 'names' | 'style'>,
  { path, isSplit, source = '' }: ImpactSource,
): { readonly isSevere: boolean; readonly text: string } | undefined {
  const { word } = impactWord(best.price_impact_bps)
  if (!['notable', 'high', 'severe'].includes(word)) return undefined
  const other = isSplit ? [] : ['swap sroute']
  if (word !== 'severe') {
    const remedies = [...other, 'a smaller amount'].join(' or ')
    return { isSevere: false, text: `${word} impact${source}: ${remedies} gets a better price` }
  }
  const tokens = [path[0]!, path.at(-1)!].map((denom) => names.text(names.typed(denom)))
  const limit = `--max-impact 5%${isSplit ? ' --split' : ''}`
  const command = suggesting(`swap max ${tokens.join(' ')} ${limit}`, style)
  const most = displayWidth(command) < roomOf(style) ? withoutBreaks(command) : command
  const remedies = [...other, `the amount of ${most}`].join(', or ')
  return { isSevere: true, text: `severe impact${source}, execute refuses it: try ${remedies}` }
}

type ImpactSource = {
  readonly path: readonly string[]
  readonly isSplit: boolean
  /** The worst book. @example ' at fin btc/usdc' */
  readonly source?: string
}

/** The book with the worst impact, of several. @example ' at fin btc/usdc' */
export const atWorstHop = (hops: readonly HopDocument[], names: QuoteView['names']): string =>
  hops.length > 1 ? ` at ${venueName(worstHop(hops), names)}` : ''

function impactRow(view: RouteView): FieldRow {
  const { hops, path } = view.best
  const source = atWorstHop(hops, view.names)
  const hint = impactHint(view, { path, isSplit: false, source })
  return hint !== undefined && hintRow(hint.text, hint.isSevere, view.style)
}

/** The order that pays more than the best route, as the command that sends it. */
function directRow({ answer, names }: RouteView): FieldRow {
  const { direct, output } = answer
  if (direct === undefined) return false
  if (direct === null) return ['Direct', ['no single order pays more']]
  const { pair, side, amount, price, expected_output: paid, gain_bps: gain } = direct
  const denoms = names.pairDenoms(pair)!
  const typed = [denoms.base, denoms.quote].map((denom) => names.text(names.typed(denom)))
  const units = names.units({ denom: denoms.base, amount })
  const command = `swap order ${side} ${units} ${typed.join(' ')} --price ${names.unitPrice(price, denoms)} --ioc`
  const pays = withoutBreaks(names.coin({ denom: output.denom, amount: paid }))
  const found = `an order on ${names.pair(pair)} pays ${pays} (${formatSignedBps(gain)}), without the router:`
  return ['Direct', [found, withoutBreaks(command)], ' ']
}

export const hintRow = (text: string, isWarning: boolean, style: Style): FieldRow => [
  isWarning ? style.warning('Warning') : 'Hint',
  [text],
]

const worstHop = (hops: readonly HopDocument[]): HopDocument =>
  hops.reduce((a, b) => ((b.price_impact_bps ?? 0) > (a.price_impact_bps ?? 0) ? b : a))

/** The id under which the quote is kept, how long it holds, and `--json` and other flags that show more of it. */
export function quoteRow(
  {
    quoteId,
    maxAgeMs = QUOTE_AGE_MS,
    names,
    style,
  }: Pick<RouteContext, 'quoteId' | 'maxAgeMs'> & Pick<QuoteView, 'names' | 'style'>,
  flags: readonly string[],
): FieldRow {
  const more = style.muted(`more: ${[...flags, '--json'].join(', ')}`)
  const age = `(${maxAgeMs / 1_000} s)`
  const id = quoteId !== undefined && withoutBreaks(`${style.muted(names.text(quoteId))} ${age}`)
  return ['Quote', [id, more]]
}
