import type { Market } from '../../engine/market/market.js'
import type { Coin } from '../../engine/market/token.js'
import type { Limits } from '../../engine/routing/query.js'
import type { Route } from '../../engine/routing/route.js'
import type { Frontier } from '../../engine/splits/find-split.js'
import type { Split } from '../../engine/splits/split.js'
import type { Contracts } from '../chain-port.js'
import { confirmRoutes } from '../route/verify.js'
import { confirmSplits } from './verify-split.js'

/** Divisions that were found or given, best first, and what they are measured against. */
export type SplitResult = {
  readonly input: Coin
  readonly splits: readonly Split[]
  readonly single: Route | undefined
  readonly bound: bigint | undefined
  readonly frontier: Frontier | undefined
  /** What a division without a grid pays, where that is notably more. */
  readonly free: bigint | undefined
}

/** Whether every number of it rests on complete knowledge. */
export const isExact = ({ splits, single, frontier }: SplitResult): boolean =>
  [...splits, ...pointsOf(frontier)].every(({ exact }) => exact) && (single?.exact ?? true)

const pointsOf = (frontier: Frontier | undefined): readonly Split[] =>
  frontier === undefined ? [] : [...frontier.byLegs, ...frontier.bySteps].map(({ split }) => split)

/**
 * The same with the contracts' numbers wherever ours are estimates, ranked by them. What they refuse
 * goes. A bound that was proved on what is known says nothing of what is not: there is none then.
 */
export async function confirmResult(
  contracts: Contracts,
  market: Market,
  found: SplitResult,
  terms: { readonly limits: Limits; readonly slippageBps: number },
): Promise<SplitResult> {
  const { splits, single, frontier } = found
  const distinct = [
    ...new Map([...splits, ...pointsOf(frontier)].map((each) => [each.id, each])).values(),
  ]
  const [numbers, [best]] = await Promise.all([
    confirmSplits(contracts, market, distinct, terms),
    confirmRoutes(contracts, market, single === undefined ? [] : [single], terms),
  ])
  const known = new Map(distinct.map(({ id }, i) => [id, numbers[i]]))
  const confirmedOf = (split: Split): readonly Split[] => {
    const one = known.get(split.id)
    return one === undefined ? [] : [one]
  }
  return {
    ...found,
    splits: undominated(splits.flatMap(confirmedOf)),
    single: best,
    bound: undefined,
    free: undefined,
    frontier: frontier && {
      byLegs: runningBest(
        frontier.byLegs.flatMap((point) =>
          confirmedOf(point.split).map((split) => ({ ...point, split })),
        ),
      ),
      bySteps: frontier.bySteps.flatMap((point) =>
        confirmedOf(point.split).map((split) => ({ ...point, split })),
      ),
    },
  }
}

/** With more legs allowed, one with fewer is still there. */
function runningBest(points: Frontier['byLegs']): Frontier['byLegs'] {
  let best: Split | undefined
  return points.map((point) => {
    if (best === undefined || point.split.expected > best.expected) best = point.split
    return { ...point, split: best }
  })
}

/** Those that no division with as few legs beats, the one that pays most first. */
function undominated(splits: readonly Split[]): readonly Split[] {
  const ranked = [...splits].sort((a, b) => {
    if (a.expected !== b.expected) return a.expected > b.expected ? -1 : 1
    return a.legs.length - b.legs.length || (a.id < b.id ? -1 : 1)
  })
  let fewest = Number.POSITIVE_INFINITY
  return ranked.filter(({ legs }) => {
    if (legs.length >= fewest) return false
    fewest = legs.length
    return true
  })
}
