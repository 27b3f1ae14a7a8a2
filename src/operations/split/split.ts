import { SwapError } from '../../engine/errors.js'
import type { Market } from '../../engine/market/market.js'
import type { Denom } from '../../engine/market/token.js'
import { type Limits, type PathQuery, queryOf } from '../../engine/routing/query.js'
import { findSplit, type SplitTerms } from '../../engine/splits/find-split.js'
import type { Split } from '../../engine/splits/split.js'
import { splitFor } from '../../engine/splits/split-size.js'
import { readAmount } from '../amount.js'
import { type App, Postponed, type Venue } from '../context.js'
import { contractsOf, requireContracts } from '../require-chain.js'
import { paysTooLittle, raisedInput, readSlippage } from '../route/route.js'
import { coinDocument, type MarketHead, marketHead } from '../route-document.js'
import { explainSplit, type SplitExplanation } from './explain-split.js'
import { confirmedFound, type Found, isExact } from './find-split.js'
import { givenSplit, outputOf } from './given-legs.js'
import { noSplit, tooMuchToReceive } from './no-split.js'
import { clash, readLimits, requireTokens, searchBetween } from './read-request.js'
import {
  type FrontierDocument,
  frontierDocument,
  type SplitDocument,
  splitDocument,
} from './split-document.js'
import { guardedSplits } from './split-guards.js'
import type { SplitRequest } from './split-request.js'
import { readSplitStep } from './split-step.js'
import { type SplitVerification, verifySplits } from './verify-split.js'

/** The answer of `POST /swap/sroute` and of `swap sroute --json`. */
export type SplitAnswer = MarketHead & {
  /** `split_step` where shares are multiples of it. */
  readonly input: { readonly denom: string; readonly amount: string; readonly split_step?: number }
  readonly output: { readonly denom: string; readonly amount?: string }
  readonly slippage_bps: number
  /** The best path for the whole input; `null` where none takes it all or none was looked for. */
  readonly single_best: { readonly id: string; readonly expected_output: string } | null
  readonly routes: readonly SplitDocument[]
  readonly frontier?: FrontierDocument
  readonly explain?: SplitExplanation
  readonly verify?: SplitVerification
}

const DEFAULT_SLIPPAGE = 50
const DEFAULT_STEP = 5
const DEFAULT_COUNT = 5

/** A request that has been read: defaults filled in, amounts as integers, names checked. */
type Order = {
  readonly venue: Venue
  readonly request: SplitRequest
  readonly output: Denom
  readonly amount: bigint | undefined
  readonly wanted: bigint | undefined
  readonly limits: Limits
  readonly terms: SplitTerms
}

/**
 * The best ways to divide one swap over several paths, executed leg after leg. With `legs` or `path`:
 * exactly that division, measured against nothing. A body from outside goes through
 * `readSplitRequest` first.
 */
export async function sroute(app: App, request: SplitRequest): Promise<SplitAnswer> {
  refuseClashes(request)
  const { input } = request
  const amount = input.amount === undefined ? undefined : readAmount(input.amount, '/input/amount')
  const wanted =
    request.output?.amount === undefined
      ? undefined
      : readAmount(request.output.amount, '/output/amount')
  const terms: SplitTerms = {
    slippageBps: readSlippage(request.slippage_bps ?? DEFAULT_SLIPPAGE),
    stepPercent: readSplitStep(input.split_step ?? DEFAULT_STEP),
    maxLegs: request.max_legs,
    grid: request.grid ?? true,
    frontier: request.frontier ?? false,
  }
  const venue = await app.venue()
  const { market } = venue
  const output = request.output?.denom ?? outputOf(market, request)
  requireTokens(market, input.denom, output)
  const limits = await readLimits(market, request)
  if (app.hasty) throw new Postponed()
  const order = { venue, request, output, amount, wanted, limits, terms }
  const given = answer(order, await found(app, order))
  if (request.verify !== true) return given
  const contracts = await requireContracts(app, 'verify')
  return { ...given, verify: await verifySplits(contracts, market, given.routes) }
}

/** What is quoted as it was given leaves nothing to search. */
function refuseClashes(request: SplitRequest): void {
  const { input, output, legs, path } = request
  if ((input.amount === undefined) === (output?.amount === undefined))
    throw clash(
      ['/input/amount', '/output/amount'],
      'exactly one of the two must be given',
      'one says how much to sell, the other how much to receive: leave one of them out',
    )
  if (legs === undefined && path === undefined) {
    if (output !== undefined) return
    throw clash(['/output'], 'is missing', 'name the token to receive')
  }
  const given = legs ? '/legs' : '/path'
  const others = [
    ...(['path', 'via', 'exclude', 'max_legs', 'grid', 'frontier'] as const)
      .filter((name) => request[name] !== undefined && given !== `/${name}`)
      .map((name) => `/${name}`),
    ...(input.split_step === undefined ? [] : ['/input/split_step']),
    ...(output?.amount === undefined ? [] : ['/output/amount']),
  ]
  if (others.length > 0)
    throw clash(
      [given, ...others],
      'nothing is searched where the division is given',
      `leave ${given.slice(1)} out to search, or the others to quote it`,
    )
}

