import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Value } from 'typebox/value'
import { beforeAll, describe, test } from 'vitest'
import { type ErrorCode, errorCodes } from '../../../src/engine/errors.js'
import { operations } from '../../../src/operations/operations.js'
import { statusOf } from '../../../src/operations/problem.js'
import { SimulateAnswer } from '../../../src/operations/simulate/simulate-documents.js'
import { Problem } from '../../../src/service/openapi/errors.js'
import { endpoints } from '../../../src/service/paths.js'
import { PAGE_FILES } from '../../../src/service/routes/page.js'
import { type SchemaNode, undescribed } from '../../support/undescribed.js'
import { body, post, type Staged, stage, threadless } from '../stage.js'

type Content = {
  readonly schema: SchemaNode
  readonly example?: unknown
  readonly examples?: Record<string, { value: { code: string; status: number } }>
}
type Responses = Record<
  string,
  { readonly content?: Record<string, Content>; readonly headers?: object }
>
type OperationObject = {
  readonly operationId: string
  readonly parameters?: readonly { name: string; required: boolean; schema: SchemaNode }[]
  readonly responses: Responses
  readonly requestBody?: { readonly content: Record<string, Content> }
}
type Document = {
  readonly paths: Record<string, Record<string, OperationObject>>
  readonly components: { readonly schemas: Record<string, SchemaNode> }
}

let service: Staged
let document: Document
beforeAll(async () => {
  service = await stage()
  document = JSON.parse((await service.server.inject('/openapi.json')).payload) as Document
})

const described = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, object]) => ({ path, method, object })),
  )

/** A request of an operation: its example. */
const asked = (method: string, path: string, example: object = {}) =>
  method === 'POST'
    ? post(path, example)
    : { url: `${path}?${new URLSearchParams(example as Record<string, string>)}` }

/** Error codes of the command line, and of operations that this service does not have. */
const commandLine: readonly string[] = [
  'AMBIGUOUS_TOKEN',
  'INVALID_SNAPSHOT',
  'BUSY',
  'QUOTE_EXPIRED',
  'SLIPPAGE_EXCEEDED',
  'INSUFFICIENT_FUNDS',
  'TX_FAILED',
  'KEYFILE_NOT_FOUND',
  'KEYFILE_INVALID',
  'KEYFILE_PERMISSIONS',
  'SIGNER_FAILED',
  'WRONG_PASSWORD',
  'DECLINED',
  'CONFIRMATION_REQUIRED',
  'OUTCOME_UNKNOWN',
  'BELOW_MINIMUM',
  'PARTIALLY_EXECUTED',
  'LIMIT_EXCEEDED',
  'TX_NOT_FOUND',
]
/** Operations that are answered without querying a chain. */
const quoted = operations.filter(({ exampleFrom }) => exampleFrom === undefined)

/** The paths of a printed tree of routes; a path below another one is indented by four. */
function pathsOf(tree: string): readonly string[] {
  const above: string[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', path = '', methods] = /^([^\w/]*)([\w./-]+)( \()?/.exec(line) ?? []
    if (path === '') return []
    const level = Math.floor(indent.length / 4)
    above.splice(level - 1, above.length, path)
    return methods === undefined ? [] : [above.join('/').replaceAll(/\/+/g, '/')]
  })
}

