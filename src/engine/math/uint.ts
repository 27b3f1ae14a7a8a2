/** The largest amount that the chain can hold: 2^128 − 1. */
export const MAX_UINT128 = (1n << 128n) - 1n

/** 128-bit arithmetic left its range: the contract itself would stop here with a VM abort. */
export class ArithmeticAbort extends Error {
  override readonly name = 'ArithmeticAbort'
}

/** Passes a value that fits `Uint128`; otherwise throws, as the contract panics. */
export function uint128(value: bigint): bigint {
  if (value < 0n || value > MAX_UINT128) throw new ArithmeticAbort('overflow')
  return value
}

/**
 * Reads an amount in the chain's text form: decimal digits, no sign, no leading zero, at most
 * 2^128 − 1. Anything else is `undefined`.
 */
export function parseUint128(text: string): bigint | undefined {
  if (!/^(0|[1-9]\d{0,38})$/.test(text)) return undefined
  const value = BigInt(text)
  return value <= MAX_UINT128 ? value : undefined
}
