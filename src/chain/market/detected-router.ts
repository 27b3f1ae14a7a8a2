import type { Market, Router } from '../../engine/market/market.js'
import type { Network } from '../networks/network.js'
import type { Ask } from '../queries/query-batch.js'
import type { Source } from '../rpc/query-source.js'
import { detectDialect } from './dialect.js'
import type { RouterContract } from './pair-config.js'
import type { ReaderCache } from './reader-cache.js'

/**
 * The router of a market with what neither the network's entry nor a table of builds says: its dialect and how it rounds
 * the affiliate fee (docs/chain.md#dialect-detection). Both are detected once for each code.
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
  { codeId, height }: RouterContract,
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
  if (known?.rounding === undefined && known?.height !== height) {
    const { detectAffiliateRounding } = await import('./affiliate-rounding.js')
    const rounding = await detectAffiliateRounding(source, { ...market, router })
    cache.roundings.set(key, { rounding, height })
  }
  return { ...router, affiliateRounding: cache.roundings.get(key)?.rounding }
}
