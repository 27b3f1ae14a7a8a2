import { offerDenom, type PairState, restingOf, type Side } from './pair.js'
import { xykReserves } from './venues/xyk.js'

/** See `Book.depth`. */
export function depthOf(state: PairState, side: Side): bigint {
  const { fixed, oracle } = restingOf(state, side)
  const pools = [...fixed, ...oracle].reduce((sum, pool) => sum + pool.total, 0n)
  return state.makers.reduce((sum, maker) => {
    if (maker.kind === 'xyk') return sum + xykReserves(maker, offerDenom(state.pair, side))[1]
    if (maker.kind === 'silent' || maker.stale) return sum
    const levels = side === 'ask' ? maker.asks : maker.bids
    return levels.reduce((total, level) => total + level.size, sum)
  }, pools)
}
