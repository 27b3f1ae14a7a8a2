import type { Denom } from '../../../src/engine/market/token.js'
import type { Edge, Graph } from '../../../src/engine/routing/graph.js'
import { hasPart, type SupplyCurve, supplyCurve } from '../../../src/engine/splits/supply-curve.js'
import type { Solver } from '../splits/linear-program.js'

/** The largest side is scaled to about this amount. */
const SCALE = 1e5

type Sold = { readonly edge: Edge; readonly curve: SupplyCurve }

/**
 * The most that can be earned in one denom by walks of at most `maxHops` hops that return to it, with any
 * capital and in any order, before rounding: a linear program over denoms and hops used, in which every
 * level of a book is shared by all hops that may use it. Independent of the search under test.
 */
export function mostArbitrage(solver: Solver, graph: Graph, denom: Denom, maxHops: number): number {
  const start = graph.indexOf.get(denom)!
  const keeps = 1 - Number(graph.market.router.feeBps) / 10_000
  const sold = graph.leaving.flat().flatMap((edge): Sold[] => {
    const curve = supplyCurve(edge.book, edge.side)
    return curve === undefined ? [] : [{ edge, curve }]
  })
  const unit = unitsOf(graph, sold, start)
  const objective: string[] = []
  const rows = new Map<string, string[]>()
  const limits: string[] = []
  const add = (key: string, term: string) => rows.set(key, [...(rows.get(key) ?? []), term])
  for (const [i, { edge, curve }] of sold.entries())
    for (let part = 0; hasPart(curve, part); part += 1) {
      const [u, v] = [unit[edge.from]!, unit[edge.to]!]
      const rate = (curve.rate[part]! * u) / v
      const layers = layersOf(edge, start, maxHops)
      for (const layer of layers) {
        const name = `x${i}_${part}_${layer}`
        if (edge.from === start) objective.push(`- ${name}`)
        else add(`${edge.from} ${layer}`, `- ${name}`)
        if (edge.to === start) objective.push(`+ ${rate * keeps} ${name}`)
        else add(`${edge.to} ${layer + 1}`, `+ ${rate} ${name}`)
      }
      const names = layers.map((layer) => `x${i}_${part}_${layer}`)
      if (names.length > 0) limits.push(`${names.join(' + ')} <= ${curve.cost[part]! / u}`)
    }
  const balances = [...rows.values()].map((terms) => `${terms.join('\n  ')} >= 0`)
  const constraints = [...balances, ...limits].map((each, i) => ` r${i}: ${each}`)
  const text = `Maximize\n obj: ${objective.join('\n  ')}\nSubject To\n${constraints.join('\n')}\nEnd\n`
  const { Status, ObjectiveValue } = solver.solve(text, { presolve: 'off' })
  if (Status !== 'Optimal') throw new Error(`the solver says ${Status}`)
  return ObjectiveValue * unit[start]!
}

/** The hops of a walk that may use an edge: only the first leaves the start, only the last returns to it. */
const layersOf = (edge: Edge, start: number, maxHops: number): readonly number[] =>
  Array.from({ length: maxHops }, (_, layer) => layer).filter(
    (layer) =>
      (layer === 0) === (edge.from === start) && (layer < maxHops - 1 || edge.to === start),
  )

/** The worth of an atomic of the start in every denom, all times the same factor. */
function unitsOf({ denoms }: Graph, sold: readonly Sold[], start: number): readonly number[] {
  const values = denoms.map((_, i): number => (i === start ? 1 : 0))
  for (let round = 0; round < 3; round += 1)
    for (const { edge, curve } of sold)
      if (hasPart(curve, 0) && values[edge.to] === 0)
        values[edge.to] = values[edge.from]! * curve.rate[0]!
  const largest = sold.reduce((most, { edge, curve }) => {
    while (!curve.isEnded) hasPart(curve, curve.cost.length)
    const at = values[edge.from]!
    return at > 0 ? Math.max(most, curve.offered.at(-1)! / at) : most
  }, 1)
  return values.map((each) => ((each > 0 ? each : 1) * largest) / SCALE)
}
