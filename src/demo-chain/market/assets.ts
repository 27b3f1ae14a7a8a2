/** The asset's peg; two assets of one peg trade in a tight, thin book. */
type Peg = 'usd' | 'btc' | 'eth'

/** A token of the real chain, with its price throughout the demo market. */
export type AssetFact = {
  readonly denom: string
  readonly decimals: number
  readonly symbol: string
  readonly name: string
  readonly chain: string
  readonly kind: 'secured' | 'native' | 'factory'
  readonly contract: string | null
  /** Dollars per displayed unit, as of spring 2026 (some are guesses). */
  readonly priceUsd: string
  readonly peg: Peg | null
}

const asset = (denom: string, name: string, priceUsd: string) => ({
  denom,
  name,
  priceUsd,
  // Holds for every secured, native and factory denom of the demo market.
  decimals: 8,
  contract: null,
  peg: null,
})

/** An asset of another chain: the denom contains that chain, the symbol and the contract in lower case. */
const securedAsset = (denom: string, name: string, priceUsd: string): AssetFact => {
  const [chain = '', symbol = '', contract = null] = denom.split('-')
  return {
    ...asset(denom, name, priceUsd),
    kind: 'secured',
    chain: chain.toUpperCase(),
    symbol: symbol.toUpperCase(),
    contract,
  }
}

const dollar = (denom: string, name: string, priceUsd: string): AssetFact => ({
  ...securedAsset(denom, name, priceUsd),
  peg: 'usd',
})

/** An asset of THORChain itself, made by its modules or by the token factory (`x/…`). */
const native = (denom: string, name: string, priceUsd: string): AssetFact => ({
  ...asset(denom, name, priceUsd),
  kind: denom.startsWith('x/') ? 'factory' : 'native',
  chain: 'THOR',
  symbol: denom.replace(/^(x\/|thor\.)/, '').toUpperCase(),
})

/**
 * The assets of the demo market by their names in this code. All prices are of the same time, so that the list contains
 * no arbitrage.
 */
export const assets = {
  rune: native('rune', 'THORChain', '0.509055'),
  tcy: native('tcy', 'TCY', '0.14252'),
  ruji: native('x/ruji', 'Rujira', '0.250321'),
  brune: { ...native('x/brune', 'Bonded RUNE', '0.493784'), symbol: 'bRUNE' },
  lqdy: native('thor.lqdy', 'Liquidy', '0.0996'),
  auto: native('thor.auto', 'Auto', '0.0124'),
  nami: native('thor.nami', 'NAMI', '0.0118'),
  xusk: { ...native('thor.xusk', 'xUSK', '0.97'), symbol: 'xUSK' },
  btc: { ...securedAsset('btc-btc', 'Bitcoin', '78289.89'), peg: 'btc' },
  wbtc: {
    ...securedAsset(
      'eth-wbtc-0x2260fac5e5542a773aa44fbcfedf7c193bc2c599',
      'Wrapped Bitcoin',
      '78289.89',
    ),
    peg: 'btc',
  },
  cbbtc: {
    ...securedAsset(
      'base-cbbtc-0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf',
      'Coinbase Wrapped BTC',
      '78289.89',
    ),
    symbol: 'cbBTC',
    peg: 'btc',
  },
  eth: { ...securedAsset('eth-eth', 'Ethereum', '2293.01'), peg: 'eth' },
  baseEth: {
    ...securedAsset('base-eth', 'Ethereum (Base)', '2293.01'),
    peg: 'eth',
  },
  bch: securedAsset('bch-bch', 'Bitcoin Cash', '458.37'),
  bnb: securedAsset('bsc-bnb', 'BNB', '621.5'),
  ltc: securedAsset('ltc-ltc', 'Litecoin', '53.82'),
  doge: securedAsset('doge-doge', 'Dogecoin', '0.100405'),
  xrp: securedAsset('xrp-xrp', 'XRP', '1.36603'),
  atom: securedAsset('gaia-atom', 'Cosmos Hub', '1.83113'),
  avax: securedAsset('avax-avax', 'Avalanche', '9.209'),
  trx: securedAsset('tron-trx', 'TRON', '0.334187'),
  usdc: dollar('eth-usdc-0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', 'USD Coin', '1'),
  usdt: dollar('eth-usdt-0xdac17f958d2ee523a2206206994597c13d831ec7', 'Tether USD', '0.9996'),
  usdcAvax: dollar(
    'avax-usdc-0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e',
    'USD Coin (Avalanche)',
    '0.9951',
  ),
  usdtAvax: dollar(
    'avax-usdt-0x9702230a8ea53601f5cd2dc00fdbc13d4df4a8c7',
    'Tether USD (Avalanche)',
    '0.999',
  ),
  usdcBase: dollar(
    'base-usdc-0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
    'USD Coin (Base)',
    '1.0012',
  ),
  usdcBsc: dollar(
    'bsc-usdc-0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d',
    'USD Coin (BSC)',
    '1.0017',
  ),
  usdtBsc: dollar(
    'bsc-usdt-0x55d398326f99059ff775485246999027b3197955',
    'Tether USD (BSC)',
    '1.0002',
  ),
  usdtTron: {
    ...dollar('tron-usdt-tr7nhqjekqxgtci8q8zy4pl8otszgjlj6t', 'Tether USD (Tron)', '0.9995'),
    contract: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
  },
  dai: dollar('eth-dai-0x6b175474e89094c44da98b954eedeac495271d0f', 'Dai', '1.0021'),
  gusd: dollar('eth-gusd-0x056fd409e1d7a124bd7017459dfea2f387b6d5cd', 'Gemini Dollar', '0.999'),
  usdp: dollar('eth-usdp-0x8e870d67f660d95d5be530380d0ec0bd388289e1', 'Pax Dollar', '1.001'),
  lusd: dollar('eth-lusd-0x5f98805a4e8be255a32880fdec7f6728c6568ba0', 'Liquity USD', '1.0005'),
} satisfies { readonly [name: string]: AssetFact }
