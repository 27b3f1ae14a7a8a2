import { ceilDiv } from '../../../engine/math/decimal.js'
import { ContractError } from '../../wasm/contract.js'
import type { RouterAffiliate, RouterConfig } from './state.js'

/** How a gross output is divided, in its atomics. */
export type Shares = {
  readonly user: bigint
  /** What the collector keeps: the platform's fee without the referral. */
  readonly platform: bigint
  readonly referral: bigint
  readonly affiliate: bigint
}

const BPS = 10_000n

/** @throws ContractError `Cannot Sub with given operands` when the fees exceed the output. */
export function divide(
  { fee_bps }: RouterConfig,
  affiliate: RouterAffiliate | undefined,
  gross: bigint,
): Shares {
  const base = platformFee({ fee_bps }, gross)
  if (affiliate === undefined)
    return { user: less(gross, base), platform: base, referral: 0n, affiliate: 0n }
  const referral = (base * BigInt(affiliate.referral_fee_share_bps)) / BPS
  const extra = (gross * BigInt(affiliate.affiliate_fee_bps)) / BPS
  return {
    user: less(less(gross, base), extra),
    platform: less(base, referral),
    referral,
    affiliate: extra,
  }
}

/** The platform's fee on a gross output, rounded up. */
export const platformFee = ({ fee_bps }: Pick<RouterConfig, 'fee_bps'>, gross: bigint): bigint =>
  ceilDiv(gross * BigInt(fee_bps), BPS)

/** @throws ContractError as `checked_sub` words it. */
export function less(from: bigint, amount: bigint): bigint {
  if (amount > from) throw new ContractError('Cannot Sub with given operands')
  return from - amount
}
