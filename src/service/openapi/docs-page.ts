import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { JsonSchema } from '../../operations/document-schema.js'
import type { Endpoint } from '../../operations/operation.js'
import { type CompressedBody, compressedBody, sendCompressed } from '../answers/compressed.js'
import { SECURITY_HEADERS } from '../guards/headers.js'

export const docsEndpoint: Endpoint = {
  name: 'docs',
  method: 'GET',
  path: '/docs',
  tag: 'service',
  summary: 'This documentation as a page that works without a network',
  response: { type: 'string' },
  media: 'text/html',
  isTagged: true,
  answer: '<!doctype html>',
}

/** The page may load its own script and query its own service only. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Opens the endpoint in the address's fragment, and sends the forms. */
const START = `const show = () => {
  const named = document.getElementById(location.hash.slice(1))
  if (named?.tagName === 'DETAILS') named.open = true
}
addEventListener('hashchange', show)
show()
for (const form of document.forms)
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const { method, path } = form.dataset
    const text = form.elements.request.value
    const output = form.querySelector('output')
    output.textContent = 'waiting for the answer'
    const stop = new AbortController()
    try {
      const response = await fetch(method === 'POST' ? path : path + (text && '?' + text), {
        method,
        signal: stop.signal,
        ...(method === 'POST' && { headers: { 'content-type': 'application/json' }, body: text }),
      })
      // Of a stream only the beginning is shown.
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
      const body = isStream
        ? new TextDecoder().decode((await response.body.getReader().read()).value)
        : await response.text()
      if (isStream) stop.abort()
      let shown = body
      try {
        shown = JSON.stringify(JSON.parse(body), null, 2)
      } catch {}
      output.textContent = response.status + '\\n' + shown.slice(0, 200000)
    } catch (error) {
      output.textContent = String(error)
    }
  })
`

const STYLE = `:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 25%, transparent) }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif }
main { max-width: 60rem; margin: auto; padding: 1rem }
details { border: 1px solid var(--line); border-radius: .4rem; margin: .4rem 0; padding: .4rem .8rem }
summary { cursor: pointer }
summary b { display: inline-block; min-width: 3.5rem }
table { border-collapse: collapse; width: 100%; margin: .8rem 0 }
caption { text-align: left; font-weight: 600 }
th, td { border-top: 1px solid var(--line); padding: .2rem .6rem .2rem 0; text-align: left; vertical-align: top; overflow-wrap: anywhere }
th { font-weight: 400 }
code, pre, textarea, output { font: 14px/1.4 ui-monospace, monospace }
pre, output { display: block; max-height: 30rem; overflow: auto; white-space: pre-wrap }
textarea { display: block; width: 100%; box-sizing: border-box }
button { font: inherit; margin: .4rem 0; padding: .2rem 1rem }
`

/** Adds the page, and its files, which the API document does not list. */
export function addDocs(server: FastifyInstance, document: () => Promise<CompressedBody>): void {
  const send = (type: string, body: CompressedBody, request: FastifyRequest, reply: FastifyReply) =>
    sendCompressed(request, reply, body, {
      ...SECURITY_HEADERS,
      'content-security-policy': POLICY,
      'content-type': `text/${type}; charset=utf-8`,
    })
  const config = { endpoint: docsEndpoint.name }
  let page: { readonly of: CompressedBody; readonly html: CompressedBody } | undefined
  server.get(docsEndpoint.path, { config }, async (request, reply) => {
    const of = await document()
    if (page?.of !== of) {
      const parsed = JSON.parse((await of.bytes('identity')).toString()) as ApiDocument
      page = { of, html: bodyOf(docsHtml(parsed)) }
    }
    return send('html', page.html, request, reply)
  })
  const [start, style] = [bodyOf(START), bodyOf(STYLE)]
  server.get('/docs/start.js', { config }, (request, reply) =>
    send('javascript', start, request, reply),
  )
  server.get('/docs/style.css', { config }, (request, reply) => send('css', style, request, reply))
}

const bodyOf = (text: string): CompressedBody => compressedBody(Buffer.from(text), 'small')

