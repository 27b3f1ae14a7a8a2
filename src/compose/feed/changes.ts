import { serialize } from 'node:v8'
import type { Market } from '../../engine/market/market.js'
import type { PairState } from '../../engine/market/pair.js'
import { type SerializedMarket, serializeMarket } from '../../operations/serialized-market.js'

/**
 * Packs markets that follow one another for somebody who has unpacked each of them: pairs that are as
 * they were in the last one are only named.
 */
export function parcels(): (market: Market) => SerializedMarket {
  let sent = new Map<string, Buffer>()
  return (market) => {
    const parcel = serializeMarket(market)
    const packed = new Map<string, Buffer>()
    const pairs = [...market.books].map(([address, { state }]): PairState | string => {
      const bytes = serialize(state)
      packed.set(address, bytes)
      return sent.get(address)?.equals(bytes) ? address : state
    })
    sent = packed
    return { ...parcel, pairs }
  }
}
