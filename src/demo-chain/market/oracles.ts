import type { OracleAsset } from '../contracts/fin/config.js'
import type { Reader } from '../store/state.js'
import { type AssetFact, assets } from './assets.js'
import { movedBy, priceUsd } from './draw.js'
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

/** The state entry with the height at which a chain began. */
export const FIRST_HEIGHT = ['demo', 'born'] as const

/** Blocks from the start of a chain to a height, which decide the drift of its prices. */
export const ageAt = (state: Reader, height: number): number =>
  height - (state.get<number>(...FIRST_HEIGHT) ?? height)

/** Blocks between two changes of the prices. */
const EVERY = 10

/** The step of oracle prices, which are 18-digit decimals: THORChain's have 8 digits. */
export const PRICE_STEP = 10n ** 10n

/** Dollars of each priced asset at an age of the chain. */
export const oraclePrices = (
  seed: number,
  age: number,
): readonly (readonly [key: string, price: bigint])[] =>
  ORACLE_ASSETS.map((asset) => {
    const { chain, symbol } = oracleAsset(asset)
    const price = movedBy(priceUsd(asset), driftOf(seed, asset, age - (age % EVERY)))
    return [`${chain}.${symbol}`, price - (price % PRICE_STEP)]
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
 * The drift of an asset's price since the start of the chain, in millionths: the sum of slow and quick
 * waves whose turning points follow from the seed. It starts at zero and depends on no history. A pegged asset drifts
 * with its peg; the dollar does not drift.
 */
export function driftOf(seed: number, { denom, peg }: AssetFact, age: number): bigint {
  if (peg === 'usd') return 0n
  let drift = 0
  for (const { reach, blocks } of waves) {
    const label = `drift ${seed} ${peg ?? denom}`
    const index = Math.floor(age / blocks)
    const into = age - index * blocks
    const from = index === 0 ? 0 : turn(label, reach, index)
    const to = turn(label, reach, index + 1)
    drift += from + Math.trunc(((to - from) * into) / blocks)
  }
  return BigInt(drift)
}