describe('the OpenAPI document', () => {
  test('has version 3.1', async () => {
    const result = await new Validator().validate(structuredClone(document))
    assert.deepEqual(result.errors ?? [], [])
    assert.equal(result.valid, true)
  })
  test('describes exactly the paths that are served', async () => {
    for (const { path, method } of described()) {
      const { statusCode } = await service.server.inject({
        method: method.toUpperCase() as 'GET',
        url: path,
      })
      assert.ok(![404, 405].includes(statusCode), `${method} ${path}`)
    }
    // The tree of the routes, with the files of the page below `/docs`.
    const tree = service.server.printRoutes({ commonPrefix: false })
    const served = pathsOf(tree)
    const names = ['start.js', 'style.css']
    const files = [
      ...names.map((name) => `/docs/${name}`),
      ...Object.keys(PAGE_FILES).map((name) => `/page/${name}`),
    ]
    const known = new Set([...endpoints.map(({ path }) => path), ...files])
    const unknown = served.filter((path) => !known.has(path))
    assert.deepEqual(unknown, [])
  })
  test('describes each member, nested ones and those of lists', () => {
    for (const { path, object } of described()) {
      // The document of this document has no members.
      if (path === '/openapi.json') continue
      const { parameters = [], requestBody, responses } = object
      const bodies = [requestBody, ...Object.values(responses)]
      const schemas = bodies.flatMap((each) => Object.values(each?.content ?? {}))
      const properties = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]))
      for (const schema of [{ properties }, ...schemas.map((each) => each.schema)])
        assert.deepEqual(undescribed(schema, path), [])
    }
    for (const [name, schema] of Object.entries(document.components.schemas))
      assert.deepEqual(undescribed(schema, name), [])
  })
  test('is shown at /docs with every endpoint, in text and without scripts of the page itself', async () => {
    const { payload, headers } = await service.server.inject('/docs')
    assert.match(String(headers['content-security-policy']), /script-src 'self'; style-src 'self';/)
    assert.doesNotMatch(payload, /<script>| style=| on[a-z]+=|https?:\/\//)
    for (const { name, path, method } of endpoints) {
      assert.ok(payload.includes(`<details id="${name}">`), name)
      assert.ok(payload.includes(`<b>${method}</b> <code>${path}</code>`), path)
    }
    assert.ok(payload.includes('<code>max_hops</code><td>integer<td>'))
    for (const name of ['start.js', 'style.css'])
      assert.equal((await service.server.inject(`/docs/${name}`)).statusCode, 200)
  })
  test('is compressed, as its page is, under a tag that answers 304', async () => {
    for (const url of ['/openapi.json', '/docs', '/docs/start.js']) {
      const plain = await service.server.inject(url)
      for (const [coding, decode] of [
        ['br', brotliDecompressSync],
        ['gzip', gunzipSync],
      ] as const) {
        const headers = { 'accept-encoding': coding }
        const reply = await service.server.inject({ url, headers })
        assert.equal(reply.headers['content-encoding'], coding)
        assert.equal(decode(reply.rawPayload).toString(), plain.payload)
        const known = { ...headers, 'if-none-match': `${reply.headers['etag']}` }
        const again = await service.server.inject({ url, headers: known })
        assert.deepEqual([again.statusCode, again.payload], [304, ''])
      }
    }
  })
  test('has a tag and 304 for exactly the answers that have them', async () => {
    let tagged = 0
    for (const { path, method, object } of described()) {
      if (method !== 'get' || path === '/swap/stream') continue
      const { statusCode, headers } = await service.server.inject(path)
      if (statusCode !== 200) continue
      const { '200': good, '304': same } = object.responses
      const has = headers['etag'] !== undefined
      const isDescribed = 'ETag' in (good?.headers ?? {})
      assert.deepEqual([path, isDescribed, same !== undefined], [path, has, has])
      if (has) tagged += 1
    }
    assert.ok(tagged >= 4, `${tagged}`)
  })
  test('names Retry-After and RateLimit-* for the problems that have them', () => {
    for (const { path, object } of described().filter(({ path }) => path !== '/readyz'))
      for (const [status, { headers = {} }] of Object.entries(object.responses)) {
        assert.equal('Retry-After' in headers, status === '429' || status === '503', path)
        for (const name of ['Limit', 'Remaining', 'Reset'])
          assert.equal(`RateLimit-${name}` in headers, status === '429', path)
      }
  })
  test('has an example for every operation, which the service answers with the example beside it', async () => {
    for (const { name, path, method, example } of quoted) {
      const object = document.paths[path]![method.toLowerCase()]!
      const content = object.responses['200']!.content!['application/json']!
      assert.ok(content.example, name)
      if (method === 'POST')
        assert.deepEqual(object.requestBody!.content['application/json']!.example, example)
      const reply = await service.server.inject(asked(method, path, example))
      assert.deepEqual(JSON.parse(reply.payload), content.example)
    }
  })
  test('shows how to simulate the message of its route example', () => {
    const contentOf = (path: string) => document.paths[path]!['post']!
    const route = contentOf('/swap/route').responses['200']!.content!['application/json']!
    const best = (route.example as { routes: { funds: object; tx: { swap: object } }[] }).routes[0]!
    const { requestBody, responses } = contentOf('/swap/simulate')
    assert.deepEqual(requestBody!.content['application/json']!.example, {
      coin: best.funds,
      stages: (best.tx.swap as { stages: object }).stages,
    })
    const { example } = responses['200']!.content!['application/json']!
    assert.deepEqual(Value.Errors(SimulateAnswer, example), [])
  })
  test('has a schema for every answer that holds for the answer, and not with an extra member', async () => {
    for (const { path, method, example, response } of quoted) {
      const reply = await service.server.inject(asked(method, path, example))
      const answer = JSON.parse(reply.payload) as object
      assert.deepEqual(Value.Errors(response!, answer), [], path)
      assert.equal(Value.Check(response!, { ...answer, more: 1 }), false)
    }
    const fuller: readonly (readonly [string, object])[] = [
      ['route', { ...body(), explain: true }],
      ['route', { input: { denom: 'btc-btc' }, output: { denom: 'rune', amount: '5000000000' } }],
      ['sroute', { ...body(), frontier: true }],
      ['sroute', { ...body(), grid: false }],
      ['sroute', { ...body(), explain: true }],
      ['arbroute', { input: { denom: 'btc-btc', amount: '100000000' }, curve: 10 }],
    ]
    for (const [name, request] of fuller) {
      const { response, path } = operations.find((each) => each.name === name)!
      const { payload } = await service.server.inject(post(path, request))
      assert.deepEqual(Value.Errors(response!, JSON.parse(payload)), [], name)
    }
    for (const url of ['/livez', '/readyz', '/version']) {
      const { response } = endpoints.find(({ path }) => path === url)!
      assert.deepEqual(
        Value.Errors(response!, JSON.parse((await service.server.inject(url)).payload)),
        [],
        url,
      )
    }
  })
  test('requires no parameter that may be left out with its object', () => {
    const { parameters = [] } = document.paths['/swap/stream']!['get']!
    const required = parameters.flatMap(({ name, required }) => (required ? [name] : []))
    assert.deepEqual(required, ['input.denom'])
  })
  test('has 429 for every path with a limit of rate', async () => {
    const limited = await stage({ rate: 1, pool: threadless() })
    for (const { path, method, object } of described()) {
      const codes = new Set<number>()
      for (let n = 0; n < 25; n += 1)
        codes.add((await limited.server.inject(asked(method.toUpperCase(), path))).statusCode)
      assert.equal('429' in object.responses, codes.has(429), path)
    }
    await limited.end()
  })
  test('has a schema for problem documents', async () => {
    for (const url of ['/nothing', '/history', '/swap/route']) {
      const reply = await service.server.inject(url)
      assert.deepEqual(Value.Errors(Problem, JSON.parse(reply.payload)), [], url)
    }
  })
})

