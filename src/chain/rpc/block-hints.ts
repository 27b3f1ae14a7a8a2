import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'
import { attempt } from '../../platform/attempt.js'
import { jitteredPause } from '../../platform/clock.js'
import { heightIn, parseNodeJson } from './http/json-rpc.js'
import type { Target } from './http/target.js'

/** Interval of pings, in milliseconds. */
const PING_MS = 10_000

/** Time limit for connecting, in milliseconds. */
const CONNECT_MS = 2_000

/** The first pause after a fault and the longest, in milliseconds; in between they double. */
const PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000

/** Most bytes of a message; a header has about a thousand. */
const MOST_BYTES = 1 << 20

/** Most bytes received between two pings, and what a message or control frame counts in addition: each costs time. */
const FLOOD_BYTES = 16 << 20
const MESSAGE_BYTES = 1 << 10

/** After a flood the pause is as long as after so many failures. */
const FLOOD_FAILURES = 7

const SUBSCRIBE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'subscribe',
  params: { query: "tm.event='NewBlockHeader'" },
})

export type HintOptions = {
  /** Milliseconds without a block after which the connection is reopened: three blocks' time. */
  readonly silenceMs: number
  /** Called with the height of a new block; per connection each height once, in ascending order. */
  readonly heard: (height: number) => void
  /** Called when a connection ends on either side, with the masked endpoint and the reason. */
  readonly lost?: (endpoint: string, why: string) => void
  readonly pauseMs?: number
}

/**
 * Subscribes to new blocks over WebSocket, at one node at a time. The events are hints only: nodes may drop events,
 * repeat them or stop sending. After a connection ends, is refused or is silent for too long, the next node is
 * connected, with growing pauses after failures.
 *
 * @returns ends the subscription
 */
export function blockHints(targets: readonly Target[], options: HintOptions): () => void {
  let at = 0
  let failures = 0
  let newest = 0
  let isStopped = false
  let close = () => {}

  const connect = async (): Promise<void> => {
    const target = targets[at % targets.length]!
    at += 1
    newest = 0
    const { WebSocket } = await import('ws')
    if (isStopped) return
    const listening = listen(new WebSocket(socketUrl(target.url), SOCKET), options.silenceMs, {
      onHeight(height) {
        if (height <= newest) return
        // Connections that announce one block only are replaced with growing pauses as well.
        if (newest > 0) failures = 0
        newest = height
        options.heard(height)
      },
      onEnd(why, isFlood) {
        options.lost?.(target.shown, why)
        if (isFlood) failures = FLOOD_FAILURES
        reconnect()
      },
    })
    close = listening
  }
  const reconnect = (): void => {
    if (isStopped) return
    failures += 1
    const backOff = { firstMs: options.pauseMs ?? PAUSE_MS, longestMs: LONGEST_PAUSE_MS }
    const timer = setTimeout(connect, jitteredPause(backOff, failures))
    close = () => clearTimeout(timer)
  }
  if (targets.length > 0) void connect()
  return () => {
    isStopped = true
    close()
  }
}

const SOCKET = {
  handshakeTimeout: CONNECT_MS,
  maxPayload: MOST_BYTES,
  perMessageDeflate: false,
  followRedirects: false,
  // Stated, so that NODE_TLS_REJECT_UNAUTHORIZED changes nothing: the URL may hold a key.
  rejectUnauthorized: true,
} as const

/** The WebSocket URL that belongs to a JSON-RPC URL; credentials and keys in it are kept. */
export function socketUrl(url: URL): URL {
  const socket = new URL(url)
  socket.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  socket.pathname = `${url.pathname.replace(/\/$/, '')}/websocket`
  // A WebSocket refuses it, and requests leave it out.
  socket.hash = ''
  return socket
}

type Listener = { onHeight(height: number): void; onEnd(why: string, isFlood: boolean): void }

/** Listens to one connection and reports its end once. @returns closes it without a report */
function listen(
  socket: WebSocket,
  silenceMs: number,
  { onHeight: heard, onEnd: ended }: Listener,
): () => void {
  let isOver = false
  let isAlive = true
  let messages = 0
  let bytesBefore = 0
  let wire: Pick<Socket, 'bytesRead'> = { bytesRead: 0 }
  const end = (why: string | undefined, isFlood = false): void => {
    if (isOver) return
    isOver = true
    clearTimeout(silence)
    clearInterval(pings)
    socket.terminate()
    if (why !== undefined) ended(why, isFlood)
  }
  const silence = setTimeout(() => end('it announced no block'), silenceMs)
  const pings = setInterval(() => {
    if (!isAlive) return end('it does not answer')
    isAlive = false
    messages = 0
    bytesBefore = wire.bytesRead
    if (socket.readyState === socket.OPEN) socket.ping()
  }, PING_MS)
  /** @returns whether the connection is still read */
  const count = (): boolean => {
    messages += 1
    const received = wire.bytesRead - bytesBefore + messages * MESSAGE_BYTES
    if (received > FLOOD_BYTES) end('it sends too many messages', true)
    return !isOver
  }
  socket.on('upgrade', (response) => {
    wire = response.socket
  })
  socket.on('open', () => socket.send(SUBSCRIBE))
  socket.on('ping', count)
  socket.on('pong', () => {
    isAlive = count()
  })
  socket.on('message', (data) => {
    if (!count()) return
    isAlive = true
    const message = readMessage(String(data))
    if (message === 'refused') return end('it takes no subscription')
    if (message === undefined) return
    silence.refresh()
    heard(message)
  })
  // An error event without a listener would end the process; `close` follows it.
  socket.on('error', () => end('it cannot be reached, or sent something other than a message'))
  socket.on('close', () => end('it was closed'))
  return () => end(undefined)
}

/** The height of a new block; `refused` for an error; nothing for anything else. */
const readMessage = (text: string): number | 'refused' | undefined =>
  attempt(() => {
    const { result, error } = parseNodeJson(text) as { result?: HeaderEvent; error?: unknown }
    if (error !== undefined && error !== null) return 'refused'
    return heightIn(result?.data?.value?.header?.height)
  })

type HeaderEvent = { data?: { value?: { header?: { height?: unknown } } } } | null | undefined
