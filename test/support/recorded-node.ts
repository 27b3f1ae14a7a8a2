import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exchanges } from '../demo-chain/node/recorded.js'

type Call = {
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: { readonly path?: unknown; readonly data?: unknown; readonly height?: unknown }
}
type Answer = {
  readonly jsonrpc: '2.0'
  readonly id?: unknown
  readonly result?: { readonly response?: { readonly height?: string } }
}

/** The key of a call: a query without a height has the height of its answer. */
function nameOf({ method, params }: Call, answer?: Answer): string {
  const height = params?.height ?? answer?.result?.response?.height ?? ''
  const data = String(params?.data ?? '').toLowerCase()
  return JSON.stringify([method, params?.path ?? '', data, String(height)])
}

/** The calls that were recorded one by one, with their answers. */
const calls = new Map<string, Answer>()
for (const { request, response } of exchanges.values()) {
  const call = request.body as Call | undefined
  if (
    request.method === 'POST' &&
    call &&
    typeof call === 'object' &&
    typeof call.method === 'string'
  )
    calls.set(nameOf(call, response as Answer), response as Answer)
}

/** The recorded answer to a call, with the id that was sent, or the node's error for other methods. */
const answerTo = (call: Call): object => {
  const answer = calls.get(nameOf(call))
  return answer
    ? { ...answer, id: call.id }
    : { jsonrpc: '2.0', id: call.id, error: { code: -32601, message: 'Method not found' } }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

/** A node that has only the recorded answers of a real one. */
export async function recordedNode(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await textOf(request)) as Call | readonly Call[]
    const answers = Array.isArray(body) ? body.map(answerTo) : answerTo(body as Call)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answers))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
}
