import type { Coin } from '../../engine/market/token.js'
import type { Route } from '../../engine/routing/route.js'
import type { Frontier } from '../../engine/splits/find-split.js'
import type { Split } from '../../engine/splits/split.js'

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

export const pointsOf = (frontier: Frontier | undefined): readonly Split[] =>
  frontier === undefined ? [] : [...frontier.byLegs, ...frontier.bySteps].map(({ split }) => split)
