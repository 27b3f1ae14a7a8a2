import * as highs from 'highs'
import type { NetworkEdge, ResidualNetwork } from '../../../src/engine/splits/residual-network.js'
import { hasPart } from '../../../src/engine/splits/supply-curve.js'

/** The part of the solver that the oracle uses: it maximises a program in CPLEX' LP format. */
export type Solver = {
  solve(
    program: string,
    options: { readonly presolve: 'on' | 'off'; readonly mip_rel_gap?: number },
  ): { readonly Status: string; readonly ObjectiveValue: number }
}

/** The package's types describe another module format than the one that is loaded. */
export const loadSolver = highs.default as unknown as () => Promise<Solver>

/** Amounts are scaled to this many units of input, where the solver's tolerances are negligible. */
const SCALE = 1e4

type Column = {
  readonly name: string
  readonly edge: NetworkEdge
  readonly layer: number
  readonly part: number
}

/**
 * The largest output of an input that is split without limits over paths of at most `max_hops` hops, before
 * the router's fees: a linear program over denoms and hops used, in which every level of a book is shared
 * by all hops that may use it. Independent of the search and of its bound.
 */
export function linearOptimum(solver: Solver, network: ResidualNetwork, amount: number): number {
  const { from, to, limits } = network.query
  const unit = unitsOf(network, amount)
  const columns: Column[] = []
  for (const edge of network.edges)
    for (let part = 0; hasPart(edge.curve, part); part += 1) {
      if (edge.curve.offered[part]! > unit[edge.from]! * SCALE) break
      for (let layer = 0; layer < limits.maxHops; layer += 1)
        if ((layer === 0) === (edge.from === from))
          columns.push({ name: `x${columns.length}`, edge, layer, part })
    }
  const into = new Map<string, string[]>()
  const add = (key: string, term: string) => {
    const terms = into.get(key)
    if (terms === undefined) into.set(key, [term])
    else terms.push(term)
  }
  for (const { name, edge, layer, part } of columns) {
    const { from: u, to: v } = edge
    add(`node ${u} ${layer}`, `- ${name}`)
    const rate = (edge.curve.rate[part]! * unit[u]!) / unit[v]!
    add(v === to ? 'paid' : `node ${v} ${layer + 1}`, `+ ${rate} ${name}`)
    add(`room ${edge.id} ${part}`, `+ ${name}`)
  }
  const rows = [...into].flatMap(([key, terms], i) => {
    const [kind, a, b] = key.split(' ')
    if (kind === 'paid') return []
    const left = ` r${i}: ${terms.join(' ')}`
    if (kind === 'node') return [`${left} >= ${Number(a) === from ? -SCALE : 0}`]
    const edge = network.edges[Number(a)]!
    return [`${left} <= ${edge.curve.cost[Number(b)]! / unit[edge.from]!}`]
  })
  const paid = into.get('paid')
  if (paid === undefined) return 0
  const text = `Maximize\n obj: ${paid.join('\n  ')}\nSubject To\n${rows.join('\n')}\nEnd\n`
  const { Status, ObjectiveValue } = solver.solve(text, { presolve: 'off' })
  if (Status !== 'Optimal') throw new Error(`the solver says ${Status}`)
  return ObjectiveValue * unit[to]!
}

/** An upper bound of the whole input in each denom, over `SCALE`. */
function unitsOf({ query, edges }: ResidualNetwork, amount: number): readonly number[] {
  const most = new Array<number>(query.graph.denoms.length).fill(0)
  most[query.from] = amount / SCALE
  for (let hop = 0; hop < query.limits.maxHops; hop += 1)
    for (const { from, to, curve } of edges)
      if (hasPart(curve, 0)) most[to] = Math.max(most[to]!, most[from]! * curve.rate[0]!)
  return most.map((value) => (value > 0 ? value : 1))
}
