import type { Market, Router } from '../../engine/market/market.js'
import { MalformedDocument } from '../../engine/snapshot/json-cursor.js'
import type { Network } from '../networks/network.js'
import type { Ask } from '../queries/query-batch.js'
import { NodeFault } from '../rpc/faults.js'
import type { Source } from '../rpc/query-source.js'
import { detectDialect } from './dialect.js'
import type { RouterContract } from './pair-config.js'
import type { ReaderCache } from './reader-cache.js'

/** Heights before a rounding that is not known is tried again: a node may answer it late each time. */
const PAUSE = 100

/**
 * The router of a market with what neither the network's entry nor a table of builds says: its dialect and how it rounds
 * the affiliate fee (docs/chain.md#dialect-detection). Both are detected once for each code; a rounding that stays
 * unknown is tried again later, and no fault of it is one of the market.
 *
 * @throws InvalidChain when the dialect cannot be told
 */
export async function detectedRouter(
  reading: {
    readonly network: Network
    readonly source: Source
    readonly cache: ReaderCache
    readonly ask: Ask
  },
  market: Market,
  { codeId }: RouterContract,
): Promise<Router> {
  const { network, source, cache, ask } = reading
  const key = `${market.router.address}/${codeId}`
  let { router } = market
  if (network.router.dialect === 'auto') {
    const dialect = cache.dialects.get(key) ?? (await detectDialect(ask, market))
    cache.dialects.set(key, dialect)
    router = { ...router, dialect }
  }
  if (router.affiliateRounding !== undefined) return router
  const known = cache.roundings.get(key)
  if (known !== undefined && (known.rounding !== undefined || market.height < known.again))
    return { ...router, affiliateRounding: known.rounding }
  const { detectAffiliateRounding } = await import('./affiliate-rounding.js')
  const rounding = await detectAffiliateRounding(source, { ...market, router }).catch((error) => {
    if (error instanceof NodeFault || error instanceof MalformedDocument) return undefined
    throw error
  })
  cache.roundings.set(key, { rounding, again: market.height + PAUSE })
  return { ...router, affiliateRounding: rounding }
}
