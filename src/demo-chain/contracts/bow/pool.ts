import { fillXyk, xykReserves } from '../../../engine/market/venues/xyk.js'
import { type Decimal, formatDecimal, mulFloor, uint128 } from '../../../engine/math/decimal.js'
import { squareRoot } from '../../../engine/math/integers.js'
import { Abort, type Coin, ContractError } from '../../modules/contract.js'

/** The configuration of a pool. */
export type BowConfig = {
  readonly x: string
  readonly y: string
  /** Share of the reserve that one level buys. */
  readonly step: Decimal
  /** Least size of a level, in atomics of either denom. */
  readonly minQuote: bigint
  /** Share of the output that the pool keeps for its owners. */
  readonly fee: Decimal
}

/** The reserves that quotes are computed from, not the bank balance, and the LP shares issued. */
export type BowState = { readonly x: bigint; readonly y: bigint; readonly shares: bigint }

/** A pool as a maker of the engine. */
export const makerOf = (config: BowConfig, state: BowState) => ({
  ...config,
  kind: 'xyk' as const,
  address: '',
  reserveX: state.x,
  reserveY: state.y,
})

/** The configuration in the format of answers and storage. */
export const wireConfig = (config: BowConfig) => ({
  x: config.x,
  y: config.y,
  step: formatDecimal(config.step),
  min_quote: `${config.minQuote}`,
  fee: formatDecimal(config.fee),
})

/** Reserves in the format of answers. */
export const wireState = ({ x, y, shares }: BowState) => ({
  x: `${x}`,
  y: `${y}`,
  k: `${x * y}`,
  shares: `${shares}`,
})

/** The result of one swap; fee and surplus stay in the bank account, outside the reserves. */
type SwapResult = { readonly after: BowState; readonly fee: bigint; readonly surplus: bigint }

/**
 * The whole offer in one constant-product step (docs/venues.md#one-step-fills); exactly `ask` is
 * paid. The fee is rounded down.
 *
 * @throws ContractError `InvalidPair`, `Underflow`, `InsufficientReturn expected <coin> got <coin>`
 */
export function fill(config: BowConfig, state: BowState, offer: Coin, ask: Coin): SwapResult {
  // Stricter than the original, which pays any requested denom.
  const other = offer.denom === config.y ? config.x : config.y
  if ((offer.denom !== config.x && offer.denom !== config.y) || ask.denom !== other)
    throw new ContractError('InvalidPair')
  const maker = makerOf(config, state)
  const [x, y] = xykReserves(maker, offer.denom)
  // A pool with an empty side neither quotes nor accepts coins.
  const filled = x === 0n ? maker : fillXyk(maker, offer.denom, offer.amount, 0n)
  const [nextX, nextY] = xykReserves(filled, offer.denom)
  if (nextX * nextY < x * y) throw new ContractError('Underflow')
  const out = y - nextY
  const fee = mulFloor(out, config.fee)
  const net = out - fee
  if (net < ask.amount)
    throw new ContractError(
      `InsufficientReturn expected ${ask.amount}${ask.denom} got ${net}${ask.denom}`,
    )
  return {
    after: { x: filled.reserveX, y: filled.reserveY, shares: state.shares },
    fee,
    surplus: net - ask.amount,
  }
}

/**
 * The shares of a deposit, rounded down at every step: the root of the product at first, later in
 * proportion to the growth of that root. What a deposit adds beyond the pool's own ratio pays half
 * the pool's fee, since half of it is in effect swapped.
 *
 * @throws ContractError `InvalidDeposit` when the first deposit is empty
 * @throws Abort when one side of the pool is empty: the contract divides by zero
 */
export function mintedShares(config: BowConfig, state: BowState, x: bigint, y: bigint): bigint {
  if (state.shares === 0n) {
    if (x === 0n && y === 0n) throw new ContractError('InvalidDeposit')
    return uint128(squareRoot(x * y))
  }
  const root = squareRoot(state.x * state.y)
  if (root === 0n) throw new Abort('attempt to divide by zero')
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

/** The coins for redeemed shares, rounded down, and the pool without them. */
export function redeem(
  state: BowState,
  shares: bigint,
): { readonly x: bigint; readonly y: bigint; readonly after: BowState } {
  // The real contract pays the last owner everything, but does not clear its reserves.
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
