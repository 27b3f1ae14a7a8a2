import type { Market } from '../../engine/market/market.js'
import type { Contracts } from '../chain-port.js'
import { allAgree } from '../comparison.js'
import { verifiedCalls } from '../route/verify.js'
import type { SplitDocument, SplitVerification } from './split-documents.js'

/**
 * Asks the contracts about every leg of every division: each pair about what its hop is offered, the
 * router about the leg alone. `simulate` sees untouched books, so both numbers are those of such.
 */
export async function verifySplits(
  contracts: Contracts,
  market: Market,
  splits: readonly SplitDocument[],
): Promise<SplitVerification> {
  const calls = await verifiedCalls(
    contracts,
    market,
    splits.flatMap(({ legs }) => legs),
  )
  let at = 0
  const routes = splits.map(({ id, legs: { length } }) => {
    const legs = calls.slice(at, (at += length))
    return { id, agrees: allAgree(legs.map(({ agrees }) => agrees)), legs }
  })
  return {
    height: market.height,
    agrees: allAgree(routes.map(({ agrees }) => agrees)),
    routes,
  }
}
