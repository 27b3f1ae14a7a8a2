import { type IncomingHttpHeaders, request } from 'node:http'

/** An answer as it was received. */
export type Answer = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Sends one request exactly as given, with only a length added. */
export function ask(
  url: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: string | Buffer | undefined } = {},
): Promise<Answer> {
  // The path is sent as it is written: a URL object would escape its quotes.
  const [, host = '', port = '', path = '/'] = /^http:\/\/([^:/]+):(\d+)(.*)$/.exec(url) ?? []
  const length = { 'content-length': String(Buffer.byteLength(body ?? '')) }
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host,
        port,
        method,
        path: path.replace(/["' ]/g, (char) => `%${char.charCodeAt(0).toString(16)}`) || '/',
        headers: { ...headers, ...(body !== undefined && length) },
        agent: false,
      },
      (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.on('error', reject)
        incoming.on('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            text: Buffer.concat(chunks).toString(),
          }),
        )
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/** A JSON-RPC call over POST, parsed. */
export async function call(url: string, method: string, params: object = {}): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return JSON.parse((await ask(url, { method: 'POST', body })).text)
}
