/**
 * The rules in which FIN versions differ: when a limit pool counts as drained, what draining it
 * costs, whether a maker that pays nothing is called, and whether a new order takes before it rests
 * (docs/venues.md#versions).
 */
export type FinRules = {
  /**
   * `atom`: a pool one atomic short of drained is drained (1.1 to 2.0.3), which opens the abort
   * windows. `none`: it is not (1.0). `unknown`: the rule that favours the taker less is used.
   */
  readonly tolerance: 'atom' | 'none' | 'unknown'
  /** How the offer that drains a pool is rounded. */
  readonly drain: 'floor' | 'ceil'
  /** Whether a drained level's cost is known for this version; otherwise such a fill is inexact. */
  readonly drainKnown: boolean
  /** Whether makers' levels are known to round as in 1.1 when drained. */
  readonly makerDrainKnown: boolean
  /** Whether a maker that was reached and pays nothing gets no message (1.0), or one that fails. */
  readonly idleMakers: 'left alone' | 'fail'
  /**
   * `take`: the arbitrage step runs before an order message, and a new order takes the opposite side up
   * to its price. `rest`: it only rests, and the step runs after the message (1.0).
   */
  readonly newOrders: 'take' | 'rest'
}

const FIN_1_0: FinRules = {
  tolerance: 'none',
  drain: 'ceil',
  drainKnown: true,
  makerDrainKnown: true,
  idleMakers: 'left alone',
  newOrders: 'rest',
}
const FIN_1_1: FinRules = {
  tolerance: 'atom',
  drain: 'floor',
  drainKnown: true,
  makerDrainKnown: true,
  idleMakers: 'fail',
  newOrders: 'take',
}
const CAUTIOUS: FinRules = {
  tolerance: 'unknown',
  drain: 'ceil',
  drainKnown: false,
  makerDrainKnown: false,
  idleMakers: 'fail',
  newOrders: 'take',
}
const FIN_2_1_6: FinRules = { ...CAUTIOUS, drainKnown: true }

/** The rules of a contract version such as `1.1.0`; an absent or unknown one gets the cautious reading. */
export function finRules(version: string | undefined): FinRules {
  const match = /^v?(\d{1,4})\.(\d{1,4})(?:\.(\d{1,4}))?(?:[-+].*)?$/.exec(version ?? '')
  if (match === null) return CAUTIOUS
  const rank = at(Number(match[1]), Number(match[2]), Number(match[3] ?? 0))
  if (rank < at(1, 0, 0)) return CAUTIOUS
  if (rank < at(1, 1, 0)) return FIN_1_0
  if (rank <= at(2, 0, 3)) return FIN_1_1
  return rank < at(2, 1, 6) ? CAUTIOUS : FIN_2_1_6
}

const at = (major: number, minor: number, patch: number) =>
  (major * 10_000 + minor) * 10_000 + patch
