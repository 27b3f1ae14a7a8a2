import { parseDecimal } from '../../engine/math/decimal.js'
import type { OracleAsset } from '../contracts/fin/config.js'
import { type AssetFact, assets } from './assets.js'
import { driftOf } from './drift.js'

const oracleAsset = ({ chain, symbol, contract }: AssetFact): OracleAsset => ({
  chain,
  symbol: contract === null ? symbol : `${symbol}-${contract.toUpperCase()}`,
})

const priced = [assets.rune, assets.btc, assets.usdc]

/** The oracle assets of a pair: of RUNE and of BTC in USDC, on a chain that has oracles. */
export function oraclesOf(base: string, quote: string): readonly [OracleAsset, OracleAsset] | null {
  const asset = priced.find(({ denom }) => denom === base)
  return asset === undefined || asset === assets.usdc || quote !== assets.usdc.denom
    ? null
    : [oracleAsset(asset), oracleAsset(assets.usdc)]
}

/** Blocks between two changes of the prices, as pools of the base layer change when they are traded with. */
const EVERY = 10

const MILLION = 1_000_000n
const TENTH_BILLION = 10n ** 10n

/** Dollars of each priced asset, an 18-digit decimal, at a height after the first: 8 digits, as THORChain has them. */
export const oraclePrices = (
  seed: number,
  age: number,
): readonly (readonly [key: string, price: bigint])[] =>
  priced.map((asset) => {
    const { chain, symbol } = oracleAsset(asset)
    const drift =
      asset.peg === 'usd' ? 0n : driftOf(seed, asset.peg ?? asset.denom, age - (age % EVERY))
    const price = ((parseDecimal(asset.priceUsd) ?? 0n) * (MILLION + drift)) / MILLION
    return [`${chain}.${symbol}`, price - (price % TENTH_BILLION)]
  })
