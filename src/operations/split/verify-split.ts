import type { Market } from '../../engine/market/market.js'
import type { Contracts } from '../chain-port.js'
import { allAgree } from '../comparison.js'
import { type VerifiedCall, verifiedCalls } from '../route/verify.js'
import type { SplitDocument } from './split-document.js'

/** The contracts' own numbers for one division, leg by leg. */
export type VerifiedSplit = {
  readonly id: string
  readonly agrees: boolean | null
  /** In the order of the legs; each as if it were the first one, as `simulate` sees it. */
  readonly legs: readonly VerifiedCall[]
}

/** The member `verify` of an answer: one entry a division, in the order of `routes`. */
export type SplitVerification = {
  readonly height: number
  readonly agrees: boolean | null
  readonly routes: readonly VerifiedSplit[]
}

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
