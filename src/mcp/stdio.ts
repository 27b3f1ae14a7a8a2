import type { Readable, Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { setImmediate as settled } from 'node:timers/promises'
import type { JSONRPCMessage, RequestId, Transport } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { SwapError } from '../engine/errors.js'
import { type Offer, serverFactory } from './server.js'
import { writtenCalls } from './written-calls.js'

/** Longest message, in bytes: the default of the SDK, which stops to listen after a longer one. */
const LONGEST = 10 * 1_024 * 1_024

export type Served = {
  /** Resolved when the input has ended and what it asked is answered. Rejected with a SwapError at a message that is too long. */
  readonly ended: Promise<void>
  close(): Promise<void>
}

/** Serves both eras of the protocol over two streams; the first message decides which. */
export function serveOnStdio(offer: Offer, input: Readable, output: Writable): Served {
  const make = serverFactory(offer)
  // The SDK drops the calls that run when its input ends; that of a shell's pipe ends at once.
  const { stream: messages, take } = writtenCalls(LONGEST, async () => {
    while (messages.readableLength > 0) await settled()
    await answered()
  })
  const inner = new StdioServerTransport(messages, output, { maxBufferSize: LONGEST })
  const { transport, answered, closed } = countAnswers(inner)
  const { close } = serveStdio(() => make(undefined, take), { transport, onerror: () => {} })
  const ended = finished(input.pipe(messages)).catch(() => {})
  const refused = closed.then(() => {
    if (!input.readableEnded) throw tooLong()
  })
  return { ended: Promise.race([ended, refused]), close }
}

/** A transport that knows which requests have no answer yet. */
function countAnswers(inner: Transport): {
  readonly transport: Transport
  answered(): Promise<void>
  readonly closed: Promise<void>
} {
  const open = new Set<RequestId>()
  let wake = () => {}
  let end = () => {}
  const closed = new Promise<void>((resolve) => {
    end = resolve
  })
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
        end()
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
    closed,
    answered: () =>
      open.size === 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            wake = resolve
          }),
  }
}

const tooLong = (): SwapError =>
  new SwapError('INVALID_REQUEST', 'a message is too long to be read', {
    why: `it has more than ${LONGEST} bytes`,
    hint: 'send shorter messages, each on a line of its own',
  })
