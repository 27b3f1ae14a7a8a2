import { formatRational, rational, toPercent } from '../../../engine/math/rational.js'
import type { CoinDocument } from '../../../operations/document-schema.js'
import type {
  HopDocument,
  RouteAnswer,
  RouteDocument,
} from '../../../operations/route/route-documents.js'
import type {
  LegDocument,
  SplitAnswer,
  SplitDocument,
} from '../../../operations/split/split-documents.js'
import { formatDollars, formatPrice, formatSignedBps } from '../../../render/amount.js'
import { withoutBreaks } from '../../../render/layout.js'
import { type Names, type Naming, namesOf } from '../../../render/names.js'
import { glyphsOf, type Style } from '../../../render/style.js'

export type RouteContext = Naming & {
  /** The id under which the quote was stored. */
  readonly quoteId?: string | undefined
  /** The configured maximum age of a quote that is executed, in milliseconds; by default `QUOTE_AGE_MS`. */
  readonly maxAgeMs?: number | undefined
  /** Everything that is known of the quote: `-v`. */
  readonly verbose?: boolean | undefined
  /** Lines that follow the quote. */
  readonly closingLines?: number | undefined
}

/** What the views of single paths and of splits have in common. */
export type QuoteView = {
  readonly answer: Pick<
    RouteAnswer,
    'input' | 'input_usd' | 'output' | 'slippage_bps' | 'slippage' | 'search_cut' | 'excluded'
  > & { readonly explain?: unknown }
  /** `routes[0]`, the best one. */
  readonly best: Pick<
    RouteDocument,
    | ('expected_output' | 'expected_output_usd' | 'min_return' | 'min_return_usd')
    | ('price' | 'price_impact_bps' | 'cost' | 'network_fee' | 'network_fee_usd')
  >
  readonly quoteId: string | undefined
  readonly maxAgeMs?: number | undefined
  /** With `-v` and `--explain`. */
  readonly verbose: boolean
  readonly names: Names
  readonly style: Style
}

export type RouteView = QuoteView & { readonly answer: RouteAnswer; readonly best: RouteDocument }

export const viewMembers = (
  { explain }: { readonly explain?: unknown },
  context: RouteContext,
  style: Style,
) => ({
  quoteId: context.quoteId,
  maxAgeMs: context.maxAgeMs,
  verbose: context.verbose === true || explain !== undefined,
  names: namesOf(context, style),
  style,
})

/** The swap in a title. @example '1.5 BTC ($117,908) → RUNE' */
export function swapText({ answer, names, style }: QuoteView): string {
  const { input, input_usd, output } = answer
  const [from, to] = [input, output].map(({ denom }) => names.symbol(denom))
  return output.amount === undefined
    ? `${withoutBreaks(names.payment(input))}${dollarsBeside(input_usd, style)} ${glyphsOf(style).arrow} ${to}`
    : `at least ${withoutBreaks(names.coin({ ...output, amount: output.amount }))} for ${from}`
}

export type ExplainView<Answer extends { readonly explain?: unknown } = RouteAnswer> = {
  readonly explanation: NonNullable<Answer['explain']>
  readonly answer: Answer
  readonly names: Names
  readonly style: Style
}

/** The name of a venue: its pair, or else the denoms that it changes. @example 'fin btc/usdc' */
const nameOfVenue = (address: string, from: string, to: string, names: Names): string =>
  `fin ${names.pair(address, { base: from, quote: to })}`

export const venueName = ({ address, input, output }: HopDocument, names: Names): string =>
  nameOfVenue(address, input.denom, output.denom, names)

/** The sources of a level that are no maker's address. */
export const sourceNames: ReadonlyMap<string, string> = new Map([
  ['fixed', 'orders'],
  ['oracle', 'oracle orders'],
  ['unknown', 'orders or makers'],
])

/** The tokens of a path with the venues between them, a piece each. @example 'BTC', '── fin btc/usdc ──▶ USDC' */
export function pathPieces(
  path: readonly string[],
  hops: readonly Pick<HopDocument, 'address'>[],
  names: Names,
  { dash, arrow }: { readonly dash: string; readonly arrow: string },
): readonly string[] {
  const steps = hops.map(({ address }, i) => {
    const [from, to] = [path[i]!, path[i + 1]!]
    return `${dash} ${nameOfVenue(address, from, to, names)} ${arrow} ${names.symbol(to)}`
  })
  return [names.symbol(path[0]!), ...steps]
}

type AnswerOutput = Pick<RouteAnswer, 'output'>

/** What routes are compared by: the output for an input, or the input for an output. */
export const comparedText = (
  { expected_output, funds }: Pick<RouteDocument, 'expected_output' | 'funds'>,
  { output }: AnswerOutput,
  names: Names,
): string =>
  output.amount === undefined
    ? names.coin({ denom: output.denom, amount: expected_output })
    : names.payment(funds)

/** What a route pays against the best one, or what it costs more. @example '-0.41 %' */
export function gapText(
  { gap_bps }: Pick<RouteDocument, 'gap_bps'>,
  style: Style,
  wanted?: AnswerOutput,
): string {
  const text = formatSignedBps(wanted?.output.amount === undefined ? -gap_bps : gap_bps)
  return gap_bps > 0 ? style.bad(text) : text
}

export type SplitView = QuoteView & { readonly answer: SplitAnswer; readonly best: SplitDocument }

/** A leg's coins: what it sells and what it pays. */
export const coinsOf = ({ split, path, expected_output }: LegDocument) => ({
  input: { denom: path[0]!, amount: split.amount },
  output: { denom: path.at(-1)!, amount: expected_output },
})

/** A leg's part of the input; without decimals only where it is a whole number. @example '55 %' '8.00 %' */
export function shareText(amount: string, total: string): string {
  const percent = toPercent(rational(BigInt(amount), BigInt(total)))
  if (percent === 0) return '<0.01 %'
  const isWhole = (BigInt(amount) * 100n) % BigInt(total) === 0n
  return `${isWhole ? percent : percent.toFixed(2)} %`
}

/** Units of a coin for a unit of another one, formatted. */
export function priceText(paid: CoinDocument, unit: CoinDocument, names: Names): string {
  const scale = ({ denom }: CoinDocument) => 10n ** BigInt(names.decimals(denom))
  const price = rational(BigInt(paid.amount) * scale(unit), BigInt(unit.amount) * scale(paid))
  return formatPrice(formatRational(price), names.style)
}

/** Dollars in brackets after an amount; empty where they are not known. @example ' ($117,908)' */
export const dollarsBeside = (usd: string | null, style: Style): string =>
  usd === null ? '' : ` (${formatDollars(usd, style)})`
