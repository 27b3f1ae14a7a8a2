import { marketReader } from '../chain/market/read-market.js'
import { networkNamed } from '../chain/networks/index.js'
import { SwapError } from '../engine/errors.js'
import { encodeSnapshot } from '../engine/snapshot/encode.js'
import { type FetchOptions, fetchSource } from './fetch-source.js'

export type { ErrorCode } from '../engine/errors.js'
export { SwapError } from '../engine/errors.js'
export type { FetchOptions } from './fetch-source.js'

/** A chain whose market is read, again and again. */
export type Chain = {
  /**
   * Reads the whole market at one block, by default the newest, as a snapshot document: for `readMarket` of
   * the engine, or for a file. Immutable data is read once.
   *
   * @throws SwapError UPSTREAM_ERROR (also for a height that no endpoint has), UPSTREAM_INVALID_DATA,
   * UPSTREAM_TIMEOUT, UPSTREAM_RATE_LIMITED; INVALID_REQUEST for an invalid height
   */
  readSnapshot(height?: number): Promise<object>
}

/**
 * Opens a chain; nothing is read before the first call.
 *
 * @param options.network `mainnet` or `demo`, whose nodes are the default of `rpc`. The router of `stagenet` is not
 * known: its readings throw UPSTREAM_INVALID_DATA
 * @throws SwapError INVALID_REQUEST for an unknown network, and for `rpc` that is not a list of URLs; TypeError for a
 * `timeoutMs` that is no whole number above 0 and below 2^31
 */
export function openChain(options: { readonly network: string } & Partial<FetchOptions>): Chain {
  const network = networkNamed(`${options.network}`)
  if (network === undefined)
    throw new SwapError('INVALID_REQUEST', `there is no network "${options.network}"`)
  const { rpc = network.rpc } = options
  if (!Array.isArray(rpc)) throw new SwapError('INVALID_REQUEST', 'rpc is not a list of URLs')
  const reader = marketReader(network, fetchSource(network.chainId, { ...options, rpc }))
  return {
    async readSnapshot(height) {
      if (height !== undefined && !(Number.isSafeInteger(height) && height > 0))
        throw new SwapError('INVALID_REQUEST', `${height} is not the height of a block`)
      return encodeSnapshot(await reader.read(height))
    },
  }
}
