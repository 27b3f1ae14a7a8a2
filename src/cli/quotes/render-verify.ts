import { legsOfRoute } from '../../operations/document-parts.js'
import type { RouteAnswer, Verification } from '../../operations/route/route-documents.js'
import type { Comparison, VerifiedCall } from '../../operations/route/verification-documents.js'
import type { SplitAnswer, SplitVerification } from '../../operations/split/split-documents.js'
import { orDash } from '../../render/amount.js'
import { field, indentOf, paragraph } from '../../render/layout.js'
import { type Names, type Naming, namesOf } from '../../render/names.js'
import type { Style } from '../../render/style.js'
import { type Column, table } from '../../render/table.js'

/** A quote as text, then its verification and its explanation where requested. */
export function withDetails(
  quote: string,
  answer: RouteAnswer | SplitAnswer,
  explanation: string | undefined,
  context: Naming,
  style: Style,
): string {
  const { verify } = answer
  const verification = verify && renderVerification(verify, answer, context, style)
  return [quote, verification, explanation].filter((text) => text !== undefined).join('\n\n')
}

/** Simulations by the contracts: of the best quote call by call, of the others in one line. */
export function renderVerification(
  verification: Verification | SplitVerification,
  answer: RouteAnswer | SplitAnswer,
  context: Naming,
  style: Style,
): string {
  const names = namesOf(context, style)
  const { height, routes } = verification
  const [quoted] = answer.routes
  const isSplit = 'legs' in quoted!
  const paths = (isSplit ? quoted.legs : [quoted!]).map(({ path }) => path)
  const [best, ...others]: readonly (VerifiedCall | SplitVerification['routes'][number])[] = routes
  const calls = legsOfRoute<VerifiedCall>(best)
  const compared = calls.flatMap(({ hops, router }) => [...hops, router])
  const rows = calls.flatMap((call, i) =>
    callRows(call, paths[i]!, names).map((row) => ({ ...row, leg: `L${i + 1}` })),
  )
  return [
    `${' '.repeat(indentOf(style))}Asked the contracts at block ${height}`,
    ...table(rows, style, [
      isSplit && ['LEG', ({ leg }) => leg],
      ['CONTRACT', ({ contract }) => contract],
      ...comparisonColumns(names),
    ]),
    ...(paths.length > 1
      ? paragraph('Each leg is queried by itself, on untouched books.', style)
      : []),
    ...limitLines(compared, style),
    ...(others.length > 0 ? field(style, 'Others', [othersText(others)]) : []),
  ].join('\n')
}

/** What to do where the node's query gas is too small, if it is. */
export const limitLines = (
  all: readonly Pick<RenderedComparison, 'refused' | 'pair_by_pair'>[],
  style: Style,
): readonly string[] => {
  const isRefused = all.some(({ refused }) => refused?.includes('query limit is too small'))
  if (!isRefused && !all.some((each) => each.pair_by_pair)) return []
  const remedy = isRefused
    ? 'also pair by pair: ask for less, or ask a node with a larger limit.'
    : 'so its pairs were asked one by one.'
  return paragraph(`The node's query limit is too small for this path, ${remedy}`, style)
}

type CallRow = ComparedRow & { readonly contract: string }

/** A row for each hop of a call, and one for the call. */
function callRows(
  { hops, router }: VerifiedCall,
  path: readonly string[],
  names: Names,
): readonly CallRow[] {
  const row = (call: typeof router, contract: string, denom: string) => ({
    ...call,
    contract,
    denom,
    verdict: verdictOf(call.agrees, call, 0, names.style),
  })
  return [
    ...hops.map((hop, i) => row(hop, names.pair(hop.address), path[i + 1]!)),
    row(router, 'router', path.at(-1)!),
  ]
}

function othersText(routes: readonly Pick<VerifiedCall, 'agrees'>[]): string {
  const count = (agrees: boolean | null) => routes.filter((route) => route.agrees === agrees).length
  return [
    [count(true), 'the same'],
    [count(false), 'not the same'],
    [count(null), 'incomplete (query gas limit)'],
  ]
    .filter(([number]) => number !== 0)
    .map(([number, words]) => `${number} ${words}`)
    .join(', ')
}

type RenderedComparison = Pick<
  Comparison,
  'simulated_output' | 'returned' | 'difference' | 'difference_bps' | 'refused' | 'pair_by_pair'
>

/** The computed number and the contract's, both of one denom, with their verdict. */
type ComparedRow = RenderedComparison & { readonly denom: string; readonly verdict: string }

/** Compares the computed number with the contract's. */
export function comparisonColumns(names: Names): readonly Column<ComparedRow>[] {
  const amount = (denom: string, text: string | null) =>
    orDash(text, (amount) => names.coin({ denom, amount }))
  return [
    ['OUR MODEL', (row) => amount(row.denom, row.simulated_output), { align: 'right' }],
    ['CONTRACT SAYS', (row) => amount(row.denom, row.returned), { align: 'right' }],
    ['DIFF', (row) => differenceText(row, names), { align: 'right' }],
    ['VERDICT', ({ verdict }) => verdict],
  ]
}

/** The difference in basis points, or as an amount if that would round to zero. */
function differenceText(
  { difference, difference_bps: bps, denom }: ComparedRow,
  names: Names,
): string {
  if (difference === null) return '-'
  if (difference === '0') return '0'
  if (bps === null || Math.abs(bps) < 0.01) return names.signedCoin({ denom, amount: difference })
  return `${difference.startsWith('-') ? '' : '+'}${bps.toFixed(2)} bps`
}

/** The coloured word of each result. */
export function verdictOf(
  agrees: boolean | null,
  { difference, refused, pair_by_pair: isPairByPair }: RenderedComparison,
  toleranceBps: number,
  style: Style,
): string {
  if (agrees === null) return style.warning("not known: the node's query limit is too small")
  if (!agrees) return style.bad(refused === null ? `differs, over ${toleranceBps} bps` : 'refused')
  if (refused !== null) return 'both refuse'
  const same = difference === '0' ? 'same' : `within ${toleranceBps} bps`
  const words = isPairByPair ? `${same}, pair by pair` : same
  return difference === '0' ? style.good(words) : words
}
