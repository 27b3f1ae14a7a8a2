import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { type Offer, serverFactory } from './server.js'

/** Serves both eras of the protocol over two streams; the first message decides which. */
export function serveOnStdio(
  offer: Offer,
  input: Readable,
  output: Writable,
): { close(): Promise<void> } {
  const make = serverFactory(offer)
  const transport = new StdioServerTransport(input, output)
  return serveStdio(() => make(), { transport, onerror: () => {} })
}
