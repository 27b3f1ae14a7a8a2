import { createHash } from 'node:crypto'
import type { Market } from '../../engine/market/market.js'
import { encodeSnapshot } from '../../engine/snapshot/encode.js'

/** A digest of a market's document: equal in all processes that serve the same market. */
export const marketDigest = (market: Market): string =>
  createHash('sha256')
    .update(JSON.stringify(encodeSnapshot(market, { isCompact: true })))
    .digest('base64url')
