import { bowContract, bowGenesis } from '../../../../src/demo-chain/contracts/bow/bow-contract.js'
import type { BowConfig, BowState } from '../../../../src/demo-chain/contracts/bow/pool.js'
import type { Coin } from '../../../../src/demo-chain/modules/contract.js'
import { parseDecimal } from '../../../../src/engine/math/decimal.js'
import { type World, worldOf } from '../../../support/contract-world.js'

/** A pool's configuration with some members replaced. */
export const config = (over: Partial<BowConfig> = {}): BowConfig => ({
  x: 'x',
  y: 'y',
  step: parseDecimal('0.001')!,
  minQuote: 10_000n,
  fee: parseDecimal('0')!,
  ...over,
})

/** A world with one pool, at `bow`. */
export function poolWorld(
  poolConfig: BowConfig,
  state: BowState,
  version: '1.0' | '1.1' = '1.1',
): World {
  const { storage, balances } = bowGenesis(poolConfig, state)
  return worldOf(new Map([['bow', { contract: bowContract(version), storage, balances }]]))
}

export const coin = (amount: bigint | number, denom: string): Coin => ({
  denom,
  amount: BigInt(amount),
})
