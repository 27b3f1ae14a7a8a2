import { rootCursor } from '../../engine/snapshot/json-cursor.js'
import { decodeGasLimit } from '../queries/header.js'
import type { Reading } from './reader-cache.js'

/**
 * The gas member of a snapshot. The limit of a transaction is the configured one of the network, otherwise that of the
 * consensus parameters, if the node reports them (docs/chain.md#gas-estimates).
 */
export async function readGas(reading: Reading): Promise<object> {
  const limit = await readLimit(reading)
  return {
    percent: Number(reading.network.gas.percent),
    ...(limit !== undefined && { limit: `${limit}` }),
  }
}

async function readLimit({ network, source, cache, height }: Reading): Promise<bigint | undefined> {
  if (network.gas.limit !== undefined) return network.gas.limit
  return cache.gasLimit.at(height, async () => {
    try {
      const answer = await source.call('consensus_params', { height: `${height}` })
      return decodeGasLimit(rootCursor(answer))
    } catch {
      // Not every node answers this query; then there is no limit.
      return undefined
    }
  })
}
