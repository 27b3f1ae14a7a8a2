import type { Readable, Writable } from 'node:stream'
import {
  type JSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
  type RequestId,
  type Transport,
  UnsupportedProtocolVersionError,
} from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { SwapError } from '../engine/errors.js'
import { readMessage } from './read-message.js'
import { type Offer, serverFactory } from './server.js'

export type StdioServer = Pick<LineTransport, 'ended'> & { close(): Promise<void> }

/** Serves both eras of the protocol over two streams; the first message decides which. */
export function serveOnStdio(offer: Offer, input: Readable, output: Writable): StdioServer {
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

/** Maximum length of a message, in bytes. */
const LONGEST = 10 * 1_024 * 1_024

const NEWLINE = 10

/** A transport of messages, a line each. */
type LineTransport = {
  readonly transport: Transport
  /**
   * Resolved when the input has ended and its requests are answered. Rejected with a SwapError for an
   * overlong line.
   */
  readonly ended: Promise<void>
}

/**
 * The stdio transport. The SDK's own ignores invalid lines, and drops an unterminated last line and calls in
 * flight when the input ends; here each is answered.
 *
 * @param hold called with the error in a call's JSON, before the call is dispatched
 */
function lineTransport(
  input: Readable,
  output: Writable,
  hold: (id: RequestId, fault: SwapError) => void,
): LineTransport {
  const unanswered = new Set<RequestId>()
  let parts: Buffer[] = []
  let size = 0
  let isEnding = false
  let settle = (_error?: SwapError) => {}
  const ended = new Promise<void>((resolve, reject) => {
    settle = (error) => (error === undefined ? resolve() : reject(error))
  })
  const write = (document: object) =>
    new Promise<void>((resolve, reject) => {
      output.write(`${JSON.stringify(document)}\n`, (error) => (error ? reject(error) : resolve()))
    })
  const close = (error?: SwapError) => {
    // Reading standard input would keep the process alive.
    input.off('data', take).off('end', end).off('close', close).pause()
    settle(error)
    transport.onclose?.()
    transport.onclose = undefined
  }
  const answered = (id: unknown) => {
    unanswered.delete(id as RequestId)
    if (isEnding && unanswered.size === 0) close()
  }
  const readLine = () => {
    const text = Buffer.concat(parts).toString()
    parts = []
    size = 0
    if (text.trim() === '') return
    const read = readMessage(text)
    if ('refused' in read) {
      write(read.refused).catch(() => {})
      return
    }
    const { message, fault } = read
    const refusal = versionRefusal(message)
    if (refusal !== undefined) {
      write(refusal).catch(() => {})
      return
    }
    if (fault !== undefined && 'id' in message) hold(message.id as RequestId, fault)
    const cancelled = cancelledBy(message)
    if (cancelled !== undefined) answered(cancelled)
    else if (isAnswerable(message)) unanswered.add(message.id)
    transport.onmessage?.(message)
  }
  const take = (chunk: Buffer) => {
    for (let from = 0; from < chunk.length; ) {
      const end = chunk.indexOf(NEWLINE, from)
      const part = chunk.subarray(from, end < 0 ? chunk.length : end)
      size += part.length
      if (size > LONGEST) return close(tooLong())
      parts.push(part)
      if (end >= 0) readLine()
      from += part.length + 1
    }
  }
  const end = () => {
    input.off('close', close)
    if (size > 0) readLine()
    isEnding = true
    if (unanswered.size === 0) close()
  }
  const transport: Transport = {
    async start() {
      input.on('data', take).on('end', end).on('close', close)
      output.on('error', () => close())
    },
    async send(message) {
      await write(message)
      if (!('method' in message)) answered(message.id)
    },
    async close() {
      close()
    },
  }
  return { transport, ended }
}

/** Whether a request is answered before the input ends; subscriptions are not. */
const isAnswerable = (
  message: JSONRPCMessage,
): message is JSONRPCMessage & { readonly id: RequestId } =>
  'method' in message && 'id' in message && message.method !== 'subscriptions/listen'

/** The revision of requests that name theirs; the SDK exports no list of them. */
const REVISION = '2026-07-28'

/** The error for a request of another revision, which the SDK checks in the first message alone. */
function versionRefusal(message: JSONRPCMessage): object | undefined {
  if (!('method' in message && 'id' in message)) return undefined
  const requested = message.params?._meta?.[PROTOCOL_VERSION_META_KEY]
  if (typeof requested !== 'string' || requested === REVISION) return undefined
  const fault = new UnsupportedProtocolVersionError({ supported: [REVISION], requested })
  const { code, message: text, data } = fault
  return { jsonrpc: '2.0', id: message.id, error: { code, message: text, data } }
}

const cancelledBy = (message: JSONRPCMessage): unknown =>
  'method' in message && message.method === 'notifications/cancelled'
    ? (message.params as { readonly requestId?: unknown } | undefined)?.requestId
    : undefined

const tooLong = (): SwapError =>
  new SwapError('INVALID_REQUEST', 'a message is too long to be read', {
    why: `it has more than ${LONGEST} bytes`,
    hint: 'send shorter messages, each on a line of its own',
  })
