import { isSpent, type PathQuery, withShare } from '../routing/query.js'
import { type RankedPath, rankPaths } from '../routing/rank-paths.js'
import { bestPaths } from './best-paths.js'
import { bestFlow, type Flow, paidBy } from './flow.js'
import { flowLegs, type Leg, layeredLegs } from './flow-legs.js'
import { bestPair } from './local-search/best-pair.js'
import { withFewerLegs } from './local-search/fewer-legs.js'
import { greedyPlan, improve, type ScoredPlan } from './local-search/improve.js'
import { hopLimited, type LayeredFlow } from './optimum/hop-limited.js'
import { type Grid, type Path, type Plan, pathKey } from './plan.js'
import { type ResidualNetwork, residualNetwork } from './residual-network.js'

/**
 * Paths that the greedy search chooses from, beside those of the continuous optimum. 40 gains 0.13 bps of one order
 * in 2,400; 16 loses 0.16 bps of one more, and 6 up to 500 bps on one generated market in fifty.
 */
const RIVALS = 24

/**
 * Paths that a local search may add, beside those of the continuous optimum. 0 loses up to 470 bps
 * on generated markets.
 */
const SPARE = 6

/** A continuous optimum within the hop limit. */
type Optimum = {
  /** Its legs that are within the other limits as well. */
  readonly legs: readonly Leg[]
  /** Whether these are all of it. */
  readonly complete: boolean
  /** What all of it pays, before the router's fees. */
  readonly paid: number
}

/**
 * With more hops than this a walk has room for a loop beside a path, which no leg can take: an optimum that
 * counts such loops is a poor start.
 */
const LOOPLESS = 4

/** State shared by all searches for splits of one amount. */
export type SearchContext = {
  readonly query: PathQuery
  readonly amount: bigint
  readonly network: ResidualNetwork
  readonly flow: Flow
  /** The legs of the flow that are within the limits, the largest first. */
  readonly legs: readonly Leg[]
  /** Whether these are the continuous optimum. */
  readonly isOptimal: boolean
  /** Whether all of the input finds a place without limits. */
  readonly fits: boolean
  /** The continuous optimum within the hop limit, computed on first use. */
  readonly limited: () => LayeredFlow | undefined
  /** The same in legs; none where not all of the input finds a place. */
  readonly optimum: () => Optimum | undefined
  /** The legs of the optimum over at most `LOOPLESS` hops; none where the hop limit is not above that. */
  readonly loopless: () => readonly Leg[]
  readonly single: RankedPath | undefined
}

/** Share of the rest of a budget for the best single path. */
const RANKED = 0.5

/**
 * Prepares the search for splits of one amount: network, continuous optimum and best single
 * path.
 */
export function searchContext(query: PathQuery, amount: bigint): SearchContext {
  const [single] = withShare(query.budget, RANKED, () => rankPaths(query, amount, 1)).found
  const network = residualNetwork(query)
  const flow = bestFlow(network, Number(amount))
  const placed = flowLegs(network, flow)
  const legs = placed.filter(({ path }) => isWithinLimits(query, path))
  const isOptimal =
    !flow.metLoop && legs.length === placed.length && flow.sold >= Number(amount) * (1 - 1e-9)
  const fits = flow.sold >= Number(amount) * (1 - 1e-6)
  const layeredOn = (on: ResidualNetwork) =>
    fits ? hopLimited(on, flow, Number(amount)) : undefined
  const limited = memoized(() => layeredOn(network))
  const divided = (on: ResidualNetwork, layered: LayeredFlow | undefined): Optimum | undefined => {
    if (layered === undefined) return undefined
    const all = layeredLegs(on, layered)
    const within = all.filter(({ path }) => isWithinLimits(query, path))
    return { legs: within, complete: within.length === all.length, paid: layered.paid }
  }
  const optimum = memoized((): Optimum | undefined => {
    if (isOptimal) return { legs, complete: true, paid: paidBy(network, flow) }
    return divided(network, limited())
  })
  const loopless = memoized((): readonly Leg[] => {
    if (query.limits.maxHops <= LOOPLESS) return []
    const limits = { ...query.limits, maxHops: LOOPLESS }
    const nearer = { ...network, query: { ...query, limits } }
    return divided(nearer, layeredOn(nearer))?.legs ?? []
  })
  return { query, amount, network, flow, legs, isOptimal, fits, limited, optimum, loopless, single }
}

