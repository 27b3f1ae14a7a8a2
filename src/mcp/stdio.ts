import type { Readable, Writable } from 'node:stream'
import type { RequestId } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { SwapError } from '../engine/errors.js'
import { type LineTransport, lineTransport } from './line-transport.js'
import { type Offer, serverFactory } from './server.js'

export type Served = Pick<LineTransport, 'ended'> & { close(): Promise<void> }

/** Serves both eras of the protocol over two streams; the first message decides which. */
export function serveOnStdio(offer: Offer, input: Readable, output: Writable): Served {
  const make = serverFactory(offer)
  const faults = new Map<RequestId, SwapError>()
  const take = (id: RequestId) => {
    const fault = faults.get(id)
    faults.delete(id)
    return fault
  }
  const { transport, ended } = lineTransport(input, output, (id, fault) => faults.set(id, fault))
  const { close } = serveStdio(() => make(undefined, take), { transport, onerror: () => {} })
  return { ended, close }
}
