import type { TSchema } from 'typebox'
import type { JsonSchema } from '../../operations/document-schema.js'
import type { Endpoint, Example, Operation } from '../../operations/operation.js'
import { httpProblemOf } from '../../operations/problem.js'
import { type CompressedBody, compressedBody } from '../answers/compressed.js'
import type { RequestContext } from '../answers/handler.js'
import type { ServedMarket } from '../feed/market-feed.js'
import { ALWAYS, headerOf, OF_SERVICE, Problem, problemResponses, WITH_BODY } from './errors.js'

export const openApiEndpoint: Endpoint = {
  name: 'openapi',
  method: 'GET',
  path: '/openapi.json',
  tag: 'service',
  summary: 'This document',
  response: { type: 'object' },
  isTagged: true,
  answer: { openapi: '3.1.0' },
}

/**
 * The API document, with an example answer for every operation that a served market could answer. The others are tried
 * again on the next market, or with the next request where the service was overloaded.
 */
export function openApiOf(
  endpoints: readonly Endpoint[],
  operations: readonly Operation[],
  version: string,
  { feed, quotes }: RequestContext,
): () => Promise<CompressedBody> {
  const examples = new Map<string, Example>()
  let tried: ServedMarket | undefined
  // Encoded once, since every response sends the same bytes.
  let document: Promise<CompressedBody> | undefined
  const encoded = async (): Promise<CompressedBody> =>
    compressedBody(Buffer.from(JSON.stringify(openApi(endpoints, version, examples))), 'small')
  const completed = async (
    served: ServedMarket,
    before: typeof document,
  ): Promise<CompressedBody> => {
    const known = await before
    const { size } = examples
    for (const operation of operations) {
      if (examples.has(operation.name)) continue
      const example = operation.exampleFrom
        ? await operation.exampleFrom(examples)
        : await exampleOf(operation, served)
      if (example !== undefined) examples.set(operation.name, example)
    }
    return known === undefined || examples.size > size ? encoded() : known
  }
  const exampleOf = async (
    operation: Operation,
    served: ServedMarket,
  ): Promise<Example | undefined> => {
    const { example: request } = operation
    try {
      const prepared = operation.prepare(request)
      const text = await quotes.textOf(served, { operation, prepared }, () => {})
      return { request, answer: JSON.parse(text) }
    } catch (error) {
      // Any other error: the market lacks the example's tokens.
      if (httpProblemOf(error).retryable) tried = undefined
      return undefined
    }
  }
  return () => {
    const served = feed.current()
    if (served !== undefined && served !== tried && examples.size < operations.length) {
      tried = served
      document = completed(served, document)
    }
    document ??= encoded()
    return document
  }
}

const TAGS = [
  { name: 'swap', description: 'Quotes. Every answer is computed from one block.' },
  { name: 'history', description: 'What was executed.' },
  { name: 'service', description: 'How the service itself is doing.' },
]

const DESCRIPTION = `The best way to swap one token for another across on-chain order books, exact to the last atomic.

Amounts count atomics (smallest units) and are strings of digits; a request may also use an integer that JSON holds
exactly. The same request on the same height gives the same bytes. The service signs nothing and broadcasts nothing.

Every answer has an \`X-Request-Id\`, and those that a limit of rate counts have the \`RateLimit-*\` headers of
status 429.`

const LICENSE = { name: 'MIT', identifier: 'MIT' }

/**
 * The OpenAPI 3.1 document of the service.
 *
 * @param examples good answers by endpoint name, where available
 */
function openApi(
  endpoints: readonly Endpoint[],
  version: string,
  examples: ReadonlyMap<string, Example>,
): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const endpoint of endpoints) {
    const { path, method, name, example: request, answer } = endpoint
    const operation = operationObject(endpoint, examples.get(name) ?? { request, answer })
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation }
  }
  return plainJson({
    openapi: '3.1.0',
    info: { title: 'swap', version, description: DESCRIPTION, license: LICENSE },
    servers: [{ url: '/' }],
    // No request has credentials.
    security: [],
    tags: TAGS,
    paths,
    components: { schemas: { Problem } },
  })
}

