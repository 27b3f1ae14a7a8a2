import type { Denom } from '../../engine/market/token.js'
import {
  type Limits,
  type PathQuery,
  queryOf,
  type WorkBudget,
  withShare,
} from '../../engine/routing/query.js'
import { findSplit, type SplitTerms } from '../../engine/splits/find-split.js'
import { gainBps, type Split } from '../../engine/splits/split.js'
import { splitFor } from '../../engine/splits/split-size.js'
import {
  contractsOf,
  type MarketView,
  NeedsWorker,
  type OperationContext,
  requireContracts,
} from '../context.js'
import { DEFAULTS } from '../defaults.js'
import { coinDocument, displayMembers, marketHead } from '../document-parts.js'
import {
  memberConflict,
  readAmounts,
  readSlippage,
  readSplitStep,
  requireNoSearch,
  requireOneAmount,
} from '../request-values.js'
import { withAutoSlippage } from '../route/auto-slippage.js'
import { applyGuards } from '../route/guards.js'
import { outputTooLarge } from '../route/no-route.js'
import { allRefused, leastCount, RAISES, raisedInput } from '../route/route.js'
import { cutMember, markCut, requestBudget } from '../route/search-budget.js'
import { readLimits, requireTokens, searchBetween } from '../route/search-request.js'
import { confirmResult, type SplitResult, verifySplits } from './confirm-split.js'
import { explainSplit } from './explain-split.js'
import { givenSplit, outputOf } from './given-legs.js'
import type { SplitAnswer, SplitRequest } from './split-documents.js'
import { noSplit, raiseMinReturn } from './split-failures.js'
import { frontierDocument, splitDocument } from './write-split.js'

/** A parsed request: defaults filled in, amounts as integers, names checked. */
type Order = {
  readonly view: MarketView
  readonly request: SplitRequest
  readonly output: Denom
  readonly amount: bigint | undefined
  readonly outputAmount: bigint | undefined
  readonly limits: Limits
  readonly terms: SplitTerms
  readonly budget: WorkBudget
}

/**
 * The best splits of one swap over several paths, executed leg after leg. With `legs` or `path`: exactly that
 * split, without benchmarks. External bodies are parsed with `readSplitRequest` first.
 */
export const sroute = (context: OperationContext, request: SplitRequest): Promise<SplitAnswer> =>
  withAutoSlippage(context, request, (fixed) => quoteSplit(context, fixed))

async function quoteSplit(context: OperationContext, request: SplitRequest): Promise<SplitAnswer> {
  checkExclusiveMembers(request)
  const { input } = request
  const { amount, outputAmount } = readAmounts(request)
  const terms: SplitTerms = {
    slippageBps: readSlippage(request.slippage_bps ?? DEFAULTS.slippageBps),
    stepPercent: readSplitStep(input.split_step ?? DEFAULTS.splitStep),
    maxLegs: request.max_legs,
    grid: request.grid ?? true,
    frontier: request.frontier ?? false,
  }
  const view = await context.openMarket()
  const { market } = view
  const output = request.output?.denom ?? outputOf(market, request)
  requireTokens(market, input.denom, output)
  const limits = await readLimits(market, request)
  if (context.inline) throw new NeedsWorker()
  const budget = requestBudget()
  const order = { view, request, output, amount, outputAmount, limits, terms, budget }
  const document = answerDocument(order, await confirmedResult(context, order))
  if (request.verify !== true) return document
  const contracts = await requireContracts(context, 'verify')
  return { ...document, verify: await verifySplits(contracts, market, document.routes) }
}

/** Refuses search options beside a given split. */
function checkExclusiveMembers(request: SplitRequest): void {
  const { output, legs, path } = request
  requireOneAmount(request)
  if (legs === undefined && path === undefined) {
    if (output !== undefined) return
    throw memberConflict(['/output'], 'is missing', 'name the token to receive')
  }
  const members = ['via', 'exclude', 'max_legs', 'grid', 'frontier'] as const
  if (legs === undefined) requireNoSearch(request, 'path', members)
  else requireNoSearch(request, 'legs', ['path', ...members])
}

/** Whether the split is given, so that nothing is searched. */
const isGiven = ({ legs, path }: SplitRequest): boolean => legs !== undefined || path !== undefined

