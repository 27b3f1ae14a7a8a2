import assert from 'node:assert/strict'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { describe, test } from 'vitest'
import { serving } from './chain-stage.js'
import { post } from './stage.js'

type Content = Readonly<Record<string, { readonly schema: TSchema; readonly example?: unknown }>>
type Described = {
  readonly operationId: string
  readonly parameters?: readonly {
    readonly name: string
    readonly required: boolean
    readonly schema: TSchema
    readonly example?: unknown
  }[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}
type Document = {
  readonly info: { readonly license?: object }
  readonly security?: readonly object[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
}

/** Paths whose answer does not end, or comes from an index that this service does not have. */
const LEFT_OUT: ReadonlySet<string> = new Set(['stream', 'history', 'history-orders', 'mcp'])

/** A service over a chain that it can ask, with its document. */
async function described() {
  const { service } = await serving()
  const { payload } = await service.server.inject('/openapi.json')
  const document = JSON.parse(payload) as Document
  const paths = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).map((object) => ({ path, object })),
  )
  return { server: service.server, document, paths }
}

/** The request that the examples of a path make. */
function exampleOf(path: string, { parameters = [], requestBody }: Described) {
  if (requestBody) return post(path, requestBody.content['application/json']!.example as object)
  const query = parameters.flatMap(({ name, example }): [string, string][] =>
    example === undefined ? [] : [[name, `${example}`]],
  )
  return { url: `${path}?${new URLSearchParams(query)}` }
}

describe('the examples of the OpenAPI document', () => {
  test('fit the schemas of their parameters, and every required parameter has one', async () => {
    const { paths } = await described()
    for (const { path, object } of paths)
      for (const { name, required, schema, example } of object.parameters ?? []) {
        const place = `${path} ${name}`
        if (example === undefined) assert.equal(required, false, place)
        else assert.ok(Value.Check(schema, example), place)
      }
  })

  test('are requests that the service which serves the document answers', async () => {
    const { server, paths } = await described()
    for (const { path, object } of paths) {
      if (LEFT_OUT.has(object.operationId)) continue
      const { statusCode, payload } = await server.inject(exampleOf(path, object))
      assert.equal(statusCode, 200, `${path}: ${payload.slice(0, 300)}`)
    }
  })
})

describe('the OpenAPI document', () => {
  test('has the media types of GET / as browsers and other clients get them', async () => {
    const { server, document } = await described()
    const { content = {} } = document.paths['/']!['get']!.responses['200']!
    assert.deepEqual(Object.keys(content), ['text/html', 'application/json'])
    for (const accept of ['text/html', '*/*']) {
      const { headers, payload } = await server.inject({ url: '/', headers: { accept } })
      const type = `${headers['content-type']}`.split(';')[0]!
      assert.equal(type, accept === '*/*' ? 'application/json' : 'text/html')
      const body = accept === '*/*' ? JSON.parse(payload) : payload
      assert.deepEqual(Value.Errors(content[type]!.schema, body), [], type)
    }
  })

  test('says that requests carry no credentials, and the license', async () => {
    const { document } = await described()
    assert.deepEqual(document.security, [])
    assert.deepEqual(document.info.license, { name: 'MIT', identifier: 'MIT' })
  })
})
