import type { Denom, Token } from '../../engine/market/token.js'

/** Decimals of every asset without an entry. */
const DECIMALS = 8

/**
 * The token data in a denom: `btc-btc` is secured on the chain before the first hyphen,
 * `x/ruji` comes from the token factory, `thor.lqdy` and `rune` are the chain's own.
 *
 * @param home the chain that native tokens come from, upper case
 */
export function tokenOfDenom(denom: string, home: string): Token {
  const token = { denom, decimals: DECIMALS, name: denom, contract: null, logoUri: null }
  const secured = /^([a-z0-9]+)-([^-/]+)(?:-(.+))?$/.exec(denom)
  if (secured) {
    const [, chain = '', symbol = '', contract = null] = secured
    return {
      ...token,
      kind: 'secured',
      chain: chain.toUpperCase(),
      symbol: symbol.toUpperCase(),
      contract,
    }
  }
  const kind = denom.includes('/') ? 'factory' : 'native'
  const symbol = denom.replace(/^.*[/.]/, '').toUpperCase()
  return { ...token, kind, chain: home, symbol: symbol === '' ? denom : symbol }
}

/** The chain of native tokens. */
export const HOME = 'THOR'

export const USDC = 'eth-usdc-0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
const USDT = 'eth-usdt-0xdac17f958d2ee523a2206206994597c13d831ec7'

type Row = readonly [denom: Denom, name: string, more?: Partial<Token>]

/** Token data that the denom does not contain. Eight decimals unless given. */
const rows: readonly Row[] = [
  ['rune', 'THORChain'],
  ['tcy', 'TCY'],
  ['x/ruji', 'Rujira'],
  ['x/brune', 'Bonded RUNE', { symbol: 'bRUNE' }],
  ['x/staking-tcy', 'Liquid Staked TCY', { symbol: 'sTCY' }],
  ['x/staking-x/ruji', 'Auto-Compounding RUJI', { symbol: 'sRUJI' }],
  ['x/staking-x/brune', 'Yield-Bearing Staked BRUNE', { symbol: 'ybRUNE' }],
  [
    'x/thor1hsy2g59mpca6knrak6q58f5d08zqjsnhd83hmzxjex2ge4wffrhsue9d5x/hans',
    'His Awesomeness Never Stops',
    { decimals: 6 },
  ],
  ['thor.lqdy', 'Liquidy'],
  ['thor.auto', 'Auto'],
  ['thor.nami', 'NAMI'],
  ['thor.xusk', 'xUSK', { symbol: 'xUSK' }],
  ['btc-btc', 'Bitcoin'],
  ['eth-wbtc-0x2260fac5e5542a773aa44fbcfedf7c193bc2c599', 'Wrapped Bitcoin'],
  [
    'base-cbbtc-0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf',
    'Coinbase Wrapped BTC',
    { symbol: 'cbBTC' },
  ],
  ['eth-eth', 'Ethereum'],
  ['base-eth', 'Ethereum (Base)'],
  ['bch-bch', 'Bitcoin Cash'],
  ['bsc-bnb', 'BNB'],
  ['ltc-ltc', 'Litecoin'],
  ['doge-doge', 'Dogecoin'],
  ['sol-sol', 'Solana'],
  ['xrp-xrp', 'XRP'],
  ['gaia-atom', 'Cosmos Hub'],
  ['avax-avax', 'Avalanche'],
  ['tron-trx', 'TRON'],
  [USDC, 'USD Coin'],
  [USDT, 'Tether USD'],
  ['avax-usdc-0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e', 'USD Coin (Avalanche)'],
  ['avax-usdt-0x9702230a8ea53601f5cd2dc00fdbc13d4df4a8c7', 'Tether USD (Avalanche)'],
  ['base-usdc-0x833589fcd6edb6e08f4c7c32d4f71b54bda02913', 'USD Coin (Base)'],
  ['bsc-usdc-0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d', 'USD Coin (BSC)'],
  ['bsc-usdt-0x55d398326f99059ff775485246999027b3197955', 'Tether USD (BSC)'],
  [
    'tron-usdt-tr7nhqjekqxgtci8q8zy4pl8otszgjlj6t',
    'Tether USD (Tron)',
    // Base58 is case-sensitive, a denom is not.
    { contract: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' },
  ],
  ['eth-dai-0x6b175474e89094c44da98b954eedeac495271d0f', 'Dai'],
  ['eth-gusd-0x056fd409e1d7a124bd7017459dfea2f387b6d5cd', 'Gemini Dollar'],
  ['eth-usdp-0x8e870d67f660d95d5be530380d0ec0bd388289e1', 'Pax Dollar'],
  ['eth-lusd-0x5f98805a4e8be255a32880fdec7f6728c6568ba0', 'Liquity USD'],
]

/** The tokens that trade here, by denom (September 2026). */
export const tokens: ReadonlyMap<Denom, Token> = new Map(
  rows.map(([denom, name, more]) => [denom, { ...tokenOfDenom(denom, HOME), name, ...more }]),
)

/** The seven denoms whose loops are scanned, each with about seven dollars (spring 2026). */
export const arbs = [
  { denom: 'rune', amount: 1_375_000_000n },
  { denom: 'btc-btc', amount: 9_000n },
  { denom: 'eth-eth', amount: 305_000n },
  { denom: USDC, amount: 700_000_000n },
  { denom: USDT, amount: 700_000_000n },
  { denom: 'tcy', amount: 4_900_000_000n },
  { denom: 'x/ruji', amount: 2_800_000_000n },
] as const