function answerDocument(
  order: Order,
  { input, single, bound, frontier, free, ...found }: SplitResult,
): SplitAnswer {
  const { view, request, terms } = order
  const { market } = view
  const splits = applyGuards(market, request, found.splits, {
    what: 'split',
    output: order.output,
    impactOf: ({ worstImpact }) => worstImpact,
    raised: raiseMinReturn,
  })
  const reference = { best: splits[0]!, single, bound }
  const shown = splits.slice(0, request.limit ?? DEFAULTS.routes)
  const { recipient, affiliate } = request
  const onGrid = terms.grid && !isGiven(request)
  const explained = request.explain && { explain: explanationOf(order, shown) }
  return {
    ...marketHead(market),
    input: { ...coinDocument(input), ...(onGrid && { split_step: terms.stepPercent }) },
    output: { denom: order.output, ...(order.outputAmount && { amount: `${order.outputAmount}` }) },
    ...displayMembers(market, input, order.output),
    slippage_bps: terms.slippageBps,
    single_best: single ? { id: single.id, expected_output: `${single.expected}` } : null,
    routes: shown.map((split) => splitDocument(market, split, reference, { recipient, affiliate })),
    ...(free !== undefined && { free_division: freeSplit(free, reference.best) }),
    ...(frontier && { frontier: frontierDocument(frontier, reference) }),
    ...cutMember(order.budget, FOR_ALL_SPLITS),
    ...explained,
  }
}

/** Options that make a search of splits smaller. */
const FOR_ALL_SPLITS =
  'lower max_hops, max_legs or the amount, raise split_step, or leave frontier and explain out'

const freeSplit = (output: bigint, { expected }: Split) => ({
  expected_output: `${output}`,
  gain_bps: gainBps(output, expected),
})

/** Step of the explanation of a split without a grid, in percent of the input. */
const FINEST_STEP = 1

function explanationOf(
  { view, request, output, limits, terms, budget }: Order,
  splits: readonly Split[],
) {
  return explainSplit({
    splits,
    query: queryOf(view.graph, request.input.denom, output, limits, budget),
    searched: !isGiven(request),
    stepPercent: terms.grid === false ? FINEST_STEP : terms.stepPercent,
    slippageBps: terms.slippageBps,
  })
}

/** The splits of a request, confirmed by the contracts if pairs are incompletely known. */
async function confirmedResult(
  context: OperationContext,
  order: Order,
  raises = RAISES,
): Promise<SplitResult> {
  const { outputAmount } = order
  const { market } = order.view
  const computed = searchOrQuote(order)
  const contracts = contractsOf(context)
  if (contracts === undefined) return computed
  const confirmed = await confirmResult(contracts, order, computed, leastCount(context, market))
  const [best] = confirmed.splits
  if (best === undefined) throw allRefused('split', computed.splits.length)
  if (outputAmount === undefined || best.minReturn >= outputAmount) return confirmed
  const wanted = { denom: order.output, amount: outputAmount }
  const amount = raisedInput(market, computed.input.amount, wanted, best.minReturn, raises)
  return confirmedResult(context, { ...order, amount }, raises - 1)
}

function searchOrQuote(order: Order): SplitResult {
  const { view, request, output, terms, limits, budget } = order
  if (isGiven(request)) return quoteGivenLegs(order)
  const query = searchBetween(view.graph, request.input.denom, output, limits, budget)
  if (order.amount === undefined) return splitsForOutput(query, order.outputAmount!, order)
  const input = { denom: request.input.denom, amount: order.amount }
  const result = findSplit(query, input, terms)
  if (result.splits.length === 0) throw markCut(noSplit(query, input, result, terms), budget)
  return { input, ...result }
}

function quoteGivenLegs(order: Order): SplitResult {
  const { view, request, amount } = order
  const input = { denom: request.input.denom, amount: amount! }
  const split = givenSplit(view, request, { ...order, input })
  return {
    input,
    splits: [split],
    single: undefined,
    bound: undefined,
    frontier: undefined,
    free: undefined,
  }
}

/** The splits for an exact-out request; the first one's minimum is enough. */
function splitsForOutput(
  query: PathQuery,
  outputAmount: bigint,
  { request, terms }: Order,
): SplitResult {
  // Half of the budget is kept for the answer at the size found.
  const outcome = withShare(query.budget, 0.5, () =>
    splitFor(query, request.input.denom, outputAmount, terms),
  )
  if (!('split' in outcome)) {
    const { most } = outcome
    const largest = most && {
      amount: most.input.amount,
      output: most.expected,
      minReturn: most.minReturn,
    }
    throw markCut(outputTooLarge(query, outputAmount, 'split', largest), query.budget)
  }
  const { split } = outcome
  const result = findSplit(query, split.input, terms)
  const [first] = result.splits
  if (first !== undefined && first.minReturn >= outputAmount)
    return { input: split.input, ...result }
  const withFewerLegs = result.splits.filter(({ legs }) => legs.length < split.legs.length)
  return { input: split.input, ...result, splits: [split, ...withFewerLegs] }
}
