import type { Static, TSchema } from 'typebox'
import { Check, Compile, Errors } from 'typebox/schema'
import { type Json, SwapError } from '../engine/errors.js'
import { readAmount } from './amount.js'
import type { JsonSchema } from './document-schema.js'
import { similarNames } from './suggest.js'
import { TX_HASH_PATTERN } from './tx-hash.js'

/** Names of an operation for hints: its command and its endpoint, or its schema's address. */
type OperationName = { readonly cli?: string; readonly http?: string; readonly schema?: string }

type Fault = { readonly pointer: string; readonly detail: string }

/**
 * Validates a request against its schema; no text may have control characters. All errors are reported with
 * their JSON pointers; nothing is dropped, coerced or filled in.
 *
 * @throws SwapError INVALID_REQUEST; INVALID_AMOUNT for a text or a number that is not a valid amount
 */
export function validate<T extends TSchema>(
  schema: T,
  request: unknown,
  operation: OperationName,
): Static<T> {
  const large = oversized(schema as JsonSchema, request, '')
  if (large !== undefined) throw invalidRequest([large], operation)
  const controls = controlCharacters(schema as JsonSchema, request, '')
  if (!checkOf(schema)(request)) throw invalidRequest(schemaFaults(schema, request), operation)
  if (controls.length > 0) throw invalidRequest(controls, operation)
  return request as Static<T>
}

/** Members of an object at most; no request has half as many. */
const MOST_MEMBERS = 64

/**
 * A list with more items than its schema takes, or an object with many more members. It is refused before the schema
 * checks each of them: of the tens of thousands that a body can have this would take a tenth of a second.
 */
