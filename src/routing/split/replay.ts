import type { Book } from '../../market/book.js'
import { isRefusal, type Refusal, refusal } from '../../market/refusal.js'
import { executePath, type PathExecution, type World } from '../../market/router.js'
import type { Query } from '../query.js'
import type { Way } from './plan.js'

/** A leg in integers. */
export type Portion = { readonly way: Way; readonly amount: bigint }

/** A leg as it was executed, with the world that it found. */
export type Executed = Portion & { readonly before: World; readonly execution: PathExecution }

/** A division as the chain would execute it: leg after leg, on the same books. */
export type Replay = {
  readonly portions: readonly Portion[]
  readonly legs: readonly Executed[]
  /** What the recipient gets of all legs together. */
  readonly total: bigint
}

/** Where a division fails. */
export type Failed = {
  readonly failedAt: number
  readonly way: Way
  readonly refusal: Refusal
}

/**
 * Executes divisions of one query. A leg that meets its own books as it met them before is not executed
 * again, whatever other legs did elsewhere.
 */
export type Replayer = (portions: readonly Portion[]) => Replay | Failed

export function replayer(query: Query): Replayer {
  const known = new Map<string, PathExecution | Refusal>()
  const nameOf = bookNames()
  return (portions) => {
    let world: World = query.graph.market
    let total = 0n
    const legs: Executed[] = []
    for (const [i, portion] of portions.entries()) {
      const key = keyOf(world, portion, nameOf)
      const done = known.get(key) ?? execute(query, world, portion)
      known.set(key, done)
      if (isRefusal(done)) return { failedAt: i, way: portion.way, refusal: done }
      const after = afterLeg(world, portion, done)
      legs.push({ ...portion, before: world, execution: { ...done, after } })
      total += done.recipient
      world = after
    }
    return { portions, legs, total }
  }
}

/** Numbers books: an execution that is not run twice leaves one book, so that the same one has one name. */
function bookNames(): (book: Book | undefined) => number {
  const names = new Map<Book | undefined, number>()
  return (book) => {
    const name = names.get(book) ?? names.size
    names.set(book, name)
    return name
  }
}

const addressesOf = ({ way }: Portion): readonly string[] =>
  way.map(({ edge }) => edge.book.state.pair.address)

/** All that an execution depends on: the way, the amount, its books and what lies in the router. */
function keyOf(
  { router, books }: World,
  portion: Portion,
  nameOf: (book: Book | undefined) => number,
): string {
  const met = addressesOf(portion).map((address) => nameOf(books.get(address)))
  const held = [...router.balances].map(([denom, amount]) => `${denom}=${amount}`)
  return `${portion.way.map(({ id }) => id)}:${portion.amount}:${met}:${held}`
}

/** The world after a leg that may have been executed in another one, with the same books on its way. */
function afterLeg(world: World, portion: Portion, { after }: PathExecution): World {
  const books = new Map(world.books)
  for (const address of addressesOf(portion)) books.set(address, after.books.get(address)!)
  return { router: after.router, books }
}

/** One router message. A hop that hands something back leaves it in the router: refused. */
function execute({ graph, from, to, limits }: Query, world: World, portion: Portion) {
  const addresses = addressesOf(portion)
  const execution = executePath(
    world,
    addresses,
    { denom: graph.denoms[from]!, amount: portion.amount },
    { minReturn: { denom: graph.denoms[to]!, amount: 1n }, affiliate: limits.affiliate },
  )
  if (isRefusal(execution)) return execution
  const short = execution.hops.findIndex((hop) => hop.unsold > 0n)
  if (short >= 0)
    return refusal('beyond_depth', `${addresses[short]} does not take all of its offer`)
  if (execution.hops.some((hop) => hop.bought === 0n))
    return refusal('zero_output', 'a hop pays nothing')
  return execution
}

export const isFailed = (outcome: object): outcome is Failed => 'failedAt' in outcome
