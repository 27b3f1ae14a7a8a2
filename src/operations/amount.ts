import { SwapError } from '../engine/errors.js'
import { MAX_UINT128, parseUint128 } from '../engine/math/uint.js'

/**
 * Reads an amount of a request: digits in a string, or an integer that JSON holds exactly. Zero,
 * signs, fractions, exponents and anything above 2^128 − 1 are refused.
 */
export function readAmount(value: string | number, pointer: string): bigint {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? `${value}` : value
  const amount = typeof text === 'string' ? parseUint128(text) : undefined
  if (amount !== undefined && amount > 0n) return amount
  throw new SwapError('INVALID_AMOUNT', `${shown(value)} is not an amount`, {
    why: `an amount is a whole number of atomics above zero and at most ${MAX_UINT128}`,
    hint: 'write it as a string of digits, such as "150000000"',
    members: { pointer },
  })
}

const shown = (value: string | number): string => {
  const text = JSON.stringify(value)
  return text.length > 48 ? `${text.slice(0, 45)}...` : text
}
