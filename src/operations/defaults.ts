/**
 * Values of members that a request leaves out. Schemas, operations, help texts and the configuration
 * take them from here; this file loads no schema library.
 */
export const DEFAULTS = {
  maxHops: 4,
  slippageBps: 50,
  /** Recorded blocks and share of executions, in bps, that `slippage: "auto"` is chosen from. */
  autoSlippageBlocks: 300,
  autoSlippageQuantile: 9_900,
  /** Routes or splits in an answer. */
  routes: 5,
  /** Percent of the input. */
  splitStep: 5,
  maxLegs: 6,
  curvePoints: 10,
  page: 1,
  pageSize: 20,
} as const