function oversized(shape: JsonSchema, value: unknown, pointer: string): Fault | undefined {
  const { maxItems = Number.POSITIVE_INFINITY, properties } = shape
  if (Array.isArray(value))
    return value.length > maxItems
      ? { pointer, detail: `must not have more than ${maxItems} items` }
      : undefined
  if (typeof value !== 'object' || value === null || properties === undefined) return undefined
  const names = Object.keys(value)
  if (names.length > MOST_MEMBERS)
    return { pointer, detail: `must not have more than ${MOST_MEMBERS} members` }
  for (const name of names) {
    const member = (value as Record<string, unknown>)[name]
    if (typeof member !== 'object') continue
    const found = oversized(properties[name] ?? {}, member, `${pointer}/${name}`)
    if (found !== undefined) return found
  }
  return undefined
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/

/**
 * Texts with characters that databases or terminals reject, anywhere in the request. Amounts are read here, since the
 * schema would report a wrong type or a pattern.
 */
function controlCharacters(shape: JsonSchema, value: unknown, pointer: string): readonly Fault[] {
  if (typeof value === 'string' || typeof value === 'number') {
    if (isAmount(shape)) readAmount(value, pointer)
    return shape.type === 'string' && CONTROL.test(String(value))
      ? [{ pointer, detail: 'must not have control characters' }]
      : []
  }
  if (typeof value !== 'object' || value === null) return []
  const faults: Fault[] = []
  for (const [name, member] of Object.entries(value)) {
    const inner = Array.isArray(value) ? shape.items : shape.properties?.[name]
    if (inner !== undefined) faults.push(...controlCharacters(inner, member, `${pointer}/${name}`))
  }
  return faults
}

/** Whether a schema is an amount: digits in a string, or an integer. */
export const isAmount = ({ anyOf = [] }: JsonSchema): boolean =>
  anyOf.length === 2 && anyOf[0]?.type === 'string' && anyOf[1]?.type === 'integer'

/** Characters of a pointer at most: names of unknown members have any length. */
export const LONGEST_POINTER = 160

function schemaFaults(schema: TSchema, request: unknown): readonly Fault[] {
  const reported = new Set<string>()
  const errors: Fault[] = []
  for (const error of Errors(schema, request)[1]) {
    for (const { pointer: whole, detail } of faultsOf(error, schema as JsonSchema)) {
      const pointer = whole.slice(0, LONGEST_POINTER)
      if (reported.has(pointer)) continue
      reported.add(pointer)
      errors.push({ pointer, detail })
    }
  }
  return errors
}

export function invalidRequest(
  errors: readonly Fault[],
  { cli, http, schema }: OperationName,
): SwapError {
  const list = http ? `${http} in /docs` : schema
  return new SwapError('INVALID_REQUEST', 'the request is not one that this operation takes', {
    why: errors.map(({ pointer, detail }) => `${pointer || 'it'} ${detail}`).join('; '),
    hint: {
      cli: `correct the named members${cli ? `; swap help ${cli} lists them` : ''}`,
      http: `correct the named members${list ? `; ${list} lists them` : ''}`,
    },
    members: { errors: errors as Json },
  })
}

/** Compiled checks by schema; `undefined` after the first use. */
const checks = new WeakMap<TSchema, ((request: unknown) => boolean) | undefined>()

/**
 * The check of a schema, compiled on second use: a service runs it thousands of times a second, but compiling
 * takes 5 ms, which would delay a first answer.
 */
function checkOf(schema: TSchema): (request: unknown) => boolean {
  let check = checks.get(schema)
  if (check === undefined && checks.has(schema)) {
    const compiled = Compile(schema)
    check = (request) => compiled.Check(request)
  }
  checks.set(schema, check)
  return check ?? ((request) => Check(schema, request))
}

type SchemaError = ReturnType<typeof Errors>[1][number]

/** One error for each invalid member, including unknown and missing ones by name. */
function faultsOf(error: SchemaError, schema: JsonSchema): readonly Fault[] {
  const at = error.instancePath
  if (error.keyword === 'additionalProperties')
    return error.params.additionalProperties.map((name) => unknownMember(`${at}/${name}`, schema))
  if (error.keyword === 'required')
    return error.params.requiredProperties.map((name) => ({
      pointer: `${at}/${name}`,
      detail: 'is missing',
    }))
  // An unknown member is checked against the schema `false`.
  if (error.keyword === 'boolean') return [unknownMember(at, schema)]
  const shape = shapeAt(schema, at)
  const unit = UNIT_WORDS.get(`${nameAt(at)} ${error.keyword}`)
  const detail = unit ?? formOf(shape) ?? valueWords(error, shape) ?? error.message
  return [{ pointer: at, detail }]
}

/** The error of an unknown member, with members of similar names: of the same object, or else of the whole request. */
function unknownMember(pointer: string, schema: JsonSchema): Fault {
  const name = nameAt(pointer)
  const parent = pointer.slice(0, -name.length - 1)
  const similar = (pointers: readonly string[]) =>
    similarNames(name, pointers.map(nameAt)).flatMap((near) =>
      pointers.filter((each) => nameAt(each) === near),
    )
  const siblings = Object.keys(shapeAt(schema, parent).properties ?? {})
  const near = similar(siblings.map((each) => `${parent}/${each}`))
  const meant = (near.length > 0 ? near : similar(pointersOf(schema, ''))).join(', ')
  const question = meant === '' ? '' : `; did you mean ${meant}?`
  return { pointer, detail: `is not a member of this request${question}` }
}

/** The pointers of the members of a schema, at any depth but for those of lists. */
const pointersOf = ({ properties = {} }: JsonSchema, at: string): readonly string[] =>
  Object.entries(properties).flatMap(([name, shape]) => [
    `${at}/${name}`,
    ...pointersOf(shape, `${at}/${name}`),
  ])

const nameAt = (pointer: string): string => pointer.slice(pointer.lastIndexOf('/') + 1)

const AUTO = 'must be auto; slippage_bps is a number, in basis points'

/** Details of wrong values of a slippage, whose unit is easily mistaken. */
const UNIT_WORDS: ReadonlyMap<string, string> = new Map([
  ['slippage type', AUTO],
  ['slippage const', AUTO],
  ['slippage_bps type', 'must be a whole number of basis points: 50 is 0.5 %'],
])

/** Descriptions of the requests' patterns. */
const PATTERN_WORDS: ReadonlyMap<string, string> = new Map([
  [TX_HASH_PATTERN, 'must be the hash of a transaction: 64 hexadecimal digits, with or without 0x'],
])

/** The values of an enumeration, or a pattern in words. */
function formOf({ anyOf = [], pattern = '' }: JsonSchema): string | undefined {
  const values = anyOf.flatMap((schema) => (schema.const === undefined ? [] : [schema.const]))
  if (values.length > 0 && values.length === anyOf.length)
    return `must be one of ${values.join(', ')}`
  return PATTERN_WORDS.get(pattern)
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
}

/** What the value must be: its type, with the bounds of a number, or not empty. */
function valueWords(error: SchemaError, shape: JsonSchema): string | undefined {
  if (error.keyword === 'minItems' || error.keyword === 'minLength')
    return error.params.limit === 1 ? 'must not be empty' : undefined
  if (error.keyword === 'minProperties' || error.keyword === 'maxProperties')
    return `must have exactly one member: ${Object.keys(shape.properties ?? {}).join(' or ')}`
  if (!['type', 'minimum', 'maximum'].includes(error.keyword)) return undefined
  if (isAmount(shape)) return 'must be a string of digits'
  const { minimum, maximum } = shape
  const words = TYPE_WORDS[`${shape.type}`]
  if (words === undefined) return undefined
  const least = maximum === undefined ? 'of at least' : 'from'
  const most = minimum === undefined ? 'of at most' : 'to'
  return [
    `must be ${words}`,
    ...(minimum === undefined ? [] : [least, minimum]),
    ...(maximum === undefined ? [] : [most, maximum]),
  ].join(' ')
}

const shapeAt = (schema: JsonSchema, pointer: string): JsonSchema =>
  pointer
    .split('/')
    .slice(1)
    .reduce<JsonSchema>((shape, part) => shape.properties?.[part] ?? shape.items ?? {}, schema)
