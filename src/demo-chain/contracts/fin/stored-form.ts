import { formatDecimal } from '../../../engine/math/decimal.js'
import type { Scaled } from '../../../engine/math/scaled.js'
import { writeJson } from '../serde.js'
import type { BidPool, Order } from './bid-pool.js'
import type { FinConfig, FinVersion } from './config.js'
import { CONFIG_KEY, isEpochSumKey, isOrderKey, isPoolKey } from './storage.js'

/** The configuration in the storage format of the real contract. */
const storedConfig = (version: FinVersion, config: FinConfig): unknown => ({
  denoms: config.denoms,
  oracles: config.oracles,
  ...(version === '1.0'
    ? { market_maker: config.makers[0] ?? null }
    : { market_makers: { contracts: config.makers } }),
  tick: config.tick,
  fee_maker: formatDecimal(config.feeMaker),
  fee_taker: formatDecimal(config.feeTaker),
  fee_address: config.feeAddress,
})

const scaledForm = ({ mantissa, scale }: Scaled): unknown => [mantissa, scale]

/** A stored value as the JSON bytes of the real contract's storage (docs/venues.md#storage). */
export const rawBytes = (version: FinVersion, key: string, value: unknown): Uint8Array =>
  Buffer.from(writeJson(storedForm(version, key, value)))

function storedForm(version: FinVersion, key: string, value: unknown): unknown {
  if (key === CONFIG_KEY) return storedConfig(version, value as FinConfig)
  if (isEpochSumKey(key)) return scaledForm(value as Scaled)
  if (isPoolKey(key)) {
    const { total, sum, product, epoch } = value as BidPool
    return { total, sum: scaledForm(sum), product: scaledForm(product), epoch }
  }
  if (!isOrderKey(key)) return value
  const { updatedAt, offer, amount, filled, product, sum, epoch } = value as Order
  const share = {
    amount,
    filled,
    product_snapshot: scaledForm(product),
    sum_snapshot: scaledForm(sum),
    epoch_snapshot: epoch,
  }
  return [updatedAt, offer, share]
}
