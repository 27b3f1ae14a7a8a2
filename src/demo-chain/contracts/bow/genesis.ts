import { MAX_UINT128 } from '../../../engine/math/uint.js'
import type { Coin } from '../../modules/contract.js'
import { type BowVersion, CONFIG, lpDenom, STATE } from './bow-contract.js'
import type { BowConfig, BowState } from './pool.js'

/** The initial state of one contract. */
export type BowGenesis = {
  /** Keys and values of the contract's own storage. */
  readonly storage: readonly (readonly [key: string, value: unknown])[]
  /** Its balances: the reserves, and all shares that are not issued yet. */
  readonly balances: readonly Coin[]
  /** The shares issued from the start. */
  readonly shares: Coin
}

/** A maker with its reserves and nothing besides. */
export const bowGenesis = (
  config: BowConfig,
  state: BowState,
  version: BowVersion = '1.1',
): BowGenesis => ({
  storage: [
    ['contract_info', { contract: 'rujira-bow', version: `${version}.0` }],
    [CONFIG, config],
    [STATE, state],
  ],
  balances: [
    { denom: config.x, amount: state.x },
    { denom: config.y, amount: state.y },
    { denom: lpDenom(config), amount: MAX_UINT128 - state.shares },
  ],
  shares: { denom: lpDenom(config), amount: state.shares },
})
