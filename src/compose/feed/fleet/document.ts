import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import type { Market } from '../../../engine/market/market.js'
import { decodeSnapshot } from '../../../engine/snapshot/decode.js'
import { encodeSnapshot } from '../../../engine/snapshot/encode.js'

/** Compresses to a quarter in some milliseconds; more effort gains a thirtieth. */
const QUALITY = 1

/** A document that would be larger is refused while it is unpacked. */
const MOST_BYTES = 256 * 1024 * 1024

/** The snapshot document of a market, compressed. */
export const packed = (market: Market): Uint8Array =>
  brotliCompressSync(JSON.stringify(encodeSnapshot(market)), {
    params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY },
  })

/**
 * The market of a published document.
 *
 * @throws SwapError INVALID_SNAPSHOT, also for what another version published; what zlib throws
 */
export const unpackedMarket = (document: Uint8Array): Market => {
  const text = brotliDecompressSync(document, { maxOutputLength: MOST_BYTES }).toString('utf8')
  return decodeSnapshot(JSON.parse(text), 'the published snapshot')
}