describe('the error catalogue', () => {
  const documented = (): ReadonlySet<string> =>
    new Set([
      // Of requests that are of no endpoint.
      'NOT_FOUND',
      'METHOD_NOT_ALLOWED',
      ...described().flatMap(({ object }) =>
        Object.values(object.responses).flatMap(({ content = {} }) =>
          Object.keys(content['application/problem+json']?.examples ?? {}),
        ),
      ),
    ])

  test('has only codes of the program in the document, at their status', () => {
    for (const { object } of described())
      for (const [status, { content = {} }] of Object.entries(object.responses))
        for (const [code, { value }] of Object.entries(
          content['application/problem+json']?.examples ?? {},
        )) {
          assert.ok((errorCodes as readonly string[]).includes(code), code)
          assert.equal(value.code, code)
          assert.equal(Number(status), statusOf(code as ErrorCode))
        }
  })
  test('has every code of the program in the document, except those of the command line', () => {
    const known = documented()
    const missing = errorCodes.filter((code) => !known.has(code) && !commandLine.includes(code))
    assert.deepEqual(missing, [])
  })
  test('has every code of the document in the README', () => {
    const readme = readFileSync('README.md', 'utf8')
    for (const code of documented()) assert.ok(readme.includes(`\`${code}\``), code)
  })
  test('has no code that docs/api.md marks as only of the command line', () => {
    const rows = readFileSync('docs/api.md', 'utf8').matchAll(/^\| `([A-Z_]+)` \| \d+ \* \|/gm)
    const marked = [...rows].map(([, code]) => code)
    assert.deepEqual(marked.toSorted(), commandLine.toSorted())
  })
})
