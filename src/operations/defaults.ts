/**
 * Defaults of request members for schemas, operations, help texts and the configuration. Kept apart from the
 * schemas, because loading the schema library is slow.
 */
export const DEFAULTS = {
  maxHops: 4,
  slippageBps: 50,
  /** Number of recorded blocks, and share of executions in bps, for `slippage: "auto"`. */
  autoSlippageBlocks: 300,
  autoSlippageQuantile: 9_900,
  /** Maximum routes or splits in an answer. */
  routes: 5,
  /** Maximum loops of a scan in an answer. */
  loops: 1_000,
  /** Percent of the input. */
  splitStep: 5,
  maxLegs: 6,
  curvePoints: 10,
  page: 1,
  pageSize: 20,
} as const

/** The most hops of a path. */
export const MOST_HOPS = 6

/** Levels of each side of a book: the fewest and the most, and the default. */
export const BOOK_LEVELS = { range: [1, 1_000], usual: 10 } as const

/** Slippage tolerances in bps: the least and the largest. */
export const SLIPPAGES = [0, 9_999] as const

/** Split steps in percent of the input: the least and the largest. */
export const SPLIT_STEPS = [1, 10] as const
