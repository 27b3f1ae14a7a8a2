import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import * as Doc from '../../operations/document-schema.js'
import type { Endpoint } from '../../operations/operation.js'
import {
  addVary,
  type CompressedBody,
  compressedBody,
  sendCompressed,
} from '../answers/compressed.js'
import { sendDocument } from '../answers/reply.js'
import { SECURITY_HEADERS } from '../guards/headers.js'

const Index = Doc.closedObject({
  name: Doc.text('Name of the program.'),
  version: Doc.text('Version of the program.'),
  documentation: Doc.text('Path of this documentation as a page.'),
  openapi: Doc.text('Path of this document.'),
  tokens: Doc.text('Path of the tokens that can be swapped.'),
  ready: Doc.text('Path of the readiness.'),
})

/** The index document for clients other than browsers. */
const index = (version: string): Static<typeof Index> => ({
  name: 'swap',
  version,
  documentation: '/docs',
  openapi: '/openapi.json',
  tokens: '/swap/tokens',
  ready: '/readyz',
})

export const pageEndpoint: Endpoint = {
  name: 'page',
  method: 'GET',
  path: '/',
  tag: 'service',
  summary: 'A page for browsers with live quotes',
  description:
    'It computes the quote in the browser from `/swap/snapshot` and compares it with `/swap/stream`. A client that does not accept `text/html` gets a document with the paths to begin with.',
  response: { type: 'string' },
  media: 'text/html',
  answer: '<!doctype html>',
  otherwise: { media: 'application/json', response: Index, answer: index('0.1.0') },
}

/** Allows only the service's own scripts, styles and requests; the icon is inlined. */
const POLICY =
  "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; connect-src 'self'; " +
  "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const HTML = 'text/html; charset=utf-8'

/** The page's files by name; no other file of the folder is served. */
export const PAGE_FILES: Readonly<Record<string, string>> = {
  'page.css': 'text/css; charset=utf-8',
  'page.js': 'text/javascript; charset=utf-8',
  'quote-worker.js': 'text/javascript; charset=utf-8',
}

/** Adds the page, and its files, which the API document does not list. */
export function addPage(server: FastifyInstance, version: string): void {
  const config = { endpoint: pageEndpoint.name }
  const send = sender()
  server.get(pageEndpoint.path, { config }, (request, reply) => {
    addVary(reply, 'accept')
    if (acceptsHtml(request)) return send(request, reply, 'index.html', HTML)
    sendDocument(reply, index(version))
    return reply
  })
  for (const [name, type] of Object.entries(PAGE_FILES))
    server.get(`/page/${name}`, { config }, (request, reply) => send(request, reply, name, type))
}

const acceptsHtml = ({ headers }: FastifyRequest): boolean =>
  /\btext\/html\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(headers.accept ?? '')

/** Sends files of the page, each read and compressed once. */
function sender() {
  const bodies = new Map<string, CompressedBody>()
  return (
    request: FastifyRequest,
    reply: FastifyReply,
    name: string,
    type: string,
  ): Promise<FastifyReply> => {
    const body = bodies.get(name) ?? compressedBody(readPageFile(name), 'small')
    bodies.set(name, body)
    return sendCompressed(request, reply, body, {
      ...SECURITY_HEADERS,
      'content-security-policy': POLICY,
      'content-type': type,
    })
  }
}

/** The build places the files beside the bundle; from source the last build's are used. */
function readPageFile(name: string): Buffer {
  const places = ['./page/', '../page/', '../../../dist/page/']
  for (const place of places)
    try {
      return readFileSync(new URL(`${place}${name}`, import.meta.url))
    } catch {
      // Try the next folder.
    }
  throw new Error(`the build has no file page/${name}`)
}
