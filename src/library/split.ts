import type { Coin, Denom } from '../engine/market/token.js'
import { formatRational } from '../engine/math/rational.js'
import type { Route } from '../engine/routing/route.js'
import type { SplitTerms } from '../engine/splits/find-split.js'
import {
  type SizeQuote as EngineSizeQuote,
  quoteSingle,
  quoteSplit,
  type SizeQuoter,
} from '../engine/splits/size-curve.js'
import type { Split as EngineSplit } from '../engine/splits/split.js'
import { DEFAULTS, SPLIT_STEPS } from '../operations/defaults.js'
import { checkRequest, type Market, type QuoteTerms, requireWhole } from './market.js'
import { bpsOf, type Quote } from './quote.js'

/** Constraints of a split. */
export type SplitOptions = {
  /** Percent of the input of which shares are multiples, 1 to 10; 5 by default. */
  readonly stepPercent?: number | undefined
  /** False: shares of any size, and `stepPercent` is ignored. */
  readonly grid?: boolean | undefined
  /** Legs at most, 1 to 10; 6 by default on a grid, without a grid as many as pay. */
  readonly maxLegs?: number | undefined
}

/** One leg of a split. */
export type Leg = {
  /** Share of the input, a decimal of at most 18 significant digits, rounded down. */
  readonly fraction: string
  /** On the books as the legs before it left them. */
  readonly quote: Quote
}

/** A split of an input into legs that are executed one after the other. Amounts are atomics. */
export type Split = {
  /** The same split has the same id in every run. */
  readonly id: string
  readonly input: Coin
  /** The recipient's total of all legs. */
  readonly output: Coin
  /** Sum of the legs' minimums. */
  readonly minReturn: bigint
  readonly exact: boolean
  /** In basis points, two decimals, half up; `undefined` where a leg has no mid price. */
  readonly impactBps: number | undefined
  /** In the order of execution. */
  readonly legs: readonly Leg[]
}

/** The public form of a split. */
export const splitOf = (
  { id, input, expected, minReturn, exact, impact, legs }: EngineSplit,
  quoted: (route: Route) => Quote,
): Split => ({
  id,
  input,
  output: { denom: legs[0]!.route.output, amount: expected },
  minReturn,
  exact,
  impactBps: bpsOf(impact),
  legs: legs.map(({ route, fraction }) => ({
    fraction: formatRational(fraction),
    quote: quoted(route),
  })),
})

/** @throws SwapError INVALID_REQUEST */
export function termsOf(options: SplitOptions, slippageBps: number): SplitTerms {
  const { stepPercent = DEFAULTS.splitStep, maxLegs, grid = true } = options
  requireWhole('stepPercent', stepPercent, ...SPLIT_STEPS)
  if (maxLegs !== undefined) requireWhole('maxLegs', maxLegs, 1, 10)
  return { slippageBps, stepPercent, maxLegs, grid }
}

/** Two tokens between which inputs of any size are quoted. Splits are on a grid only if `stepPercent` is given. */
export type SizeRequest = Omit<QuoteTerms, 'slippageBps'> &
  Omit<SplitOptions, 'grid'> & {
    readonly input: Denom
    readonly output: Denom
    /** Divide every input; by default each is quoted by its best single path. */
    readonly split?: boolean | undefined
  }

/** The result of one input. */
export type SizeQuote = {
  readonly input: Coin
  /** The recipient's amount; `undefined` if nothing takes the whole input. */
  readonly output: bigint | undefined
  /** In basis points, two decimals, half up; `undefined` without an output or a mid price. */
  readonly impactBps: number | undefined
  /** Whether both rest on complete knowledge; `undefined` without an output. */
  readonly exact: boolean | undefined
}

/**
 * Quotes inputs, each with a budget of its own.
 *
 * @throws SwapError as `findRoutes`
 */
export function quoterOf(market: Market, request: SizeRequest, units?: number): SizeQuoter {
  const { input, output, split } = request
  const terms = termsOf({ ...request, grid: request.stepPercent !== undefined }, 0)
  const check = () => checkRequest(market, input, output, request)
  check()
  return (amount) => {
    const { query } = check()
    if (query === undefined) return undefined
    return (split ? quoteSplit(query, input, terms, units) : quoteSingle(query, input))(amount)
  }
}

/** The public form of what one input pays. */
export const sizeQuote = (input: Coin, quoted: EngineSizeQuote | undefined): SizeQuote => ({
  input,
  output: quoted?.expected,
  impactBps: bpsOf(quoted?.impact),
  exact: quoted?.exact,
})
