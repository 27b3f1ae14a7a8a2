import type { Explanation } from '../../../operations/route/explain.js'
import type { RouteAnswer } from '../../../operations/route/route.js'
import type {
  CoinDocument,
  HopDocument,
  RouteDocument,
} from '../../../operations/route-document.js'
import { formatBps, formatSignedBps } from '../../../render/amount.js'
import type { Names, Naming } from '../../../render/names.js'
import type { Style } from '../../../render/style.js'

/** Context of a quote's renderers. */
export type RouteContext = Naming & {
  /** The id under which the quote was stored. */
  readonly quoteId?: string | undefined
  /** Human-readable output even in a pipe: `-o human`. */
  readonly human?: boolean | undefined
}

/** Input of the renderers of a quote's sections. */
export type RouteView = {
  readonly answer: RouteAnswer
  /** `routes[0]`, the best one. */
  readonly best: RouteDocument
  readonly quoteId: string | undefined
  readonly names: Names
  readonly style: Style
}

/** Input of the renderers of an explanation's sections. */
export type ExplainView = {
  readonly explanation: Explanation
  readonly answer: RouteAnswer
  readonly names: Names
  readonly style: Style
}

/** The name of a hop's venue: its pair, or else its denoms. @example 'fin btc/usdc' */
export const venueName = ({ address, input, output }: HopDocument, names: Names): string =>
  `fin ${names.pair(address, { base: input.denom, quote: output.denom })}`

type Wanted = Pick<RouteAnswer, 'output'>

/** What routes are compared by: the output for an input, or the input for an output. */
export const comparedOf = (
  { path, expected_output, funds }: Pick<RouteDocument, 'path' | 'expected_output' | 'funds'>,
  { output }: Wanted,
): CoinDocument =>
  output.amount === undefined ? { denom: path.at(-1)!, amount: expected_output } : funds

/** How much less a route pays than the best one, or how much more it costs. @example '-0.41 %' */
export function gapText(
  { gap_bps }: Pick<RouteDocument, 'gap_bps'>,
  style: Style,
  wanted?: Wanted,
): string {
  const text = wanted?.output.amount === undefined ? formatBps(-gap_bps) : formatSignedBps(gap_bps)
  return gap_bps > 0 ? style.red(text) : text
}
