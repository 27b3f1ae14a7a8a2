import type { Book } from '../../engine/market/book.js'
import type { Market } from '../../engine/market/market.js'
import { bpsBelow, toBps } from '../../engine/math/rational.js'
import { findRoutes } from '../../engine/routing/find-routes.js'
import { graphOf } from '../../engine/routing/graph.js'
import { isSpent, type PathQuery, queryOf } from '../../engine/routing/query.js'
import type { Route } from '../../engine/routing/route.js'
import { isFailed, type LegExecutor, legExecutor } from '../../engine/splits/execute-legs.js'
import { type GivenLeg, splitAlong } from '../../engine/splits/given-legs.js'
import type { Split } from '../../engine/splits/split.js'
import { levelsOf } from '../route/explain.js'
import { rejectedDocument } from '../route/no-route.js'
import type { RejectedDocument } from '../route/route-documents.js'
import type { SplitExplanation } from './split-documents.js'

type ExplainedSplits = {
  /** Best first. */
  readonly splits: readonly Split[]
  /** The search, or of a given split only its limits. */
  readonly query: PathQuery
  readonly searched: boolean
  readonly stepPercent: number
  readonly slippageBps: number
}

/** Maximum number of unused paths in the explanation. */
const UNUSED = 5

/** Explains a split: levels consumed, the marginal output of its last steps, and the best unused paths. */
export function explainSplit(explained: ExplainedSplits): SplitExplanation {
  const { splits, stepPercent, searched, query } = explained
  const best = splits[0]!
  const step = (best.input.amount * BigInt(stepPercent)) / 100n || 1n
  const booksLeft = new Map<Book, Book>()
  const levels = best.legs.map(({ route }) => levelsOf(route.hops, booksLeft))
  const run = legExecutor(query)
  const own = ownNumbers(explained, run, best)
  const lasts = best.legs.map((_, i) =>
    isSpent(query.budget) ? undefined : lastStep(explained, run, own, i, step),
  )
  const alternatives = searched
    ? alternativesOf(explained, run, booksLeft, { best: own, step, lasts })
    : { examined: best.legs.length, unused: [], rejected: [] }
  return {
    examined: alternatives.examined,
    step: `${step}`,
    legs: best.legs.map(({ route }, i) => ({
      id: route.id,
      last_output: lasts[i] === undefined ? null : `${lasts[i].output}`,
      levels: levels[i]!,
    })),
    lost: splits.slice(1).map((split) => ({
      id: split.id,
      legs: split.legs.length,
      gap_bps: bpsBelow(split.expected, best.expected),
      impact_bps: split.impact === undefined ? null : toBps(split.impact),
    })),
    unused: alternatives.unused,
    rejected: alternatives.rejected,
  }
}

/** A split with the output that the books give, as its changes have: the contracts may pay another one. */
function ownNumbers({ query, slippageBps }: ExplainedSplits, run: LegExecutor, best: Split): Split {
  if (best.exact) return best
  const legs = best.legs.map(({ route }) => givenLeg(route, route.input.amount))
  const outcome = splitAlong(query, best.input, legs, slippageBps, undefined, run)
  return isFailed(outcome) ? best : { ...best, expected: outcome.expected }
}

const givenLeg = ({ hops }: Route, amount: bigint): GivenLeg => ({
  books: hops.map(({ book }) => book),
  amount,
})

/** The last step of a leg: its input, smaller for a leg below the step, and its marginal output. */
type LastStep = {
  readonly amount: bigint
  readonly output: bigint
  /** The legs without that step. */
  readonly without: readonly GivenLeg[]
}

function lastStep(
  { query, slippageBps }: ExplainedSplits,
  run: LegExecutor,
  { input, legs, expected }: Split,
  index: number,
  step: bigint,
): LastStep | undefined {
  const last = legs[index]!.route.input.amount
  const amount = last < step ? last : step
  const otherLegs = legs.map(({ route }, i) =>
    givenLeg(route, i === index ? last - amount : route.input.amount),
  )
  const rest = otherLegs.filter((leg) => leg.amount > 0n)
  if (rest.length === 0) return { amount, output: expected, without: rest }
  const total = { denom: input.denom, amount: input.amount - amount }
  const outcome = splitAlong(query, total, rest, slippageBps, undefined, run)
  if (isFailed(outcome)) return undefined
  return { amount, output: expected - outcome.expected, without: rest }
}

type BestWithSteps = {
  readonly best: Split
  readonly step: bigint
  readonly lasts: readonly (LastStep | undefined)[]
}

/** The marginal output of a step on unused paths, searched on the books that the split leaves. */
function alternativesOf(
  { query, slippageBps }: ExplainedSplits,
  run: LegExecutor,
  booksLeft: ReadonlyMap<Book, Book>,
  { best, step, lasts }: BestWithSteps,
): Pick<SplitExplanation, 'examined' | 'unused' | 'rejected'> {
  const { market } = query.graph
  const after = queryOf(
    graphOf({ ...market, books: booksAfter(market, booksLeft) }),
    best.input.denom,
    best.legs[0]!.route.output,
    query.limits,
    query.budget,
  )
  const usedRoutes = new Set(best.legs.map(({ route }) => route.id))
  const coin = { denom: best.input.denom, amount: step }
  const ranked = findRoutes(after, coin, UNUSED + usedRoutes.size, { slippageBps, explain: true })
  const others = ranked.routes.filter(({ id }) => !usedRoutes.has(id)).slice(0, UNUSED)
  const weakest = weakestOf(lasts)
  const trials = weakest
    ? others.flatMap((route) =>
        isSpent(query.budget) ? [] : tryPath(query, run, best, weakest, route, slippageBps),
      )
    : []
  return {
    examined: ranked.examined,
    unused: trials
      .flatMap((each) => ('gap_bps' in each ? [each] : []))
      .sort((a, b) => a.gap_bps - b.gap_bps || (a.id < b.id ? -1 : 1)),
    rejected: [
      ...ranked.rejected.map(rejectedDocument),
      ...trials.flatMap((each) => ('reason' in each ? [each] : [])),
    ],
  }
}

const booksAfter = (
  market: Market,
  booksLeft: ReadonlyMap<Book, Book>,
): ReadonlyMap<string, Book> =>
  new Map([...market.books].map(([address, book]) => [address, booksLeft.get(book) ?? book]))

/** The step with the least marginal output. */
const weakestOf = (lasts: BestWithSteps['lasts']): LastStep | undefined =>
  lasts.reduce(
    (a, b) =>
      a === undefined || (b !== undefined && b.output * a.amount < a.output * b.amount) ? b : a,
    undefined,
  )

/** The loss from moving the weakest step to a path, or why that would fail. */
function tryPath(
  query: PathQuery,
  run: LegExecutor,
  best: Split,
  weakest: LastStep,
  { id, denoms, hops }: Route,
  slippageBps: number,
): SplitExplanation['unused'][number] | RejectedDocument {
  const { books } = query.graph.market
  const path = hops.map(({ book }) => book.state.pair.address)
  const leg = { books: path.map((address) => books.get(address)!), amount: weakest.amount }
  const outcome = splitAlong(
    query,
    best.input,
    [...weakest.without, leg],
    slippageBps,
    undefined,
    run,
  )
  if (isFailed(outcome)) {
    const { refused: reason, why: detail } = outcome.refusal
    return { path, reason, detail }
  }
  const gap = bpsBelow(outcome.expected, best.expected)
  return { id, path: denoms, hops: hops.length, gap_bps: gap }
}
