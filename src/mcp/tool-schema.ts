import type { TSchema } from 'typebox'
import type { JsonSchema } from '../operations/document-schema.js'
import { isAmount } from '../operations/validate.js'
import type { Tool } from './tool.js'

/** A schema of a tool, whose root must be an object. */
export type ToolSchema = { readonly type: 'object'; readonly [member: string]: unknown }

/** The list of tools, which is the same for every call. */
export function listedTools(tools: readonly Tool[]) {
  const described = new Set<string>()
  return tools.map(({ name, description, effects, request, answer }) => ({
    name,
    description,
    inputSchema: inputSchema(request, described),
    outputSchema: outputSchema(answer),
    annotations: effects,
  }))
}

/** The single description of amounts in a schema. */
const AMOUNT = { type: ['string', 'integer'], description: 'atomics: units * 10^decimals' }
const COIN = {
  type: 'object',
  required: ['denom', 'amount'],
  properties: { denom: { type: 'string' }, amount: { $ref: '#/$defs/amount' } },
}

/** Members whose name is description enough. */
const EVIDENT = new Set(['denom', 'amount', 'input', 'output', 'address'])

/**
 * The request schema for `tools/list`: types, bounds and the first sentence of each top-level member. Amounts
 * are described once, under `$defs`. Every request valid by the full schema is valid here too.
 *
 * @param described descriptions already used by the listed tools, which are not repeated
 */
function inputSchema(request: TSchema, described: Set<string>): ToolSchema {
  const used = new Set<string>()
  const schema = shortShape(request as JsonSchema, 0, { used, described })
  const defs = {
    ...(used.has('coin') && { coin: COIN }),
    ...((used.has('amount') || used.has('coin')) && { amount: AMOUNT }),
  }
  return {
    type: 'object',
    ...schema,
    additionalProperties: false,
    ...(used.size > 0 && { $defs: defs }),
  }
}

type Listing = { readonly used: Set<string>; readonly described: Set<string> }

function shortShape(shape: JsonSchema, depth: number, listing: Listing, name = ''): object {
  const { type, anyOf = [], properties, required, items, minimum, maximum } = shape
  const words = anyOf.flatMap((each) => (typeof each.const === 'string' ? [each.const] : []))
  const { used } = listing
  const description = describe(shape, depth, name, listing)
  if (isAmount(shape)) {
    used.add('amount')
    return { $ref: '#/$defs/amount' }
  }
  if (isCoin(shape)) {
    used.add('coin')
    return { $ref: '#/$defs/coin' }
  }
  if (words.length > 0) return { enum: words, ...description }
  const members = Object.entries(properties ?? {}).map(
    ([key, each]) => [key, shortShape(each, depth + 1, listing, key)] as const,
  )
  return {
    ...(type !== undefined && { type }),
    ...(required !== undefined && required.length > 0 && { required }),
    ...(properties !== undefined && { properties: Object.fromEntries(members) }),
    ...(items !== undefined && { items: shortShape(items, depth + 2, listing) }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...description,
  }
}

/** The first sentence and the default of a top-level member. */
function describe(
  { description = '', default: usual }: JsonSchema,
  depth: number,
  name: string,
  { described }: Listing,
) {
  if (depth !== 1 || EVIDENT.has(name)) return {}
  const [sentence = ''] = description.split(/\.(?: |$)/)
  const isNew = !described.has(`${name} ${sentence}`)
  described.add(`${name} ${sentence}`)
  return {
    ...(sentence !== '' && isNew && { description: sentence }),
    ...(usual !== undefined && { default: usual }),
  }
}

const isCoin = ({ properties = {}, required = [] }: JsonSchema): boolean =>
  Object.keys(properties).join() === 'denom,amount' && required.length === 2

/**
 * The answer schema for `tools/list`: members and types, one level deep. Every document valid by the full
 * schema is valid here too; the full one is the resource `swap://schema/<name>`.
 */
function outputSchema(answer: TSchema): ToolSchema {
  const { properties = {}, anyOf = [] } = answer as JsonSchema
  const members = Object.assign({}, properties, ...anyOf.map((each) => each.properties ?? {}))
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(members).map(([name, each]) => [name, typeOf(each as JsonSchema)]),
    ),
  }
}

function typeOf({ type, anyOf = [] }: JsonSchema): object {
  const types = type === undefined ? anyOf.map((each) => each.type) : [type]
  const known = [...new Set(types.filter((each) => each !== undefined))]
  if (
    known.length === 0 ||
    (type === undefined && known.length < anyOf.length && known[0] !== 'string')
  )
    return {}
  return { type: known.length === 1 ? known[0] : known }
}
