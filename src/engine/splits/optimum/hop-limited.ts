import type { Flow } from '../flow.js'
import { leastHops, type NetworkEdge, type ResidualNetwork, reversed } from '../residual-network.js'
import { hasPart } from '../supply-curve.js'
import { type Program, type Solution, solve } from './simplex.js'

/** A flow over walks within the hop limit: what each edge takes as the first hop, the second hop ... */
export type LayeredFlow = {
  /** Offer that each edge takes in all. */
  readonly used: Float64Array
  /** Offer that an edge takes as hop `layer`, at `id · max_hops + layer`. */
  readonly layered: Float64Array
  /** What it pays, before the router's fees. */
  readonly paid: number
  /**
   * What one more atomic of each denom with `h` hops left would add at the target; infinite where no
   * walk ever is.
   */
  readonly prices: readonly Float64Array[]
}

/** Neighbouring parts of one curve, which a program takes as one of their average rate. */
type Block = { readonly edge: NetworkEdge; readonly start: number; readonly end: number }

/** Amounts are scaled so that the whole input is this much. */
const SCALE = 1e4

/**
 * Most programs solved for one flow, each refined around the last solution. 4 give the same splits in the measured
 * set.
 */
const MOST_ROUNDS = 16
/** Most pivots of a program. */
const MOST_PIVOTS = 4000

/**
 * Parts kept as blocks of their own on either side of where the unlimited flow ends: fewer rounds.
 * 0 gives the same splits.
 */
const SINGLE_PARTS = 2

/** Share of a block below which it counts as unused, and above whose complement as used up. */
const EDGE = 1e-6

/**
 * The continuous optimum within the hop limit: a linear program over denoms and hops used in which
 * every part of a curve is shared by all the hops at which it may be used. Begins with the parts around
 * which `flow`, the optimum without that limit, ends, and refines where the prices of the last program
 * say that something is missed, or nearly the optimum where that takes too long. Undefined where not
 * all of the input finds a place.
 */
export function hopLimited(
  network: ResidualNetwork,
  flow: Flow,
  amount: number,
): LayeredFlow | undefined {
  const unit = unitsOf(network, amount)
  const hops = hopsOf(network)
  let blocks: readonly Block[] = network.edges.flatMap((edge) => firstBlocks(edge, flow))
  let last: LayeredFlow | undefined
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const model = modelOf(network, unit, hops, blocks)
    const solution = solve(model.program, MOST_PIVOTS, network.query.budget)
    if (solution === undefined) return last
    const paying = flowOf(network, unit, model, solution)
    last = paying && { prices: pricesOf(network, unit, model, solution), ...paying }
    const next = refineBlocks(network, unit, model, solution, blocks, 2 ** Math.min(round, 8))
    if (next.length === blocks.length) return last
    blocks = next
  }
  return last
}

function firstBlocks(edge: NetworkEdge, { part, used }: Flow): readonly Block[] {
  const at = part[edge.id]!
  if (!(used[edge.id]! > 0)) return []
  const cuts = [0]
  for (
    let cut = Math.max(at - SINGLE_PARTS, 1);
    cut <= at + SINGLE_PARTS && hasPart(edge.curve, cut);
    cut += 1
  )
    cuts.push(cut)
  const blocks = cuts.map((start, i) => ({ edge, start, end: cuts[i + 1] ?? start + 1 }))
  return blocks.filter(({ start }) => hasPart(edge.curve, start))
}

const offerOf = ({ edge: { curve }, start, end }: Block): number =>
  curve.offered[end]! - curve.offered[start]!

const rateOf = (block: Block): number => {
  const {
    edge: { curve },
    start,
    end,
  } = block
  return end === start + 1
    ? curve.rate[start]!
    : (curve.received[end]! - curve.received[start]!) / offerOf(block)
}

type Hops = {
  readonly fromStart: readonly number[]
  /** The layers at which each edge may be used, by edge id. */
  readonly layers: readonly (readonly number[])[]
}

function hopsOf({ query, edges }: ResidualNetwork): Hops {
  const { graph, from, to, limits } = query
  const size = graph.denoms.length
  const fromStart = leastHops(edges, from, size, limits.maxHops)
  const toTarget = leastHops(edges.map(reversed), to, size, limits.maxHops)
  const all = Array.from({ length: limits.maxHops }, (_, layer) => layer)
  const layers = edges.map((edge) =>
    all.filter(
      (layer) =>
        (layer === 0) === (edge.from === from) &&
        fromStart[edge.from]! <= layer &&
        layer + 1 + toTarget[edge.to]! <= limits.maxHops,
    ),
  )
  return { fromStart, layers }
}

type Column = { readonly block: number; readonly edge: NetworkEdge; readonly layer: number }

type Model = {
  readonly program: Program
  readonly columns: readonly Column[]
  readonly hops: Hops
  /** What one more atomic of a denom adds as the offer of a hop: 0 where no column takes or gives it. */
  readonly priceOf: (solution: Solution, denom: number, layer: number) => number
}

