/** What a chain asks of transactions. */
export type TxRules = {
  /** Of bech32 addresses. */
  readonly prefix: string
  /** Fee asked for a unit of gas, in hundred-millionths of an atomic of `feeDenom`; 0 takes any. */
  readonly gasPrice: bigint
  readonly feeDenom: string
}

/** Whether a transaction asks for a place in the mempool, is in a block, or is only tried. */
export type TxMode = 'check' | 'deliver' | 'simulate'
