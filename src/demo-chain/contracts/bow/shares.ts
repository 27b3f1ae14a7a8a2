import { mulFloor } from '../../../engine/math/decimal.js'
import { squareRoot } from '../../../engine/math/root.js'
import { uint128 } from '../../../engine/math/uint.js'
import { ContractError } from '../../wasm/contract.js'
import type { BowConfig, BowState } from './strategy.js'

/**
 * The shares of a deposit, rounded down at every step: the root of the product at first, later in
 * proportion to the growth of that root. What a deposit adds beyond the pool's own ratio pays half
 * the pool's fee, since half of it is in effect swapped.
 *
 * @throws ContractError `InvalidDeposit` when the first deposit is empty
 * @throws ArithmeticAbort when one side of the pool is empty, where the contract divides by zero
 */
export function mintedShares(config: BowConfig, state: BowState, x: bigint, y: bigint): bigint {
  if (state.shares === 0n) {
    if (x === 0n && y === 0n) throw new ContractError('InvalidDeposit')
    return uint128(squareRoot(x * y))
  }
  const root = squareRoot(state.x * state.y)
  // A reserve of zero stops the contract; -1 is what no unsigned number can be.
  if (root === 0n) return uint128(-1n)
  const balanced = least((x * state.shares) / state.x, (y * state.shares) / state.y)
  const grown = squareRoot((state.x + x) * (state.y + y)) - root
  const shares = (grown * state.shares) / root
  const fee = shares > balanced ? mulFloor(shares - balanced, config.fee) / 2n : 0n
  return uint128(shares - fee)
}

/** The pool after a deposit. */
export const afterDeposit = (state: BowState, x: bigint, y: bigint, minted: bigint): BowState => ({
  x: uint128(state.x + x),
  y: uint128(state.y + y),
  shares: uint128(state.shares + minted),
})

/** What shares are worth, rounded down, and the pool without them. */
export function redeem(
  state: BowState,
  shares: bigint,
): { readonly x: bigint; readonly y: bigint; readonly after: BowState } {
  if (state.shares === 0n) return { x: 0n, y: 0n, after: state }
  // The original pays the last owner everything and forgets to empty its reserves.
  if (state.shares === shares) return { x: state.x, y: state.y, after: state }
  const x = (state.x * shares) / state.shares
  const y = (state.y * shares) / state.shares
  return {
    x,
    y,
    after: {
      x: uint128(state.x - x),
      y: uint128(state.y - y),
      shares: uint128(state.shares - shares),
    },
  }
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)