function memoized<T>(compute: () => T): () => T {
  let computed: readonly [T] | undefined
  return () => (computed ??= [compute()])[0]
}

/** Whether a path is within the hop limit and passes every required denom and pair. */
const isWithinLimits = (query: PathQuery, path: Path): boolean =>
  path.length <= query.limits.maxHops && query.isComplete(path)

/** The plan that sends everything along the best single path. */
export function singlePlan({ network, single }: SearchContext, grid: Grid): Plan | undefined {
  const path = single?.edges.map(({ book, side }) =>
    network.edges.find((edge) => edge.book === book && edge.side === side),
  )
  return path?.every((edge) => edge !== undefined) ? [{ path, units: grid.count }] : undefined
}

/**
 * A plan within this relative distance of the continuous optimum ends the search. 1e-3 changes no
 * answer of the measured set by more than 0.001 bps; searching always gains at most 0.005 bps.
 */
const CLOSE = 1e-6

/**
 * From this relative distance to the optimum on, a search that starts from a coarse grid is added.
 * Adding it always gains 0.07 bps of one demo order in 25.
 */
export const FAR = 2e-4

/**
 * The best plans found with at most `mostLegs` legs, one fewer, ... 1, computed in floats: starting from the
 * continuous optimum rounded to the grid, and where that ends below what could be paid, from the best
 * paths of the market filled greedily; fewer legs by `withFewerLegs`. `excludedPaths`, which an execution
 * refused, are left out.
 */
export function* plansByLegs(
  context: SearchContext,
  grid: Grid,
  mostLegs: number,
  excludedPaths: readonly Path[] = [],
): Generator<ScoredPlan> {
  const { network, flow } = context
  const { budget } = context.query
  const excludedKeys = new Set(excludedPaths.map(pathKey))
  const isOpen = (path: Path) => !excludedKeys.has(pathKey(path))
  const open = (legs: readonly Leg[]) => legs.filter(({ path }) => isOpen(path))
  const optimum = context.optimum()
  const legs = open(optimum?.legs ?? context.legs)
  const optimal = legs.map(({ path }) => path)
  const rivals = memoized(() =>
    bestPaths(network, grid.unit, RIVALS + excludedPaths.length).filter(isOpen),
  )
  const spare = memoized(() => distinct([...optimal, ...rivals().slice(0, SPARE)]))
  const search = (start: Plan | undefined, most: number): ScoredPlan | undefined =>
    start && start.length <= most ? improve(network, grid, start, spare(), most) : undefined
  const most = Math.min(mostLegs, grid.count)
  const isBelow = (value: ScoredPlan | undefined, share: number) =>
    !(value && optimum && value.value >= optimum.paid * (1 - share))
  const searchFewer = (start: Plan | undefined) =>
    search(start && withFewerLegs(network, grid, start, most), most)
  const singleBest = singlePlan(context, grid)
  const single = singleBest && isOpen(singleBest[0]!.path) ? singleBest : undefined
  const rounded = roundedPlan(legs, grid)
  let best = searchFewer(rounded)
  if (isBelow(best, CLOSE)) {
    const paths = distinct([...rivals(), ...optimal])
    // Where loops pay, what the flow placed is another start.
    const placed = flow.metLoop ? roundedPlan(open(context.legs), grid) : undefined
    best = bestOf([
      best,
      search(greedyPlan(network, paths, grid, most), most),
      search(single, most),
      searchFewer(placed),
    ])
    if (isBelow(best, FAR))
      best = bestOf([
        best,
        search(coarsePlan(network, paths, spare(), grid, most), most),
        search(greedyPlan(network, optimal, grid, most), most),
        most > 1 ? search(bestPair(network, grid, paths), most) : undefined,
        searchFewer(roundedPlan(open(context.loopless()), grid)),
      ])
  }
  if (best !== undefined) yield best
  // A plan that does not work with so many legs does not with fewer.
  for (let count = most - 1; count >= 1 && isProfitable(best) && !isSpent(budget); count -= 1) {
    if (best.plan.length > count)
      best = search(withFewerLegs(network, grid, best.plan, count), count)
    if (count === 1) best = bestOf([best, search(single, count)])
    if (best !== undefined) yield best
  }
}

