import type { Path } from '../../../src/engine/splits/plan.js'
import type { ResidualNetwork } from '../../../src/engine/splits/residual-network.js'
import { hasPart } from '../../../src/engine/splits/supply-curve.js'
import type { Solver } from './linear-program.js'

/** Amounts are scaled to this many units of input. */
const SCALE = 1e3

/** Neighbouring segments of a curve are joined where it has more than this, which lowers it slightly. */
const MOST_BLOCKS = 60

/**
 * The largest output of an input over at most `mostLegs` of these paths, before the router's fees: a mixed
 * integer program with a flow for every path and hop, a binary for every path, and levels shared by all of
 * them. Independent of the search.
 */
export function bestChoice(
  solver: Solver,
  network: ResidualNetwork,
  paths: readonly Path[],
  amount: number,
  mostLegs: number,
): number {
  const unit = unitsOf(network, paths, amount)
  const paid: string[] = []
  const rows: string[] = []
  const sold: string[] = []
  const rooms = new Map<string, { readonly names: string[]; readonly room: number }>()
  for (const [w, path] of paths.entries()) {
    let arriving: readonly string[] = [`${SCALE} z${w}`]
    for (const [hop, edge] of path.entries()) {
      const [u, v] = [unit[edge.from]!, unit[edge.to]!]
      const taken: string[] = []
      const passed: string[] = []
      for (const { start, end } of blocksOf(edge, u * SCALE)) {
        const { offered, received } = edge.curve
        const name = `f${w}_${hop}_${start}`
        const cost = offered[end]! - offered[start]!
        taken.push(name)
        passed.push(`${(((received[end]! - received[start]!) / cost) * u) / v} ${name}`)
        const shared = rooms.get(`${edge.id} ${start}`) ?? { names: [], room: cost / u }
        shared.names.push(name)
        rooms.set(`${edge.id} ${start}`, shared)
      }
      rows.push(`${taken.join(' + ')} - ${arriving.join(' - ')} <= 0`)
      if (hop === 0) sold.push(...taken)
      arriving = passed
    }
    paid.push(...arriving)
  }
  const chosen = paths.map((_, w) => `z${w}`)
  const limits = [...rooms.values()].map(({ names, room }) => `${names.join(' + ')} <= ${room}`)
  const constraints = [
    ...rows,
    ...limits,
    `${sold.join(' + ')} <= ${SCALE}`,
    `${chosen.join(' + ')} <= ${mostLegs}`,
  ].map((each, i) => ` r${i}: ${each}`)
  const text = `Maximize\n obj: ${paid.join('\n + ')}\nSubject To\n${constraints.join('\n')}\nBinary\n ${chosen.join(' ')}\nEnd\n`
  const { Status, ObjectiveValue } = solver.solve(text, { presolve: 'on', mip_rel_gap: 1e-6 })
  if (Status !== 'Optimal') throw new Error(`the solver says ${Status}`)
  return ObjectiveValue * unit[network.query.to]!
}

function blocksOf({ curve }: Path[number], most: number) {
  let count = 0
  while (hasPart(curve, count) && curve.offered[count]! < most) count += 1
  const each = Math.max(1, Math.ceil(count / MOST_BLOCKS))
  return Array.from({ length: Math.ceil(count / each) }, (_, i) => ({
    start: i * each,
    end: Math.min(count, (i + 1) * each),
  }))
}

/** An upper bound of the whole input in each denom, over `SCALE`. */
function unitsOf(
  { query }: ResidualNetwork,
  paths: readonly Path[],
  amount: number,
): readonly number[] {
  const most = query.graph.denoms.map(() => 0)
  most[query.from] = amount / SCALE
  for (let hop = 0; hop < query.limits.maxHops; hop += 1)
    for (const { from, to, curve } of paths.flat())
      most[to] = Math.max(most[to]!, most[from]! * (curve.rate[0] ?? 0))
  return most
}
