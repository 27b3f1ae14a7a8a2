/** An asset's bank identifier, e.g. `rune` or `btc-btc`. Compared byte for byte. */
export type Denom = string

/** `amount` counts atomics, the asset's smallest unit; never negative. 1 RUNE is 100_000_000n. */
export type Coin = { readonly denom: Denom; readonly amount: bigint }

/** How a token came to the chain. */
export type TokenKind = 'native' | 'secured' | 'factory'

/** Display data of a token. `decimals` is for display only: the core counts atomics. */
export type Token = {
  readonly denom: Denom
  /** Digits between atomics and a displayed unit, 0 to 38. */
  readonly decimals: number
  /** The typed and displayed name; not unique. */
  readonly symbol: string
  readonly name: string
  /** The chain the asset comes from, upper case: `BTC`, `ETH`, `THOR`. */
  readonly chain: string
  readonly kind: TokenKind
  readonly contract: string | null
  readonly logoUri: string | null
}
