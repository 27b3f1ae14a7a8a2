import { invalidArgument } from '../queries/query-failure.js'
import { isBase64 } from '../rpc/arguments.js'

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

/** A field as `fromJSON` of its message reads it. @throws QueryFailure */
function parsedField(name: string, value: unknown): unknown {
  const last = name.slice(name.lastIndexOf('.') + 1)
  const kind = Object.hasOwn(KINDS, last) ? KINDS[last] : undefined
  if (kind === undefined) return value
  const text = String(value)
  if (kind === 'number' && /^-?\d{1,20}$/.test(text) && (last === 'height' || text[0] !== '-'))
    return text
  if (kind === 'bool' && /^(?:true|false)$/.test(text)) return text === 'true'
  if (kind === 'bytes' && typeof value === 'string') {
    // The alphabet of URLs is accepted as well.
    const standard = value.replaceAll('-', '+').replaceAll('_', '/')
    if (isBase64(standard)) return standard
  }
  throw invalidArgument(`invalid ${kind} ${JSON.stringify(value)} for the parameter ${name}`)
}

/**
 * A request's fields by the names of its message. Names that no request has are left out.
 *
 * @throws QueryFailure when one is not of its type
 */
export function fieldsOf(given: Iterable<readonly [string, unknown]>): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  const pagination: Record<string, unknown> = {}
  for (const [name, value] of given) {
    if (value === null || typeof value === 'object') continue
    const [, paged, own = ''] = /^(pagination\.)?([a-z_]+)$/.exec(name) ?? []
    if (own !== '') (paged ? pagination : fields)[camel(own)] = parsedField(name, value)
  }
  return { ...fields, pagination }
}
