import type { TSchema } from 'typebox'
import { SwapError } from '../engine/errors.js'
import type { JsonSchema } from '../operations/document-schema.js'
import { attempt } from '../platform/attempt.js'
import { isObject } from '../platform/json-object.js'

/**
 * Parses a query string by a schema. Nested members are joined with dots, `input.denom=rune`; lists are
 * repeated or separated by commas, empty without text, and objects in them numbered from 0, `legs.0.amount=5`. Text becomes a
 * number or boolean only if the schema has one and the text is one; everything else stays text, for
 * validation to refuse.
 *
 * @throws SwapError INVALID_REQUEST for a duplicate parameter or one that cannot be decoded
 */
export function readQuery(query: string, schema: TSchema): object {
  const request: Record<string, unknown> = Object.create(null)
  const seen = new Set<string>()
  for (const [name, text] of parametersOf(query)) {
    const shape = shapeOf(schema as JsonSchema, name)
    if (shape?.type === 'array') {
      const list = at(request, name) ?? []
      if (!Array.isArray(list)) throw duplicateParameter(name)
      put(request, name, [...list, ...(text === '' ? [] : text.split(','))])
      continue
    }
    if (seen.has(name)) throw duplicateParameter(name)
    seen.add(name)
    put(request, name, readValue(text, shape))
  }
  return withLists(request, schema as JsonSchema) as object
}

/** The parameters of a query string. @throws SwapError INVALID_REQUEST if they cannot be decoded */
export function parametersOf(query: string): URLSearchParams {
  if (attempt(() => decodeURIComponent(query)) !== undefined) return new URLSearchParams(query)
  throw new SwapError('INVALID_REQUEST', 'the parameters cannot be decoded', {
    why: 'a % is not followed by the two digits of a byte, or the bytes are not UTF-8',
    hint: 'write a % as %25',
    members: { errors: [] },
  })
}

export function duplicateParameter(name: string): SwapError {
  const shown = name.slice(0, 80)
  return new SwapError('INVALID_REQUEST', 'a parameter is given twice', {
    why: `${shown} may be given once`,
    hint: 'give it once',
    members: { errors: [{ pointer: `/${shown.replaceAll('.', '/')}`, detail: 'is given twice' }] },
  })
}

function shapeOf(schema: JsonSchema, name: string): JsonSchema | undefined {
  let shape: JsonSchema | undefined = schema
  for (const part of name.split('.')) shape = shapeIn(shape, part)
  return shape
}

/** The schema of a member, or of an element if the name is an index. */
function shapeIn(shape: JsonSchema | undefined, name: string): JsonSchema | undefined {
  const { properties, items } = shape ?? {}
  if (items !== undefined) return /^\d{1,2}$/.test(name) ? items : undefined
  return properties && Object.hasOwn(properties, name) ? properties[name] : undefined
}

/** Converts members numbered from 0 to a list if the schema has one. */
function withLists(value: unknown, shape: JsonSchema | undefined): unknown {
  if (!isObject(value)) return value
  const members = value as Members
  for (const [name, each] of Object.entries(members))
    members[name] = withLists(each, shapeIn(shape, name))
  const isList = Object.keys(members).every((name, i) => name === `${i}`)
  return isList && shape?.items !== undefined ? Object.values(members) : members
}

/** Numbers as programs write them: JavaScript's have up to 23 digits after the point, or an exponent. */
const NUMBER = /^-?\d{1,16}(\.\d{1,23})?([eE][-+]?\d{1,3})?$/

function readValue(text: string, shape: JsonSchema | undefined): unknown {
  const kinds = shape?.anyOf?.map(({ type }) => type) ?? [shape?.type]
  if (kinds.includes('string')) return text
  if (kinds.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  if (kinds.includes('integer') && /^-?\d{1,15}$/.test(text)) return Number(text)
  if (kinds.includes('number') && NUMBER.test(text)) return Number(text)
  return text
}

type Members = Record<string, unknown>

function at(request: Members, name: string): unknown {
  let value: unknown = request
  for (const part of name.split('.')) value = (value as Members | undefined)?.[part]
  return value
}

/** Intermediate objects have no prototype, so that no name can reach one. */
function put(request: Members, name: string, value: unknown): void {
  const parts = name.split('.')
  let inner = request
  for (const part of parts.slice(0, -1)) {
    const next = inner[part]
    if (next === undefined) {
      const created: Members = Object.create(null)
      inner[part] = created
      inner = created
    } else if (isObject(next)) inner = next as Members
    else throw duplicateParameter(name)
  }
  const last = parts.at(-1)!
  if (typeof inner[last] === 'object' && !Array.isArray(inner[last])) throw duplicateParameter(name)
  inner[last] = value
}