function modelOf(
  network: ResidualNetwork,
  unit: Units,
  hops: Hops,
  blocks: readonly Block[],
): Model {
  const { from, to, limits, graph } = network.query
  const nodeOf = (denom: number, layer: number) => denom * limits.maxHops + layer
  const rows = new Int32Array(graph.denoms.length * limits.maxHops).fill(-1)
  const limit: number[] = []
  const rowOf = (denom: number, layer: number): number => {
    const node = nodeOf(denom, layer)
    if (rows[node] === -1) rows[node] = limit.push(denom === from && layer === 0 ? SCALE : 0) - 1
    return rows[node]!
  }
  const columns: Column[] = []
  const gain: number[] = []
  const entries: (readonly [number, number])[][] = []
  for (const [block, each] of blocks.entries()) {
    const { edge } = each
    const { from: u, to: v } = edge
    const room = limit.push(offerOf(each) / unit[u]!) - 1
    const rate = (rateOf(each) * unit[u]!) / unit[v]!
    for (const layer of hops.layers[edge.id]!) {
      columns.push({ block, edge, layer })
      gain.push(v === to ? rate : 0)
      const into = v === to ? [] : [[rowOf(v, layer + 1), -rate] as const]
      entries.push([[rowOf(u, layer), 1], [room, 1], ...into])
    }
  }
  const priceOf: Model['priceOf'] = ({ price }, denom, layer) =>
    price[rows[nodeOf(denom, layer)]!] ?? 0
  return { program: { gain, columns: entries, limit }, columns, hops, priceOf }
}

/**
 * The blocks with those divided whose parts the prices tell apart, and with the next parts of each curve
 * that would pay, `mostParts` of them in one block: a block that is used up stays whole if its worst part
 * pays, one that is not used if its best part does not.
 */
function refineBlocks(
  network: ResidualNetwork,
  unit: Units,
  { columns, hops, priceOf }: Model,
  solution: Solution,
  blocks: readonly Block[],
  mostParts: number,
): readonly Block[] {
  const taken = new Float64Array(blocks.length)
  for (const [j, { block }] of columns.entries()) taken[block]! += solution.x[j]!
  const end = new Int32Array(network.edges.length)
  const pays = (edge: NetworkEdge, part: number): boolean => {
    const { from: u, to: v } = edge
    const rate = (edge.curve.rate[part]! * unit[u]!) / unit[v]!
    return hops.layers[edge.id]!.some((layer) => {
      const worth = v === network.query.to ? 1 : priceOf(solution, v, layer + 1)
      return rate * worth > priceOf(solution, u, layer) + 1e-9
    })
  }
  const split = blocks.flatMap((block, i): readonly Block[] => {
    const { edge, start } = block
    end[edge.id] = Math.max(end[edge.id]!, block.end)
    if (block.end === start + 1) return [block]
    const room = offerOf(block) / unit[edge.from]!
    const isSettled =
      taken[i]! >= room * (1 - EDGE)
        ? pays(edge, block.end - 1)
        : taken[i]! <= room * EDGE && !pays(edge, start)
    return isSettled ? [block] : quarters(block)
  })
  const further = network.edges.flatMap((edge): readonly Block[] => {
    const start = end[edge.id]!
    let to = start
    while (to < start + mostParts && hasPart(edge.curve, to) && pays(edge, to)) to += 1
    return to > start ? [{ edge, start, end: to }] : []
  })
  return [...split, ...further]
}

function quarters({ edge, start, end }: Block): readonly Block[] {
  const quarter = Math.ceil((end - start) / 4)
  const blocks: Block[] = []
  for (let from = start; from < end; from += quarter)
    blocks.push({ edge, start: from, end: Math.min(end, from + quarter) })
  return blocks
}

function flowOf(
  network: ResidualNetwork,
  unit: Units,
  { columns, program }: Model,
  { x }: Solution,
): Omit<LayeredFlow, 'prices'> | undefined {
  const { edges, query } = network
  const used = new Float64Array(edges.length)
  const layered = new Float64Array(edges.length * query.limits.maxHops)
  let sold = 0
  let paid = 0
  for (const [j, { edge, layer }] of columns.entries()) {
    const offer = x[j]! * unit[edge.from]!
    used[edge.id]! += offer
    layered[edge.id * query.limits.maxHops + layer]! += offer
    if (layer === 0) sold += x[j]!
    paid += program.gain[j]! * x[j]! * unit[query.to]!
  }
  return sold < SCALE * (1 - EDGE) ? undefined : { used, layered, paid }
}

function pricesOf(
  { query }: ResidualNetwork,
  unit: Units,
  { hops, priceOf }: Model,
  solution: Solution,
): readonly Float64Array[] {
  const { from, to, limits, graph } = query
  return Array.from({ length: limits.maxHops + 1 }, (_, hopsLeft) =>
    Float64Array.from(graph.denoms, (_, denom) => {
      if (denom === to) return 1
      const layer = limits.maxHops - hopsLeft
      const isMet = (layer === 0) === (denom === from) && hops.fromStart[denom]! <= layer
      if (!isMet) return Number.POSITIVE_INFINITY
      return hopsLeft === 0 ? 0 : (priceOf(solution, denom, layer) * unit[to]!) / unit[denom]!
    }),
  )
}

type Units = readonly number[]

/** What the whole input could be at each denom at best, over `SCALE`: no amount is larger. */
function unitsOf({ query, edges }: ResidualNetwork, amount: number): Units {
  const most = new Array<number>(query.graph.denoms.length).fill(0)
  most[query.from] = amount / SCALE
  for (let hop = 0; hop < query.limits.maxHops; hop += 1)
    for (const { from, to, curve } of edges)
      if (hasPart(curve, 0)) most[to] = Math.max(most[to]!, most[from]! * curve.rate[0]!)
  return most.map((value) => (value > 0 ? value : 1))
}
