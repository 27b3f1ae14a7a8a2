import type { Excluded } from '../../engine/market/market.js'
import type { Pair } from '../../engine/market/pair.js'
import type { Denom } from '../../engine/market/token.js'
import { finRules } from '../../engine/market/venues/fin-rules.js'
import type { PairContract } from './pair-config.js'

/** What is known of pairs without their books. */
type Knowledge = {
  readonly contracts: readonly PairContract[]
  /** The denoms of their labels by address. */
  readonly labels: ReadonlyMap<string, readonly Denom[]>
  readonly retired: readonly string[]
}

/**
 * The pairs that a market leaves out, with what is known of them: their orders can be listed and closed
 * without a book.
 */
export function leftOut(
  pairs: readonly Excluded[],
  { contracts, labels, retired }: Knowledge,
): readonly Excluded[] {
  const known = new Map(contracts.map((facts) => [facts.address, facts]))
  return pairs.map(({ address, status, reason }) => {
    const facts = known.get(address)
    const pair = facts && pairOf(facts)
    const [base, quote] = pair === undefined ? (labels.get(address) ?? []) : [pair.base, pair.quote]
    return {
      ...{ address, status, reason },
      ...(base !== undefined && quote !== undefined && { denoms: { base, quote } }),
      ...(pair && { pair }),
      ...(retired.includes(address) && { isRetired: true }),
    }
  })
}

const pairOf = ({ address, config, version }: PairContract): Pair => {
  const { makers: _, ...rest } = config
  return { address, ...rest, version, rules: finRules(version), ranges: [] }
}
