import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Endpoint } from '../../operations/operation.js'
import { SECURITY_HEADERS } from '../guards/headers.js'

export const docsEndpoint: Endpoint = {
  name: 'docs',
  method: 'GET',
  path: '/docs',
  tag: 'service',
  summary: 'This documentation as a page that works without a network',
  response: { type: 'string' },
  media: 'text/html',
  answer: '<!doctype html>',
  codes: [],
}

/** The page runs the scripts of its own folder and asks its own service, and nothing else. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>swap: the API</title>
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="icon" type="image/png" href="docs/favicon-32x32.png">
<div id="page"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</html>
`

/** No validator: it would be asked over the network. */
const START = `SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#page',
  deepLinking: true,
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
  presets: [SwaggerUIBundle.presets.apis],
})
`

/** The files of the page's library, by name; nothing else of their folder is ever sent. */
const FILES: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
}

/** Adds the page and what it loads. */
export function addDocs(server: FastifyInstance): void {
  const send = (reply: FastifyReply, type: string, body: string | Buffer): FastifyReply =>
    reply
      .headers({
        ...SECURITY_HEADERS,
        'content-security-policy': POLICY,
        'cache-control': 'max-age=3600',
        'content-type': type,
      })
      .send(body)
  const config = { endpoint: 'docs' }
  server.get('/docs', { config }, (_, reply) => send(reply, 'text/html; charset=utf-8', PAGE))
  server.get('/docs/start.js', { config }, (_, reply) =>
    send(reply, 'text/javascript; charset=utf-8', START),
  )
  for (const [name, type] of Object.entries(FILES)) {
    let bytes: Buffer | undefined
    server.get(`/docs/${name}`, { config }, (_, reply) =>
      send(reply, type, (bytes ??= readDocsFile(name))),
    )
  }
}

/** The build lays the files beside the bundle; run from source they are the package's own. */
function readDocsFile(name: string): Buffer {
  for (const place of ['../docs/', './docs/']) {
    const bytes = readIfThere(new URL(`${place}${name}`, import.meta.url))
    if (bytes !== undefined) return bytes
  }
  const { resolve } = createRequire(import.meta.url)
  return readFileSync(resolve(`@fastify/swagger-ui/static/${name}`))
}

function readIfThere(url: URL): Buffer | undefined {
  try {
    return readFileSync(url)
  } catch {
    return undefined
  }
}
