import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Endpoint } from '../../operations/operation.js'
import { SECURITY_HEADERS } from '../guards/headers.js'
import { docsHtml } from './docs-html.js'

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

/** The page runs the script of its own folder and asks its own service, and nothing else. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Opens the endpoint that the address names, and sends the forms. */
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
      // Of a stream the first part is shown.
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

/** Adds the page and what it loads. */
export function addDocs(server: FastifyInstance, document: () => Promise<Buffer>): void {
  const send = (reply: FastifyReply, type: string, body: string): FastifyReply =>
    reply
      .headers({
        ...SECURITY_HEADERS,
        'content-security-policy': POLICY,
        'cache-control': 'max-age=3600',
        'content-type': `text/${type}; charset=utf-8`,
      })
      .send(body)
  const config = { endpoint: 'docs' }
  let page: { readonly of: Buffer; readonly html: string } | undefined
  server.get('/docs', { config }, async (_, reply) => {
    const bytes = await document()
    if (page?.of !== bytes) page = { of: bytes, html: docsHtml(JSON.parse(bytes.toString())) }
    return send(reply, 'html', page.html)
  })
  server.get('/docs/start.js', { config }, (_, reply) => send(reply, 'javascript', START))
  server.get('/docs/style.css', { config }, (_, reply) => send(reply, 'css', STYLE))
}
