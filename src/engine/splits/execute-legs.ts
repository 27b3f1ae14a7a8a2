import { type Book, type Fill, settleBook } from '../market/book.js'
import type { Router } from '../market/market.js'
import { offerDenom } from '../market/pair.js'
import { isRefusal, type Refusal } from '../market/refusal.js'
import {
  fillPath,
  type Hop,
  hopOf,
  offerHop,
  type Payout,
  payoutOf,
  simulatePath,
} from '../market/router.js'
import { type Coin, type Denom, positiveSums } from '../market/token.js'
import type { PathQuery, WorkBudget } from '../routing/query.js'
import { gasCost } from '../routing/rank-paths.js'
import { finishRoute, type Route } from '../routing/route.js'
import type { Path } from './plan.js'

/** A leg in integers: a path and its input in atomics. */
export type LegAmount = { readonly path: Path; readonly amount: bigint }

/** A leg as it was executed: one router message. */
type ExecutedLeg = LegAmount & {
  /** The router as the leg found it. */
  readonly router: Router
  readonly hops: readonly Hop[]
  /** The recipient's amount. */
  readonly recipient: bigint
}

/** A split as the chain would execute it, leg after leg on the same books. */
export type LegExecution = {
  readonly legAmounts: readonly LegAmount[]
  readonly legs: readonly ExecutedLeg[]
  /** The recipient's total of all legs. */
  readonly total: bigint
  /** The total less what the gas of the messages costs, by which executions are compared. */
  readonly net: bigint
}

/** The first leg of a split that an execution refuses. */
export type RefusedLeg = { readonly failedAt: number; readonly refusal: Refusal }
export type FailedExecution = RefusedLeg & { readonly path: Path }

/**
 * Executes splits of one query in integers. A book that a later hop uses again is executed, so
 * that the later hop is computed on what is left of it; any other is quoted, which gives the same number
 * (docs/maths.md#laws). Results are cached by book and offer.
 */
export type LegExecutor = {
  (legAmounts: readonly LegAmount[]): LegExecution | FailedExecution
  readonly budget: WorkBudget
}

/** An executor whose cache is shared by all splits of one query. */
export function legExecutor(query: PathQuery): LegExecutor {
  const { budget, graph } = query
  const output = graph.denoms[query.to]!
  const cache: ExecutionCache = { quotes: new Map(), executions: new Map(), budget }
  const run = (legAmounts: readonly LegAmount[]): LegExecution | FailedExecution => {
    const lastUse = lastUses(legAmounts)
    const state: BooksLeft = { router: graph.market.router, left: new Map() }
    const legs: ExecutedLeg[] = []
    let total = 0n
    let net = 0n
    let before = 0
    for (const [i, legAmount] of legAmounts.entries()) {
      const { router } = state
      const first = before
      const isMetAgain = (hop: number, book: Book) => lastUse.get(book)! > first + hop
      const executed = executeLeg(query, state, legAmount, { cache, isMetAgain })
      if (isRefusal(executed)) return { failedAt: i, path: legAmount.path, refusal: executed }
      const { recipient, hops } = executed
      legs.push({ router, hops, recipient, ...legAmount })
      total += recipient
      net += recipient - gasCost(graph, output, hops)
      before += legAmount.path.length
    }
    return { legAmounts, legs, total, net }
  }
  return Object.assign(run, { budget })
}

/** Results by the book before the hop, and by its offer. */
type AmountCache<T> = Map<Book, Map<Denom, Map<bigint, T>>>

type ExecutionCache = {
  readonly quotes: AmountCache<Hop | Refusal>
  readonly executions: AmountCache<ExecutedHop | Refusal>
  readonly budget: WorkBudget
}

type ExecutedHop = { readonly hop: Hop; readonly after: Book }

/** The router, and the books changed by legs, by their originals. */
type BooksLeft = { router: Router; readonly left: Map<Book, Book> }

/** The last hop of each book, counted over all legs. */
function lastUses(legAmounts: readonly LegAmount[]): ReadonlyMap<Book, number> {
  const last = new Map<Book, number>()
  let hop = 0
  for (const { path } of legAmounts)
    for (const { book } of path) {
      last.set(book, hop)
      hop += 1
    }
  return last
}

