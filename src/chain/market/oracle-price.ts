import type { Json } from '../../engine/errors.js'
import { type Decimal, decimal, ONE } from '../../engine/math/decimal.js'
import { amount, member, rootCursor, text } from '../../engine/snapshot/json-cursor.js'
import { unlessFaulty } from '../rpc/faults.js'
import type { Source } from '../rpc/query-source.js'

/** Scale of the chain's oracle prices. */
const SCALE = 10n ** 8n

/**
 * A pair's oracle price as of a height, from the chain's own prices of its two assets
 * (docs/venues.md#oracle-prices); `undefined` if the network has no REST endpoint, or that has no such prices.
 */
export const readOraclePrice = (
  source: Source,
  oracles: readonly [Json, Json],
  height: number,
): Promise<Decimal | undefined> =>
  unlessFaulty(async () => {
    const [base, quote] = await Promise.all(
      oracles.map((oracle) => readPrice(source, oracle, height)),
    )
    return base === undefined || quote === undefined || quote === 0n
      ? undefined
      : decimal((base * ONE) / quote)
  })

async function readPrice(source: Source, asset: Json, height: number): Promise<bigint> {
  const node = rootCursor(asset)
  const [chain, symbol] = [text(member(node, 'chain')), text(member(node, 'symbol'))]
  const isRune = chain === 'THOR' && symbol === 'RUNE'
  const path = isRune ? '/thorchain/network' : `/thorchain/pool/${chain}.${symbol}`
  const answer = rootCursor(await source.rest(`${path}?height=${height}`, height))
  const price = amount(member(answer, isRune ? 'rune_price_in_tor' : 'asset_tor_price'))
  return (price * ONE) / SCALE
}