/** Paths beside those of the continuous optimum where shares may have any size. */
const FREE_RIVALS = 12
/** The share of the input for which these paths are ranked. */
const FREE_SHARE = 0.02

/**
 * A split on a very fine grid where the continuous optimum is not within the limits: what it has
 * within them, and the best split of a coarse grid, each improved by small moves.
 */
export function fineGridPlan(
  context: SearchContext,
  grid: Grid,
  coarse: Plan | undefined,
  mostLegs: number,
): Plan | undefined {
  const { network, legs, amount } = context
  const rivals = bestPaths(network, Number(amount) * FREE_SHARE, FREE_RIVALS)
  const spare = distinct([...legs.map(({ path }) => path), ...rivals])
  const units = coarse?.reduce((sum, share) => sum + share.units, 0) ?? 1
  const each = Math.floor(grid.count / units)
  const rest = grid.count % units
  const scaled = coarse?.map((share, i) => ({
    path: share.path,
    units: share.units * each + (i === 0 ? rest : 0),
  }))
  const starts = [roundedPlan(legs, grid), scaled].filter(
    (start) => start !== undefined && start.length <= mostLegs,
  )
  const widest = Math.ceil(grid.count / 64)
  return bestOf(starts.map((start) => improve(network, grid, start!, spare, mostLegs, widest)))
    ?.plan
}

/**
 * The least units of a grid that is first searched on a coarser one. Measured at steps of 1 %: this changes no answer
 * of 25 demo orders.
 */
const FINE_UNITS = 50
/** Units of the grid in one of the coarser grid. */
const COARSENESS = 5

/** The best plan of a coarse grid as a start on a fine one: large moves find what small ones pass by. */
function coarsePlan(
  network: ResidualNetwork,
  paths: readonly Path[],
  spare: readonly Path[],
  grid: Grid,
  most: number,
): Plan | undefined {
  if (grid.count < FINE_UNITS || grid.count % COARSENESS !== 0) return undefined
  const coarse = { ...grid, count: grid.count / COARSENESS, unit: grid.unit * COARSENESS }
  const start = greedyPlan(network, paths, coarse, most)
  return (
    start &&
    improve(network, coarse, start, spare, most).plan.map(({ path, units }) => ({
      path,
      units: units * COARSENESS,
    }))
  )
}

const bestOf = (plans: readonly (ScoredPlan | undefined)[]): ScoredPlan | undefined =>
  plans.reduce((a, b) => (b && (a === undefined || b.value > a.value) ? b : a), undefined)

const isProfitable = (plan: ScoredPlan | undefined): plan is ScoredPlan =>
  plan !== undefined && plan.value > 0

/** Shares of the legs in units, by the largest remainder. */
function roundedPlan(legs: readonly Leg[], grid: Grid): Plan | undefined {
  const total = legs.reduce((sum, { amount }) => sum + amount, 0)
  if (!(total > 0)) return undefined
  const shares = legs.map(({ path, amount }) => {
    const exact = (amount / total) * grid.count
    return { path, units: Math.floor(exact), rest: exact - Math.floor(exact) }
  })
  let missing = grid.count - shares.reduce((sum, { units }) => sum + units, 0)
  for (const share of [...shares].sort((a, b) => b.rest - a.rest))
    if (missing > 0) {
      share.units += 1
      missing -= 1
    }
  return shares.filter(({ units }) => units > 0).map(({ path, units }) => ({ path, units }))
}

/** Paths without duplicates; two paths over the same edges are equal. */
export function distinct(paths: readonly Path[]): readonly Path[] {
  const byKey = new Map<string, Path>()
  for (const path of paths) {
    const key = pathKey(path)
    if (!byKey.has(key)) byKey.set(key, path)
  }
  return [...byKey.values()]
}
