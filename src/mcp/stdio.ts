import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { type Offer, serverFactory } from './server.js'

/** Serves both eras of the protocol over two streams; the first message decides which. */
export const serveOnStdio = (
  offer: Offer,
  input: Readable,
  output: Writable,
): { close(): Promise<void> } =>
  serveStdio(factoryOf(offer), {
    transport: new StdioServerTransport(input, output),
    onerror: () => {},
  })

function factoryOf(offer: Offer) {
  const make = serverFactory(offer)
  return () => make()
}