function operationObject(endpoint: Endpoint, { request, answer }: Example): object {
  const { name, method, tag, summary, description, response, media, otherwise } = endpoint
  const usual = tag === 'service' ? OF_SERVICE : ALWAYS
  const isTagged = method === 'GET' && (tag === 'service' ? endpoint.isTagged : media === undefined)
  const headers = {
    ...(isTagged && { ETag: headerOf('string', 'For If-None-Match.') }),
    ...(tag === 'swap' &&
      media === undefined && { Age: headerOf('integer', 'Seconds since the market was read.') }),
  }
  const known = [...usual, ...(method === 'POST' ? WITH_BODY : []), ...(endpoint.codes ?? [])]
  return {
    operationId: name,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    ...(method === 'POST'
      ? { requestBody: requestBodyOf(endpoint, request) }
      : parametersOf(endpoint, request)),
    responses: {
      200: {
        description: summary,
        ...(Object.keys(headers).length > 0 && { headers }),
        content: {
          [media ?? 'application/json']: contentOf(response, answer),
          ...(otherwise && {
            [otherwise.media]: contentOf(otherwise.response, otherwise.answer),
          }),
        },
      },
      ...(name === 'mcp' && accepted),
      ...(isTagged && notModified),
      ...(name === 'readyz' && unready(response, answer)),
      ...withInvalid(problemResponses(known), endpoint.invalid),
    },
  }
}

type Responses = ReturnType<typeof problemResponses>

/** Adds the JSON document of status 400 to its problem document. */
function withInvalid(responses: Responses, invalid: Endpoint['invalid']): Responses {
  const refused = responses['400']
  if (invalid === undefined || refused === undefined) return responses
  const json = { 'application/json': contentOf(invalid.response, invalid.answer) }
  return { ...responses, 400: { ...refused, content: { ...json, ...refused.content } } }
}

const contentOf = (schema: TSchema, example: unknown): object => ({
  schema,
  ...(example !== undefined && { example }),
})

const notModified = { 304: { description: 'The answer is the one of the tag in If-None-Match.' } }

const accepted = { 202: { description: 'The message was a notification, which has no answer.' } }

const unready = (schema: TSchema, answer: unknown): object => ({
  503: {
    description: 'The same document, with the reasons why it is not ready.',
    content: {
      'application/json': {
        schema,
        example: { ...(answer as object), ready: false, reasons: ['stale'] },
      },
    },
  },
})

const requestBodyOf = ({ request: schema = {} }: Endpoint, example: unknown): object => ({
  required: true,
  content: { 'application/json': contentOf(schema, example) },
})

/** The members of a request as parameters; nested members are joined with dots. */
function parametersOf({ request }: Endpoint, example: unknown): object {
  const found = request === undefined ? [] : flat(request as JsonSchema, '')
  if (found.length === 0) return {}
  const examples = new Map(Object.entries(example ?? {}))
  return {
    parameters: found.map(({ name, required, schema }) => ({
      name,
      in: 'query',
      required,
      ...(schema.description !== undefined && { description: schema.description }),
      schema,
      ...(examples.has(name) && { example: examples.get(name) }),
    })),
  }
}

type Parameter = { readonly name: string; readonly required: boolean; readonly schema: JsonSchema }

function flat(
  { properties = {}, required = [] }: JsonSchema,
  prefix: string,
): readonly Parameter[] {
  return Object.entries(properties).flatMap(([key, schema]) => {
    const isRequired = required.includes(key)
    if (schema.properties === undefined)
      return [{ name: `${prefix}${key}`, required: isRequired, schema }]
    // A member of an object that may be left out may be left out with it.
    return flat(schema, `${prefix}${key}.`).map((member) => ({
      ...member,
      required: isRequired && member.required,
    }))
  })
}

/** Copies the document as plain JSON: schemas carry symbols of their library. */
const plainJson = (document: object): object => JSON.parse(JSON.stringify(document)) as object
