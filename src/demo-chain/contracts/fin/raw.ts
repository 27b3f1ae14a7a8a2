import type { Scaled } from '../../../engine/math/scaled.js'
import { writeJson } from '../serde.js'
import type { BidPool } from './bid-pool.js'
import { type FinConfig, type FinVersion, storedConfig } from './config.js'
import { CONFIG_KEY, isEpochSumKey, isOrderKey, isPoolKey } from './keys.js'
import type { Order } from './order.js'

const scaled = ({ mantissa, scale }: Scaled): unknown => [mantissa, scale]

/** A stored value as the JSON bytes that the real contract keeps (docs/venues.md#storage). */
export const rawBytes = (version: FinVersion, key: string, value: unknown): Uint8Array =>
  Buffer.from(writeJson(stored(version, key, value)))

function stored(version: FinVersion, key: string, value: unknown): unknown {
  if (key === CONFIG_KEY) return storedConfig(version, value as FinConfig)
  if (isEpochSumKey(key)) return scaled(value as Scaled)
  if (isPoolKey(key)) {
    const { total, sum, product, epoch } = value as BidPool
    return { total, sum: scaled(sum), product: scaled(product), epoch }
  }
  if (!isOrderKey(key)) return value
  const { updatedAt, offer, amount, filled, product, sum, epoch } = value as Order
  const share = {
    amount,
    filled,
    product_snapshot: scaled(product),
    sum_snapshot: scaled(sum),
    epoch_snapshot: epoch,
  }
  return [updatedAt, offer, share]
}
