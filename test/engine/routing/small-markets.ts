import { type PathQuery, queryOf } from '../../../src/engine/routing/query.js'
import { rankPaths } from '../../../src/engine/routing/rank-paths.js'
import { drawMarket } from '../../support/drawn-market.js'
import { type Drawn, seeds, shuffled } from '../../support/markets.js'

/** Every input up to this is tried. */
export const LIMIT = 800

export const openLimits = { maxHops: 3, via: [], exclude: [], affiliate: undefined }

/** The best path for an amount, if there is one. */
export const bestPath = (query: PathQuery, amount: bigint) => rankPaths(query, amount, 1).found[0]

export const queryIn = ({ graph }: Drawn, from: string, to: string): PathQuery =>
  queryOf(graph, from, to, openLimits)

/** The best output of every input up to the limit; zero where no path accepts it. */
export const outputsOf = (query: PathQuery): readonly bigint[] =>
  Array.from({ length: LIMIT + 1 }, (_, x) =>
    x === 0 ? 0n : (rankPaths(query, BigInt(x), 1).found[0]?.output ?? 0n),
  )

type Case = {
  readonly seed: number
  readonly query: PathQuery
  readonly outputs: readonly bigint[]
}

/** Queries to small markets with the answer to every input. */
export function* smallMarkets(count: number): Generator<Case & { readonly drawn: Drawn }> {
  for (const seed of seeds(count)) {
    const drawn = drawMarket(seed, { size: seed % 2 === 0 ? 'small' : 'tiny' })
    const [from, to] = shuffled(drawn.random, drawn.graph.denoms)
    const query = queryIn(drawn, from!, to!)
    const outputs = outputsOf(query)
    if (outputs.some((output) => output > 0n)) yield { seed, query, outputs, drawn }
  }
}
