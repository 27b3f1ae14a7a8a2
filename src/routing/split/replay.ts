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

/** Executes divisions of one query; what two of them begin with in common is executed once. */
export type Replayer = (portions: readonly Portion[]) => Replay | Failed

export function replayer(query: Query): Replayer {
  const known = new Map<string, Executed | Refusal>()
  return (portions) => {
    let world: World = query.graph.market
    let key = ''
    let total = 0n
    const legs: Executed[] = []
    for (const [i, portion] of portions.entries()) {
      key += `${portion.way.map((arc) => arc.id).join('.')}:${portion.amount} `
      const done = known.get(key) ?? execute(query, world, portion)
      known.set(key, done)
      if (isRefusal(done)) return { failedAt: i, way: portion.way, refusal: done }
      legs.push(done)
      total += done.execution.recipient
      world = done.execution.after
    }
    return { portions, legs, total }
  }
}

/** One router message. A hop that hands something back leaves it in the router: refused. */
function execute({ graph, from, to, limits }: Query, world: World, portion: Portion) {
  const { way, amount } = portion
  const addresses = way.map(({ edge }) => edge.book.state.pair.address)
  const execution = executePath(
    world,
    addresses,
    { denom: graph.denoms[from]!, amount },
    { minReturn: { denom: graph.denoms[to]!, amount: 1n }, affiliate: limits.affiliate },
  )
  if (isRefusal(execution)) return execution
  const short = execution.hops.findIndex((hop) => hop.unsold > 0n)
  if (short >= 0)
    return refusal('beyond_depth', `${addresses[short]} does not take all of its offer`)
  if (execution.hops.some((hop) => hop.bought === 0n))
    return refusal('zero_output', 'a hop pays nothing')
  return { ...portion, before: world, execution }
}

export const isFailed = (outcome: object): outcome is Failed => 'failedAt' in outcome
