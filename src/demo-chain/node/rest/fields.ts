import { invalidArgument } from '../queries/query-failure.js'
import { base64Fault } from '../rpc/arguments.js'

/** Types of request fields by name; other fields are text. */
const KINDS: { readonly [name: string]: 'number' | 'bool' | 'bytes' } = {
  limit: 'number',
  offset: 'number',
  page: 'number',
  height: 'number',
  code_id: 'number',
  count_total: 'bool',
  reverse: 'bool',
  key: 'bytes',
  query_data: 'bytes',
  tx_bytes: 'bytes',
}

const camel = (name: string): string =>
  name.replace(/_([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase())

/** Bytes as base64 in the standard alphabet, from either. @throws Error */
function base64Of(text: string): string {
  if (base64Fault(text) === undefined) return text
  const standard = text.replaceAll('-', '+').replaceAll('_', '/')
  const fault = /[+/]/.test(text) ? base64Fault(text) : base64Fault(standard)
  if (fault !== undefined) throw new Error(`illegal base64 data at input byte ${fault}`)
  return standard
}

const TRUE = /^(?:1|t|T|true|TRUE|True)$/
const FALSE = /^(?:0|f|F|false|FALSE|False)$/

/** A field's text as `fromJSON` reads it. @throws Error worded as Go's */
function parsedField(name: string, text: string): unknown {
  const last = name.slice(name.lastIndexOf('.') + 1)
  const kind = Object.hasOwn(KINDS, last) ? KINDS[last] : undefined
  const parsing = JSON.stringify(text)
  if (kind === 'bytes') return base64Of(text)
  if (kind === 'number') {
    const parser = last === 'height' ? 'ParseInt' : 'ParseUint'
    if (!(last === 'height' ? /^[+-]?\d+$/ : /^\d+$/).test(text))
      throw new Error(`strconv.${parser}: parsing ${parsing}: invalid syntax`)
    const most = 1n << (last === 'height' ? 63n : 64n)
    if (text.length > 40 || BigInt(text) >= most || BigInt(text) < -most)
      throw new Error(`strconv.${parser}: parsing ${parsing}: value out of range`)
    return text
  }
  if (kind === 'bool') {
    if (TRUE.test(text)) return true
    if (FALSE.test(text)) return false
    throw new Error(`strconv.ParseBool: parsing ${parsing}: invalid syntax`)
  }
  return text
}

function put(fields: Record<string, unknown>, name: string, value: unknown): void {
  const [head = '', ...rest] = name.split('.')
  const key = camel(head)
  if (rest.length === 0) {
    fields[key] = key === 'events' ? [...((fields[key] as unknown[]) ?? []), value] : value
    return
  }
  const inner = (fields[key] ??= {}) as Record<string, unknown>
  put(inner, rest.join('.'), value)
}

/**
 * A request's fields from the path and the query.
 *
 * @throws QueryFailure when one is not of its type
 */
export function fieldsOf(
  parts: ReadonlyMap<string, string>,
  query: URLSearchParams,
): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const [name, text] of query) {
    // Names that no request has are passed over.
    if (!/^(?:pagination\.)?[a-z_]+$/.test(name) || name === 'pagination') continue
    try {
      put(fields, name, parsedField(name, text))
    } catch (error) {
      throw invalidArgument((error as Error).message)
    }
  }
  for (const [name, text] of parts) {
    try {
      put(fields, name, parsedField(name, text))
    } catch (error) {
      throw invalidArgument(`type mismatch, parameter: ${name}, error: ${(error as Error).message}`)
    }
  }
  return fields
}

/**
 * A request's fields from a parsed body.
 *
 * @throws QueryFailure when one is not of its type
 */
export function fieldsOfBody(body: unknown): Record<string, unknown> {
  if (body === null || typeof body !== 'object' || Array.isArray(body))
    throw invalidArgument(
      'json: cannot unmarshal value into Go value of type map[string]json.RawMessage',
    )
  const fields: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(body)) {
    const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined
    if (kind === 'bytes' && value !== null) {
      if (typeof value !== 'string')
        throw invalidArgument(
          `json: cannot unmarshal ${typeof value} into Go value of type []uint8`,
        )
      try {
        put(fields, name, base64Of(value))
      } catch (error) {
        throw invalidArgument((error as Error).message)
      }
    } else if (value !== null && typeof value !== 'object') fields[camel(name)] = value
  }
  return fields
}
