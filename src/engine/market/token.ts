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

export type CoinSums = Map<Denom, bigint>

export function addCoin(sums: CoinSums, denom: Denom, amount: bigint): void {
  sums.set(denom, (sums.get(denom) ?? 0n) + amount)
}

export function sumsOf(coins: readonly Coin[]): CoinSums {
  const sums: CoinSums = new Map()
  for (const { denom, amount } of coins) addCoin(sums, denom, amount)
  return sums
}

/** The amount of one denom among coins. */
export const amountIn = (coins: readonly Coin[], denom: Denom): bigint =>
  coins.reduce((sum, coin) => (coin.denom === denom ? sum + coin.amount : sum), 0n)

/** One coin per denom, in order of first occurrence. */
export const sumByDenom = (coins: readonly Coin[]): readonly Coin[] =>
  [...sumsOf(coins)].map(([denom, amount]) => ({ denom, amount }))

/** The sums above zero. */
export const positiveSums = (sums: ReadonlyMap<Denom, bigint>): CoinSums =>
  new Map([...sums].filter(([, amount]) => amount > 0n))

/** As the chain requires coins: sorted by denom, without zeros. */
export const coinsOf = (sums: CoinSums): readonly Coin[] =>
  [...positiveSums(sums)]
    .map(([denom, amount]) => ({ denom, amount }))
    .sort((a, b) => (a.denom < b.denom ? -1 : 1))

/** As the chain writes coins. @example '5rune,7btc-btc' */
export const coinsText = (coins: readonly Coin[]): string =>
  coins.map(({ denom, amount }) => `${amount}${denom}`).join(',')

/** `a − b` by denom; may be negative. */
export function differenceOf(a: CoinSums, b: CoinSums): CoinSums {
  const left = new Map(a)
  for (const [denom, amount] of b) addCoin(left, denom, -amount)
  return left
}
