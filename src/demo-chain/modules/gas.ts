/** Out of gas: the whole transaction (or query) fails. `location` is the node's name of the place. */
export class OutOfGas extends Error {
  override name = 'OutOfGas'
  constructor(location: string, wanted: bigint, used: bigint) {
    super(`out of gas in location: ${location}; gasWanted: ${wanted}, gasUsed: ${used}`)
  }
}

/** Counts gas up to a limit. As on a real chain, the last charge may exceed it. */
export class Gas {
  #used = 0n
  constructor(readonly limit: bigint) {}

  get used(): bigint {
    return this.#used
  }

  /** @throws OutOfGas */
  charge(amount: bigint, location: string): void {
    this.#used += amount
    if (this.#used > this.limit) throw new OutOfGas(location, this.limit, this.#used)
  }
}

/** No limit: simulations. */
export const NO_LIMIT = (1n << 64n) - 1n

/**
 * Gas costs. The proportions are those of a recorded node, scaled by about three to those of recorded mainnet
 * transactions. The cost of a level is chosen so that a query limit of 3,000,000 yields as many as on the recorded node:
 * about 40 with a maker, all 255 without (docs/chain.md#query-gas).
 */
export const GAS = {
  /** Loading and running one contract once. */
  call: 190_000n,
  /** Querying another contract. */
  query: 27_000n,
  /** Each maker level in a walk, in addition to its query. */
  level: 8_000n,
  /** Each pool of limit orders in a walk. */
  pool: 4_500n,
  read: 1_000n,
  write: 2_000n,
  /** One bank transfer. */
  transfer: 30_000n,
  /** Each message of a transaction, before it runs. */
  message: 40_000n,
  /** Per byte of a transaction. */
  byte: 10n,
  signature: 1_000n,
  /** Checking account, fee and sequence. */
  account: 29_000n,
} as const
