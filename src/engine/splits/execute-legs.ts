import { type Book, type Execution, executeBook, type Fill } from '../market/book.js'
import type { Router } from '../market/market.js'
import { isRefusal, type Refusal, refusal } from '../market/refusal.js'
import { type Hop, type Payout, payoutOf, quoteHop } from '../market/router.js'
import type { Coin, Denom } from '../market/token.js'
import type { Edge } from '../routing/graph.js'
import type { PathQuery } from '../routing/query.js'
import type { Path } from './plan.js'

/** A leg in integers: a path and its input in atomics. */
export type LegAmount = { readonly path: Path; readonly amount: bigint }

/** A leg as it was executed: one router message. */
export type ExecutedLeg = LegAmount & {
  /** The router as the leg found it. */
  readonly router: Router
  readonly fills: readonly Fill[]
  /** What the recipient gets. */
  readonly recipient: bigint
}

/** A division as the chain would execute it, leg after leg on the same books. */
export type LegExecution = {
  readonly legAmounts: readonly LegAmount[]
  readonly legs: readonly ExecutedLeg[]
  /** What the recipient gets of all legs together. */
  readonly total: bigint
}

/** The first leg of a division that an execution refuses. */
export type FailedExecution = {
  readonly failedAt: number
  readonly path: Path
  readonly refusal: Refusal
}

/**
 * Executes divisions of one query in integers. A book that a later leg uses again is executed, so
 * that the leg meets what is left of it; any other is quoted, which gives the same number
 * (docs/maths.md#laws). Results are cached by book and offer.
 */
export type LegExecutor = (legAmounts: readonly LegAmount[]) => LegExecution | FailedExecution

/** An executor whose cache is shared by all divisions of one query. */
export function legExecutor(query: PathQuery): LegExecutor {
  const known: ExecutionCache = { quotes: new Map(), executions: new Map() }
  return (legAmounts) => {
    const lastLeg = lastLegs(legAmounts)
    const world: BooksLeft = { router: query.graph.market.router, left: new Map() }
    const legs: ExecutedLeg[] = []
    let total = 0n
    for (const [i, legAmount] of legAmounts.entries()) {
      const { router } = world
      const isMetAgain = ({ book }: Edge) => lastLeg.get(book)! > i
      const done = executeLeg(query, world, legAmount, { known, isMetAgain })
      if (isRefusal(done)) return { failedAt: i, path: legAmount.path, refusal: done }
      legs.push({ ...legAmount, router, fills: done.fills, recipient: done.recipient })
      total += done.recipient
    }
    return { legAmounts, legs, total }
  }
}

/** Results by the book as a leg meets it, and by what it is offered. */
type AmountCache<T> = Map<Book, Map<Denom, Map<bigint, T>>>

type ExecutionCache = {
  readonly quotes: AmountCache<Hop | Refusal>
  readonly executions: AmountCache<ExecutedHop | Refusal>
}

/** An executed hop. */
type ExecutedHop = { readonly hop: Hop; readonly after: Book }

/** The router, and the books that legs have left behind, by those they were. */
type BooksLeft = { router: Router; readonly left: Map<Book, Book> }

function lastLegs(legAmounts: readonly LegAmount[]): ReadonlyMap<Book, number> {
  const last = new Map<Book, number>()
  for (const [i, { path }] of legAmounts.entries()) for (const { book } of path) last.set(book, i)
  return last
}

function executeLeg(
  { graph, from, to, limits }: PathQuery,
  world: BooksLeft,
  { path, amount }: LegAmount,
  {
    known,
    isMetAgain,
  }: { readonly known: ExecutionCache; readonly isMetAgain: (edge: Edge) => boolean },
): (Payout & { readonly fills: readonly Fill[] }) | Refusal {
  const held = new Map(world.router.balances)
  const taken = (denom: Denom): bigint => {
    const rest = held.get(denom) ?? 0n
    held.delete(denom)
    return rest
  }
  const fills: Fill[] = []
  let coin: Coin = { denom: graph.denoms[from]!, amount }
  for (const edge of path) {
    const offer = { denom: coin.denom, amount: coin.amount + taken(coin.denom) }
    const book = world.left.get(edge.book) ?? edge.book
    const hop = isMetAgain(edge)
      ? replaceBook(world, edge.book, executed(known, book, offer))
      : quoted(known, book, offer)
    if (isRefusal(hop)) return hop
    fills.push(hop.fill)
    coin = hop.output
  }
  const division = payoutOf(world.router, coin.amount + taken(graph.denoms[to]!), limits.affiliate)
  if (isRefusal(division)) return division
  if (division.recipient === 0n)
    return refusal('empty_maker_message', 'the output is zero and a payment of nothing fails')
  if (held.size < world.router.balances.size) world.router = { ...world.router, balances: held }
  return { ...division, fills }
}

/** Puts what an execution leaves in the place of the book. */
function replaceBook({ left }: BooksLeft, book: Book, met: ExecutedHop | Refusal): Hop | Refusal {
  if (isRefusal(met)) return met
  left.set(book, met.after)
  return met.hop
}

const quoted = (known: ExecutionCache, book: Book, offer: Coin): Hop | Refusal =>
  once(known.quotes, book, offer, () => quoteHop(book, offer))

const executed = (known: ExecutionCache, book: Book, offer: Coin): ExecutedHop | Refusal =>
  once(known.executions, book, offer, () => {
    // Quoting first gives the reason of a failing hop, in the words of a route.
    const hop = quoted(known, book, offer)
    if (isRefusal(hop)) return hop
    const done: Execution | Refusal = executeBook(book, offer)
    if (isRefusal(done)) return done
    return { hop: { ...hop, fill: done }, after: done.after }
  })

function once<T>(memory: AmountCache<T>, book: Book, { denom, amount }: Coin, compute: () => T): T {
  let sides = memory.get(book)
  if (sides === undefined) memory.set(book, (sides = new Map()))
  let amounts = sides.get(denom)
  if (amounts === undefined) sides.set(denom, (amounts = new Map()))
  let result = amounts.get(amount)
  if (result === undefined) amounts.set(amount, (result = compute()))
  return result
}

export const isFailed = (outcome: object): outcome is FailedExecution => 'failedAt' in outcome
