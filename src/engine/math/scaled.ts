/**
 * An unsigned number `mantissa × 10^-scale` with a mantissa below 2^256 and no trailing zeros: the
 * form of a pool's product and sum. Mirrors rujira-rs `bid_pool` (docs/venues.md#precision-of-a-pool).
 */
export type Scaled = { readonly mantissa: bigint; readonly scale: number }

/** Zero, the sum of a fresh pool. */
export const SCALED_ZERO: Scaled = { mantissa: 0n, scale: 0 }

/** One, the product of a fresh pool. */
export const SCALED_ONE: Scaled = { mantissa: 1n, scale: 0 }

/** A scaled number as snapshots write it: mantissa and scale. */
export const scaledText = ({ mantissa, scale }: Scaled): readonly [string, number] => [
  `${mantissa}`,
  scale,
]

/** Digits that one step of a pool's accounting keeps. */
const STEP_SCALE = 24
const STEP_ONE = 10n ** BigInt(STEP_SCALE)
const LIMIT = 1n << 256n

/** `floor(numerator × 10^24 / denominator)` as a scaled number. */
export const scaledRatio = (numerator: bigint, denominator: bigint): Scaled =>
  scaled((numerator * STEP_ONE) / denominator, STEP_SCALE)

/** `1 − floor(numerator × 10^24 / denominator) / 10^24`; numerator ≤ denominator. */
export const scaledComplement = (numerator: bigint, denominator: bigint): Scaled =>
  scaled(STEP_ONE - (numerator * STEP_ONE) / denominator, STEP_SCALE)

/**
 * The product. When it would reach 2^256, both factors lose their last digit and it is tried
 * again, so precision is lost digit by digit and a one-digit factor ends at zero.
 */
export function scaledMul(a: Scaled, b: Scaled): Scaled {
  let { mantissa: m, scale: s } = a
  let { mantissa: n, scale: t } = b
  while (m * n >= LIMIT) {
    m /= 10n
    n /= 10n
    s -= 1
    t -= 1
  }
  return scaled(m * n, s + t)
}

/** The sum, brought to the finer scale; digits that do not fit 256 bits are dropped from the end. */
export function scaledAdd(a: Scaled, b: Scaled): Scaled {
  if (a.mantissa === 0n) return b
  if (b.mantissa === 0n) return a
  let { mantissa: sum, scale } = a
  const finer = scale - b.scale
  if (finer < 0) return scaledAdd(b, a)
  // 2^256 has 78 digits: every digit of `a` would be dropped.
  if (finer > 160) return b
  sum += b.mantissa * 10n ** BigInt(finer)
  while (sum >= LIMIT) {
    sum /= 10n
    scale -= 1
  }
  return scaled(sum, scale)
}

/** Equal values have equal parts, since no scaled number has trailing zeros. */
export const scaledEqual = (a: Scaled, b: Scaled): boolean =>
  a.mantissa === b.mantissa && a.scale === b.scale

/** `mantissa × 10^-scale` without trailing zeros, as the contract keeps it. */
export function scaled(mantissa: bigint, scale: number): Scaled {
  if (mantissa === 0n) return SCALED_ZERO
  let m = mantissa
  let s = scale
  while (m % 10n === 0n) {
    m /= 10n
    s -= 1
  }
  return { mantissa: m, scale: s }
}