function executeLeg(
  { graph, from, to, limits }: PathQuery,
  state: BooksLeft,
  { path, amount }: LegAmount,
  {
    cache,
    isMetAgain,
  }: {
    readonly cache: ExecutionCache
    readonly isMetAgain: (hop: number, book: Book) => boolean
  },
): (Payout & { readonly hops: readonly Hop[] }) | Refusal {
  cache.budget.spent += path.length * HOP
  const books = path.map(({ book }) => book)
  const coin = { denom: graph.denoms[from]!, amount }
  const filled = fillPath(state.router, books, coin, (i, original, offer) => {
    const book = state.left.get(original) ?? original
    const isUntouched = book === original
    return isMetAgain(i, original)
      ? replaceBook(state, original, executeHop(cache, book, offer, isUntouched))
      : quoteHop(cache, book, offer, isUntouched)
  })
  if (isRefusal(filled)) return filled
  const output = graph.denoms[to]!
  const gross = filled.held.get(output)!
  const payout = payoutOf(state.router, gross, limits.affiliate)
  if (isRefusal(payout)) return payout
  if (state.router.balances.size > 0) {
    const balances = new Map(filled.held)
    balances.delete(output)
    state.router = { ...state.router, balances: positiveSums(balances) }
  }
  return { hops: filled.hops, ...payout }
}

/** Replaces the book by its state after an execution. */
function replaceBook(
  { left }: BooksLeft,
  book: Book,
  outcome: ExecutedHop | Refusal,
): Hop | Refusal {
  if (isRefusal(outcome)) return outcome
  left.set(book, outcome.after)
  return outcome.hop
}

/** Units of work of each hop of a leg. */
const HOP = 1.5
/** Units of work of a hop that is quoted. */
const QUOTE = 2
/** Units of work of a hop that is executed. */
const EXECUTION = 20
/** Units of work of each level that is computed for a hop. */
const LEVEL = 0.8

const quoteHop = (
  cache: ExecutionCache,
  book: Book,
  offer: Coin,
  isUntouched: boolean,
): Hop | Refusal =>
  memoized(cache.quotes, book, offer, () => {
    const hop = offerHop(book, offer)
    cache.budget.spent += QUOTE + (isRefusal(hop) ? 0 : levelWork(hop.fill, isUntouched))
    return hop
  })

/** Levels of a book that legs have changed are computed for this request alone. */
const levelWork = ({ groups }: Fill, isUntouched: boolean): number =>
  isUntouched ? 0 : groups * LEVEL

const executeHop = (
  cache: ExecutionCache,
  book: Book,
  offer: Coin,
  isUntouched: boolean,
): ExecutedHop | Refusal =>
  memoized(cache.executions, book, offer, () => {
    const fill = settleBook(book, offer)
    cache.budget.spent += EXECUTION
    if (isRefusal(fill)) {
      // A failing quote gives the reason in the same words as for a route.
      const hop = quoteHop(cache, book, offer, isUntouched)
      return isRefusal(hop) ? hop : fill
    }
    cache.budget.spent += levelWork(fill, isUntouched)
    return { hop: hopOf(book, offer, fill), after: fill.after }
  })

function memoized<T>(
  memory: AmountCache<T>,
  book: Book,
  { denom, amount }: Coin,
  compute: () => T,
): T {
  let sides = memory.get(book)
  if (sides === undefined) memory.set(book, (sides = new Map()))
  let amounts = sides.get(denom)
  if (amounts === undefined) sides.set(denom, (amounts = new Map()))
  let result = amounts.get(amount)
  if (result === undefined) amounts.set(amount, (result = compute()))
  return result
}

export const isFailed = (outcome: object): outcome is RefusedLeg => 'failedAt' in outcome

/** One router message of a sequence, as it was executed. */
export type ExecutedMessage = {
  /** The router as the message found it. */
  readonly router: Router
  readonly fills: readonly Fill[]
  /** Whether nothing was executed before it. */
  readonly isFirst: boolean
}

/**
 * A message of a sequence as a route. Prices and depth are those of the untouched books, fills and
 * amounts those of the sequence; `simulated` is what `simulate` answers for the message alone.
 */
export function executedRoute(
  { graph: { market }, limits }: Pick<PathQuery, 'graph' | 'limits'>,
  books: readonly Book[],
  input: Coin,
  { router, fills, isFirst }: ExecutedMessage,
  slippageBps: number,
): Route {
  const hops = books.map((book, i): Hop => {
    const fill = fills[i]!
    const denom = offerDenom(book.state.pair, fill.side)
    return hopOf(book, { denom, amount: fill.sold + fill.unsold }, fill)
  })
  const route = finishRoute({ ...market, router }, input, hops, { limits, slippageBps })
  if (isFirst) return route
  const simulated = simulatePath(market.router, books, input)
  return { ...route, simulated: isRefusal(simulated) ? undefined : simulated.returned }
}
