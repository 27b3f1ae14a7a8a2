/** The gas ran out: the whole transaction (or query) fails. `location` is the node's word for where. */
export class OutOfGas extends Error {
  override name = 'OutOfGas'
  constructor(
    readonly location: string,
    readonly wanted: bigint,
    readonly used: bigint,
  ) {
    super(`out of gas in location: ${location}; gasWanted: ${wanted}, gasUsed: ${used}`)
  }
}

/** Counts gas up to a limit. Like a real meter it may end above it, by what was last charged. */
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
 * What things cost. The shape is that of the recorded node (node.md 1), the size that of the
 * recorded mainnet transactions: about three times as much.
 */
export const GAS = {
  /** Loading and running one contract once. */
  call: 180_000n,
  /** Asking another contract. */
  query: 60_000n,
  /** One level or pool that a walk looks at. */
  level: 12_000n,
  read: 1_000n,
  write: 2_000n,
  /** One bank transfer. */
  transfer: 30_000n,
  /** A message of a transaction, before what it does. */
  message: 40_000n,
  /** Per byte of a transaction. */
  byte: 10n,
  signature: 1_000n,
  /** Checking account, fee and sequence. */
  account: 29_000n,
} as const