/** The part of an OpenAPI document that the page shows. */
type ApiDocument = {
  readonly info: { readonly version: string; readonly description: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>
}
type ApiOperation = {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly (Member & { readonly example?: unknown })[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Content }>
  >
}
type Content = Readonly<
  Record<string, { readonly schema?: JsonSchema; readonly example?: unknown }>
>
type Member = { readonly name: string; readonly required: boolean; readonly schema: JsonSchema }

/** Maximum characters of a shown example. */
const LONGEST = 12_000

/** The API document as a page: every endpoint with its members, examples and a form that sends a request. */
function docsHtml({ info, tags, paths }: ApiDocument): string {
  const endpoints = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const sections = tags.map(({ name, description }) => {
    const own = endpoints.filter(({ operation }) => operation.tags.includes(name))
    return `<h2 id="${name}">${name}</h2>\n<p>${withCode(description)}</p>\n${own.map(endpointHtml).join('\n')}`
  })
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>swap: the API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/style.css">
<script src="docs/start.js" defer></script>
<main>
<h1>swap ${escaped(info.version)}: the API</h1>
${info.description
  .split('\n\n')
  .map((text) => `<p>${withCode(text)}</p>`)
  .join('\n')}
<p>As a document: <a href="openapi.json">openapi.json</a></p>
${sections.join('\n')}
</main>
</html>
`
}

function endpointHtml({ path, method, operation }: DocumentedOperation): string {
  const { operationId: id, summary, description, parameters = [], requestBody } = operation
  const body = requestBody?.content['application/json']
  const members = body?.schema ? membersOf(body.schema, '') : parameters
  const request =
    body === undefined
      ? new URLSearchParams(
          parameters.flatMap(({ name, example }): [string, string][] =>
            example === undefined ? [] : [[name, `${example}`]],
          ),
        ).toString()
      : JSON.stringify(body.example ?? {}, null, 2)
  const rows = request.split('\n').length
  const [answer] = Object.values(operation.responses['200']?.content ?? {})
  return `<details id="${id}">
<summary><b>${method.toUpperCase()}</b> <code>${escaped(path)}</code> ${withCode(summary)}</summary>
${description === undefined ? '' : `<p>${withCode(description)}</p>`}
${members.length === 0 ? '' : memberTable(body ? 'Members' : 'Parameters', members)}
<form data-method="${method.toUpperCase()}" data-path="${escaped(path.slice(1))}">
<label>${body ? 'Body' : 'Query'}<textarea name="request" rows="${Math.min(rows, 16)}" spellcheck="false">${escaped(request)}</textarea></label>
<button>Send</button>
<output></output>
</form>
${answer?.schema ? `<details><summary>Answer: members</summary>${memberTable('Members', membersOf(answer.schema, ''))}</details>` : ''}
${answer?.example === undefined ? '' : `<details><summary>Answer: example</summary><pre>${escaped(pretty(answer.example))}</pre></details>`}
<table><caption>Statuses</caption>${Object.entries(operation.responses)
    .map(([status, each]) => `<tr><th scope="row">${status}<td>${withCode(each.description)}`)
    .join('\n')}</table>
</details>`
}

type DocumentedOperation = {
  readonly path: string
  readonly method: string
  readonly operation: ApiOperation
}

const pretty = (example: unknown): string => {
  const text = typeof example === 'string' ? example : JSON.stringify(example, null, 2)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}\n…` : text
}

const memberTable = (caption: string, members: readonly Member[]): string =>
  `<table><caption>${caption}</caption>
<tr><th scope="col">name<th scope="col">type<th scope="col">meaning
${members
  .map(
    ({ name, required, schema }) =>
      `<tr><th scope="row"><code>${escaped(name)}</code>${required ? ' *' : ''}<td>${escaped(typeOf(schema))}<td>${withCode(meaningOf(schema))}`,
  )
  .join('\n')}
</table>`

/** Every member of a schema; nested members are joined with dots, array elements marked with brackets. */
const membersOf = (
  { properties = {}, required = [] }: JsonSchema,
  prefix: string,
): readonly Member[] =>
  Object.entries(properties).flatMap(([key, schema]) => {
    const name = `${prefix}${key}`
    const inner = schema.properties ? schema : schema.items
    const below = inner?.properties
      ? membersOf(inner, `${name}${schema.properties ? '' : '[]'}.`)
      : []
    return [{ name, required: required.includes(key), schema }, ...below]
  })

const typeOf = ({ type, anyOf, items, ...schema }: JsonSchema): string => {
  if ('const' in schema) return JSON.stringify(schema.const)
  if (anyOf !== undefined) return [...new Set(anyOf.map(typeOf))].join(' or ')
  return type === 'array' ? `list of ${typeOf(items ?? {})}` : (type ?? 'any')
}

const meaningOf = ({
  description,
  anyOf,
  default: fallback,
  minimum,
  maximum,
}: JsonSchema): string =>
  [
    description ?? anyOf?.[0]?.description,
    minimum === undefined ? undefined : `At least ${minimum}.`,
    maximum === undefined ? undefined : `At most ${maximum}.`,
    fallback === undefined ? undefined : `By default \`${fallback}\`.`,
  ]
    .filter((each) => each !== undefined)
    .join(' ')

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign]!)

/** Text with code between backticks. */
const withCode = (text: string): string => escaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
