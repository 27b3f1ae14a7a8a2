import { type Readable, Transform, type Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { setImmediate as settled } from 'node:timers/promises'
import type { JSONRPCMessage, RequestId, Transport } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { type Offer, serverFactory } from './server.js'

export type Served = {
  /** Resolved when the input has ended and what it asked is answered. */
  readonly ended: Promise<void>
  close(): Promise<void>
}

/** Serves both eras of the protocol over two streams; the first message decides which. */
export function serveOnStdio(offer: Offer, input: Readable, output: Writable): Served {
  const make = serverFactory(offer)
  // The SDK drops the calls that run when its input ends; that of a shell's pipe ends at once.
  const messages: Transform = new Transform({
    transform: (chunk, _, done) => done(null, chunk),
    async flush(done) {
      while (messages.readableLength > 0) await settled()
      await answered()
      done()
    },
  })
  const { transport, answered } = countAnswers(new StdioServerTransport(messages, output))
  const { close } = serveStdio(() => make(), { transport, onerror: () => {} })
  const ended = finished(input.pipe(messages)).catch(() => {})
  return { ended, close }
}

/** A transport that knows which requests have no answer yet. */
function countAnswers(inner: Transport): {
  readonly transport: Transport
  answered(): Promise<void>
} {
  const open = new Set<RequestId>()
  let wake = () => {}
  const close = (id: unknown) => {
    open.delete(id as RequestId)
    if (open.size === 0) wake()
  }
  const take = (message: JSONRPCMessage) => {
    if (!('method' in message)) return
    // A subscription has no answer before its end.
    if ('id' in message) {
      if (message.method !== 'subscriptions/listen') open.add(message.id)
    } else if (message.method === 'notifications/cancelled') close(message.params?.['requestId'])
  }
  const transport: Transport = {
    start() {
      inner.onmessage = (message, extra) => {
        take(message)
        transport.onmessage?.(message, extra)
      }
      inner.onclose = () => {
        open.clear()
        wake()
        transport.onclose?.()
      }
      inner.onerror = (error) => transport.onerror?.(error)
      return inner.start()
    },
    async send(message, options) {
      await inner.send(message, options)
      if (!('method' in message)) close(message.id)
    },
    close: () => inner.close(),
  }
  return {
    transport,
    answered: () =>
      open.size === 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            wake = resolve
          }),
  }
}
