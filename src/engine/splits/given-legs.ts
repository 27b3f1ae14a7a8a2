import type { Book } from '../market/book.js'
import { isRefusal } from '../market/refusal.js'
import type { Coin } from '../market/token.js'
import type { Rational } from '../math/rational.js'
import type { Edge } from '../routing/graph.js'
import type { PathQuery } from '../routing/query.js'
import { freeCandidate } from './candidates.js'
import { isFailed, type LegAmount, legExecutor, type RefusedLeg } from './execute-legs.js'
import type { NetworkEdge } from './residual-network.js'
import { finishSplit, type Split } from './split.js'
import { supplyCurve } from './supply-curve.js'

/** A leg that the caller chose. Its books lead from the input to the target. */
export type GivenLeg = { readonly books: readonly Book[]; readonly amount: bigint }

/**
 * Exactly these legs, executed in this order; nothing is searched. `fractions` are the legs' shares
 * where others than amount over input are meant; executions of `run` are not repeated.
 */
export function splitAlong(
  query: PathQuery,
  input: Coin,
  legs: readonly GivenLeg[],
  slippageBps: number,
  fractions?: readonly Rational[],
  run = legExecutor(query),
): Split | RefusedLeg {
  const edges = new Map<Edge, NetworkEdge>()
  const legAmounts: LegAmount[] = []
  for (const [failedAt, { books, amount }] of legs.entries()) {
    const path: NetworkEdge[] = []
    let at = query.from
    for (const book of books) {
      const edge = query.graph.leaving[at]!.find((each) => each.book === book)!
      const arbitrage = book.afterArbitrage()
      if (isRefusal(arbitrage)) return { failedAt, refusal: arbitrage }
      const networkEdge = edges.get(edge) ?? {
        id: edges.size,
        curve: supplyCurve(book, edge.side)!,
        ...edge,
      }
      edges.set(edge, networkEdge)
      path.push(networkEdge)
      at = edge.to
    }
    legAmounts.push({ path, amount })
  }
  const outcome = run(legAmounts)
  if (isFailed(outcome)) return outcome
  const shares = fractions ?? freeCandidate(outcome, input.amount).fractions
  return finishSplit(query, input, outcome, slippageBps, shares)
}
