import assert from 'node:assert/strict'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { describe, test } from 'vitest'
import { graphOf } from '../../../src/engine/routing/graph.js'
import { overloaded } from '../../../src/service/workers/worker-pool.js'
import { serving } from '../chain-stage.js'
import { demoMarket, marketAt, post, type Staged, stage, threadless } from '../stage.js'
import { steppedFeed } from '../stepped.js'

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
  readonly responses: Readonly<
    Record<string, { readonly content?: Content; readonly headers?: object }>
  >
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

  test('have only members that their schemas list, unless these allow others by name', async () => {
    const { paths } = await described()
    for (const { path, object } of paths)
      for (const part of [object.requestBody, object.responses['200']]) {
        const { schema = {}, example } = part?.content?.['application/json'] ?? {}
        const { properties, additionalProperties } = schema as {
          readonly properties?: object
          readonly additionalProperties?: unknown
        }
        if (properties === undefined || additionalProperties === true) continue
        for (const name of Object.keys(example ?? {}))
          assert.ok(Object.hasOwn(properties, name), `${path} ${name}`)
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

/** The paths of quotes that have an example of their answer. */
async function answeredPaths({ server }: Staged): Promise<readonly string[]> {
  const { paths } = JSON.parse((await server.inject('/openapi.json')).payload) as Document
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).flatMap(({ responses }) =>
      responses['200']?.content?.['application/json']?.example === undefined ? [] : [path],
    ),
  )
}

describe('an example that cannot be computed', () => {
  test('appears once the service is no longer overloaded', async () => {
    const pool = threadless()
    let isBusy = true
    const run: typeof pool.run = async (job) => {
      if (isBusy) throw overloaded('a test')
      return pool.run(job)
    }
    const service = await stage({ pool: { ...pool, run } })
    assert.ok(!(await answeredPaths(service)).includes('/swap/sroute'))
    isBusy = false
    assert.ok((await answeredPaths(service)).includes('/swap/sroute'))
    await service.end()
  })

  test('appears with the first market that has its tokens', async () => {
    const empty = { ...demoMarket, books: new Map() }
    const { feed, step } = steppedFeed(120, (height) =>
      height === 120 ? { market: empty, graph: graphOf(empty) } : marketAt(height),
    )
    const service = await stage({ feed, pool: threadless() })
    const before = await answeredPaths(service)
    assert.ok(!before.includes('/swap/route'))
    assert.deepEqual(await answeredPaths(service), before)
    step(121)
    const after = await answeredPaths(service)
    for (const path of ['/swap/route', '/swap/sroute', '/swap/simulate'])
      assert.ok(after.includes(path), path)
    await service.end()
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

  test('has the header Age for exactly the answers that have it, a batch of quotes too', async () => {
    const { server, paths } = await described()
    const aged: string[] = []
    for (const { path, object } of paths) {
      if (LEFT_OUT.has(object.operationId)) continue
      const { statusCode, headers } = await server.inject(exampleOf(path, object))
      assert.equal(statusCode, 200, path)
      const has = headers['age'] !== undefined
      assert.equal('Age' in (object.responses['200']!.headers ?? {}), has, path)
      if (has) aged.push(path)
    }
    assert.ok(aged.includes('/swap/batch'))
  })

  test('says that requests carry no credentials, and the license', async () => {
    const { document } = await described()
    assert.deepEqual(document.security, [])
    assert.deepEqual(document.info.license, { name: 'MIT', identifier: 'MIT' })
  })
})