/** Whether the division is given, so that nothing is searched. */
const isGiven = ({ legs, path }: SplitRequest): boolean => legs !== undefined || path !== undefined

function answer(order: Order, { input, single, bound, frontier, ...found }: Found): SplitAnswer {
  const { venue, request, terms } = order
  const { market } = venue
  const splits = guardedSplits(market, request, found.splits)
  const yardstick = { best: splits[0]!, single, bound }
  const shown = splits.slice(0, request.limit ?? DEFAULT_COUNT)
  const { recipient, affiliate } = request
  const onGrid = terms.grid && !isGiven(request)
  return {
    ...marketHead(market),
    input: { ...coinDocument(input), ...(onGrid && { split_step: terms.stepPercent }) },
    output: { denom: order.output, ...(order.wanted && { amount: `${order.wanted}` }) },
    slippage_bps: terms.slippageBps,
    single_best: single ? { id: single.id, expected_output: `${single.expected}` } : null,
    routes: shown.map((split) => splitDocument(market, split, yardstick, { recipient, affiliate })),
    ...(frontier && { frontier: frontierDocument(frontier, yardstick) }),
    ...(request.explain && { explain: explained(order, shown) }),
  }
}

/** Percent of the input by which a division without a grid is explained. */
const FINEST_STEP = 1

function explained({ venue, request, output, limits, terms }: Order, splits: readonly Split[]) {
  return explainSplit({
    market: venue.market,
    splits,
    query: queryOf(venue.graph, request.input.denom, output, limits),
    searched: !isGiven(request),
    stepPercent: terms.grid === false ? FINEST_STEP : terms.stepPercent,
    slippageBps: terms.slippageBps,
  })
}

/** How often an input that turns out to pay too little is raised. */
const RAISES = 3

/** The divisions of a request; those over pairs of which too little is known have the contracts' numbers. */
async function found(app: App, order: Order, raises = RAISES): Promise<Found> {
  const { venue, limits, terms, wanted } = order
  const ours = divided(order)
  const contracts = contractsOf(app)
  if (contracts === undefined || isExact(ours)) return ours
  const { slippageBps } = terms
  const theirs = await confirmedFound(await contracts(), venue.market, ours, {
    limits,
    slippageBps,
  })
  const [best] = theirs.splits
  if (best === undefined) throw unconfirmed(ours.splits.length)
  if (wanted === undefined || best.minReturn >= wanted) return theirs
  if (raises === 0) throw paysTooLittle(wanted, best.minReturn)
  const amount = raisedInput(ours.input.amount, wanted, best.minReturn)
  return found(app, { ...order, amount }, raises - 1)
}

const unconfirmed = (count: number): SwapError =>
  new SwapError('NO_ROUTE', 'the contracts refuse every division that was found', {
    why: `${count} were found from incomplete books, and no pair simulates its part of them`,
    hint: 'try a smaller amount, or leave the pairs out: --exclude',
    members: { rejected: [] },
  })

function divided(order: Order): Found {
  const { venue, request, output, terms, limits } = order
  if (isGiven(request)) return asGiven(venue.market, order, order.amount!)
  const query = searchBetween(venue.graph, request.input.denom, output, limits)
  if (order.amount === undefined) return enoughFor(query, order.wanted!, order)
  const input = { denom: request.input.denom, amount: order.amount! }
  const found = findSplit(query, input, terms)
  if (found.splits.length === 0) throw noSplit(query, input, terms)
  return { input, ...found }
}

function asGiven(market: Market, { venue, request, output, ...order }: Order, amount: bigint) {
  const input = { denom: request.input.denom, amount }
  const split = givenSplit({ market, graph: venue.graph }, request, { ...order, input, output })
  return { input, splits: [split], single: undefined, bound: undefined, frontier: undefined }
}

/** The divisions of the input of an exact-out request; the first one demands enough. */
function enoughFor(query: PathQuery, wanted: bigint, { request, terms }: Order): Found {
  const outcome = splitFor(query, request.input.denom, wanted, terms)
  if (!('split' in outcome)) throw tooMuchToReceive(query, wanted, outcome.most)
  const { split } = outcome
  const found = findSplit(query, split.input, terms)
  const [first] = found.splits
  if (first !== undefined && first.minReturn >= wanted) return { input: split.input, ...found }
  const fewer = found.splits.filter(({ legs }) => legs.length < split.legs.length)
  return { input: split.input, ...found, splits: [split, ...fewer] }
}
