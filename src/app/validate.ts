import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { type Json, SwapError } from '../errors.js'
import { MAX_UINT128, parseUint128 } from '../math/uint.js'

/**
 * Checks a request against its schema. Every fault is told with its JSON pointer; nothing is dropped,
 * coerced or filled in.
 */
export function validate<T extends TSchema>(schema: T, request: unknown): Static<T> {
  if (Value.Check(schema, request)) return request as Static<T>
  const seen = new Set<string>()
  const errors: { pointer: string; detail: string }[] = []
  for (const error of Value.Errors(schema, request)) {
    for (const fault of faultsOf(error)) {
      if (seen.has(fault.pointer)) continue
      seen.add(fault.pointer)
      errors.push(fault)
    }
  }
  throw new SwapError('INVALID_REQUEST', 'the request is not one that this operation takes', {
    why: errors.map(({ pointer, detail }) => `${pointer || 'it'} ${detail}`).join('; '),
    hint: 'correct the named members; swap help route lists them',
    members: { errors: errors as Json },
  })
}

type SchemaError = ReturnType<typeof Value.Errors>[number]

/** One entry a member that is at fault: unknown and missing members are named themselves. */
function faultsOf(error: SchemaError): readonly { pointer: string; detail: string }[] {
  const at = (name: string) => `${error.instancePath}/${name}`
  if (error.keyword === 'additionalProperties')
    return (error.params as { additionalProperties: string[] }).additionalProperties.map(
      (name) => ({
        pointer: at(name),
        detail: 'is not a member of this request',
      }),
    )
  if (error.keyword === 'required')
    return (error.params as { requiredProperties: string[] }).requiredProperties.map((name) => ({
      pointer: at(name),
      detail: 'is missing',
    }))
  return [{ pointer: error.instancePath, detail: error.message }]
}

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
