import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Value } from 'typebox/value'
import { type Json, SwapError } from '../engine/errors.js'

/**
 * Checks a request against its schema. Every fault is told with its JSON pointer; nothing is dropped,
 * coerced or filled in.
 */
export function validate<T extends TSchema>(schema: T, request: unknown): Static<T> {
  if (checkOf(schema)(request)) return request as Static<T>
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

const checks = new WeakMap<TSchema, (request: unknown) => boolean>()

/** The check of a schema, compiled when it is first needed: a service makes it thousands of times a second. */
function checkOf(schema: TSchema): (request: unknown) => boolean {
  let check = checks.get(schema)
  if (check === undefined) {
    const compiled = Compile(schema)
    checks.set(schema, (check = (request) => compiled.Check(request)))
  }
  return check
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
  // A member that no schema allows is checked against the schema `false`.
  if (error.keyword === 'boolean')
    return [{ pointer: error.instancePath, detail: 'is not a member of this request' }]
  return [{ pointer: error.instancePath, detail: error.message }]
}
