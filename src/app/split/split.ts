import type { Market } from '../../market/market.js'
import type { Coin, Denom } from '../../market/token.js'
import type { Limits, Query } from '../../routing/query.js'
import type { Route } from '../../routing/route.js'
import { type Frontier, findSplit, type SplitTerms } from '../../routing/split/find.js'
import { splitFor } from '../../routing/split/size.js'
import type { Split } from '../../routing/split/split.js'
import { readAmount } from '../amount.js'
import { type App, Postponed, type Venue } from '../app.js'
import { coinDocument, type MarketHead, marketHead } from '../document.js'
import { readSlippage } from '../route.js'
import {
  type FrontierDocument,
  frontierDocument,
  type SplitDocument,
  splitDocument,
} from './document.js'
import { givenSplit, outputOf } from './given.js'
import { guardedSplits } from './guards.js'
import { noSplit, tooMuchToReceive } from './no-split.js'
import { clash, readLimits, requireTokens, searchBetween } from './order.js'
import type { SplitRequest } from './request.js'
import { readSplitStep } from './split-step.js'

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
}

const DEFAULT_SLIPPAGE = 50
const DEFAULT_STEP = 5
const DEFAULT_COUNT = 5

/** Divisions that were found or given, and what they are measured against. */
type Found = {
  readonly input: Coin
  readonly splits: readonly Split[]
  readonly single: Route | undefined
  readonly bound: bigint | undefined
  readonly frontier: Frontier | undefined
}

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
  return answer({ venue, request, output, amount, wanted, limits, terms })
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

function answer(order: Order): SplitAnswer {
  const { venue, request, terms } = order
  const { market } = venue
  const { input, splits: found, single, bound, frontier } = divided(order)
  const splits = guardedSplits(market, request, found)
  const yardstick = { best: splits[0]!, single, bound }
  const { recipient, affiliate } = request
  const onGrid = terms.grid && request.legs === undefined && request.path === undefined
  return {
    ...marketHead(market),
    input: { ...coinDocument(input), ...(onGrid && { split_step: terms.stepPercent }) },
    output: { denom: order.output, ...(order.wanted && { amount: `${order.wanted}` }) },
    slippage_bps: terms.slippageBps,
    single_best: single ? { id: single.id, expected_output: `${single.expected}` } : null,
    routes: splits
      .slice(0, request.limit ?? DEFAULT_COUNT)
      .map((split) => splitDocument(market, split, yardstick, { recipient, affiliate })),
    ...(frontier && { frontier: frontierDocument(frontier, yardstick) }),
  }
}

function divided(order: Order): Found {
  const { venue, request, output, terms, limits } = order
  if (request.legs !== undefined || request.path !== undefined)
    return asGiven(venue.market, order, order.amount!)
  const query = searchBetween(venue.graph, request.input.denom, output, limits)
  if (order.wanted !== undefined) return enoughFor(query, order.wanted, order)
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
function enoughFor(query: Query, wanted: bigint, { request, terms }: Order): Found {
  const outcome = splitFor(query, request.input.denom, wanted, terms)
  if (!('split' in outcome)) throw tooMuchToReceive(query, wanted, outcome.most)
  const { split } = outcome
  const found = findSplit(query, split.input, terms)
  const [first] = found.splits
  if (first !== undefined && first.minReturn >= wanted) return { input: split.input, ...found }
  const fewer = found.splits.filter(({ legs }) => legs.length < split.legs.length)
  return { input: split.input, ...found, splits: [split, ...fewer] }
}
