import { parseDecimal } from '../../engine/math/decimal.js'
import type { OracleAsset } from '../contracts/fin/config.js'
import { type AssetFact, assets } from './assets.js'
import { seededRandom } from './random.js'

const oracleAsset = ({ chain, symbol, contract }: AssetFact): OracleAsset => ({
  chain,
  symbol: contract === null ? symbol : `${symbol}-${contract.toUpperCase()}`,
})

const ORACLE_ASSETS = [assets.rune, assets.btc, assets.usdc]

/** The oracle assets of a pair: of RUNE and of BTC in USDC, on a chain that has oracles. */
export function oraclesOf(base: string, quote: string): readonly [OracleAsset, OracleAsset] | null {
  const asset = ORACLE_ASSETS.find(({ denom }) => denom === base)
  return asset === undefined || asset === assets.usdc || quote !== assets.usdc.denom
    ? null
    : [oracleAsset(asset), oracleAsset(assets.usdc)]
}

/** Blocks between two changes of the prices. */
const EVERY = 10

const MILLION = 1_000_000n
const TENTH_BILLION = 10n ** 10n

/** Dollars of each priced asset, an 18-digit decimal, at a height after the first: 8 digits, as THORChain has them. */
export const oraclePrices = (
  seed: number,
  age: number,
): readonly (readonly [key: string, price: bigint])[] =>
  ORACLE_ASSETS.map((asset) => {
    const { chain, symbol } = oracleAsset(asset)
    const drift =
      asset.peg === 'usd' ? 0n : driftOf(seed, asset.peg ?? asset.denom, age - (age % EVERY))
    const price = ((parseDecimal(asset.priceUsd) ?? 0n) * (MILLION + drift)) / MILLION
    return [`${chain}.${symbol}`, price - (price % TENTH_BILLION)]
  })

/** Amplitude of each wave in millionths, and its blocks between two turning points. */
const waves = [
  { reach: 25_000, blocks: 1_800 },
  { reach: 9_000, blocks: 240 },
  { reach: 3_000, blocks: 30 },
] as const

const SPAN = 2 ** 32

/** The value of a wave at a turning point, from −reach to +reach, drawn from the label alone. */
function turn(label: string, reach: number, index: number): number {
  return Math.floor((seededRandom(`${label} ${reach} ${index}`)() * (2 * reach + 1)) / SPAN) - reach
}

/**
 * The drift of a denom's price since the start of the chain, in millionths: the sum of slow and quick
 * waves whose turning points follow from the seed. It starts at zero and depends on no history.
 */
export function driftOf(seed: number, denom: string, age: number): bigint {
  let drift = 0
  for (const { reach, blocks } of waves) {
    const label = `drift ${seed} ${denom}`
    const index = Math.floor(age / blocks)
    const into = age - index * blocks
    const from = index === 0 ? 0 : turn(label, reach, index)
    const to = turn(label, reach, index + 1)
    drift += from + Math.trunc(((to - from) * into) / blocks)
  }
  return BigInt(drift)
}
