import { setTimeout as wait } from 'node:timers/promises'
import { attempt } from '../../platform/attempt.js'
import { isObject, type JsonObject } from '../../platform/json-object.js'
import type { Block } from '../blocks/chain.js'
import { emptyReply, jsonReply } from '../node/reply.js'
import { type Answer, type Call, type Fault, type FaultKind, faultsOf } from './fault.js'

const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** CometBFT 0.37 wrote keys and values of attributes in base64. */
function oldAttribute(value: JsonObject): JsonObject {
  const { key, value: text } = value
  if (typeof key !== 'string' || typeof text !== 'string') return value
  return { ...value, key: base64(key), value: base64(text) }
}

/** A document of 0.38 in the format of 0.37: events in base64, two lists of block events, both empty. */
function older(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(older)
  if (!isObject(value)) return value
  const entries = Object.entries(value).flatMap(([name, each]): [string, unknown][] => {
    if (name === 'attributes' && Array.isArray(each))
      return [[name, each.map((one) => (isObject(one) ? oldAttribute(one) : one))]]
    if (name === 'finalize_block_events')
      return [
        ['begin_block_events', each],
        ['end_block_events', each],
      ]
    if (name === 'node_info' && isObject(each))
      return [[name, { ...(older(each) as JsonObject), version: '0.37.4' }]]
    return [[name, older(each)]]
  })
  return Object.fromEntries(entries)
}

const answerOlder: Answer = async (_call, next) => {
  const reply = await next()
  const body = attempt(() => JSON.stringify(older(JSON.parse(reply.body.toString()))))
  return body === undefined ? reply : { ...reply, body: Buffer.from(body) }
}

/** Faults of the node's version. */
export const encodingFaults: readonly FaultKind[] = [
  faultsOf('chain')(
    'old-encoding',
    'the node is a CometBFT 0.37: events in base64, begin and end of block apart',
    'the same data as before',
    { at: 'answer', answer: answerOlder, fits: ({ exchange }) => exchange.endpoint !== 'rest' },
  ),
]

const MEBIBYTE = 1 << 20

const slow: Answer = async (_call, next, { n }) => {
  await wait(n * 1000, undefined, { ref: false })
  return next()
}

const hang: Answer = async () => ({ ...emptyReply(200), send: 'hang' })

const drip: Answer = async (_call, next, { n }) => ({ ...(await next()), send: { drip: n } })

/** The request is done, and the connection closed without an answer. */
export const reset: Answer = async (_call, next) => ({ ...(await next()), send: 'reset' })

const refuse: Answer = async () => ({ ...emptyReply(503), send: 'reset' })

/** A huge body that begins like an answer. */
const huge: Answer = async ({ requests: [request] }, _next, { n }) => {
  const body = Buffer.alloc(n * MEBIBYTE, 0x61)
  body.write(`{"jsonrpc":"2.0","id":${JSON.stringify(request?.id ?? -1)},"result":{"response":"`)
  return { ...jsonReply(200, ''), body }
}

const ofConnection = faultsOf('connection')

/** Faults of the connection: slow, silent or closed. */
export const connectionFaults: readonly FaultKind[] = [
  ofConnection(
    'slow',
    'every answer comes late',
    'one deadline for the whole reading; older data until they are too old',
    { at: 'answer', answer: slow },
    { meaning: 'seconds', fallback: 5, least: 1, most: 600 },
  ),
  ofConnection(
    'hang',
    'requests are taken and never answered',
    'the deadline fires, the connection is closed',
    { at: 'answer', answer: hang },
  ),
  ofConnection(
    'drip',
    'answers come a byte at a time',
    'the deadline counts all of the time, not the pauses',
    { at: 'answer', answer: drip },
    { meaning: 'ms a byte', fallback: 200, least: 1, most: 60_000 },
  ),
  ofConnection(
    'huge',
    'answers are enormous and never become JSON',
    'reading stops at a limit of bytes',
    { at: 'answer', answer: huge },
    { meaning: 'MiB', fallback: 64, least: 1, most: 512 },
  ),
  ofConnection(
    'reset',
    'the request is done, and the connection closed without an answer',
    'a retry with a pause, then another node; a broadcast is never signed again',
    { at: 'answer', answer: reset },
  ),
  ofConnection(
    'refuse',
    'connections are closed before anything is done',
    'not ready, and ready again soon after it ends',
    { at: 'answer', answer: refuse },
  ),
]

const page = (title: string): string =>
  `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`

const html =
  (status: number, title: string): Answer =>
  async () => ({ status, headers: { 'content-type': 'text/html' }, body: Buffer.from(page(title)) })

const json =
  (text: string): Answer =>
  async () =>
    jsonReply(200, text)

/** The first part of the honest answer, as a complete reply. */
const truncated: Answer = async (_call, next) => {
  const reply = await next()
  return { ...reply, body: reply.body.subarray(0, Math.floor(reply.body.length * 0.6)) }
}

/** A WebSocket message has no status. */
const notSocket = ({ exchange }: Call) => exchange.endpoint !== 'ws'

const tooMany: Answer = async (_call, _next, { n }) => ({
  status: 429,
  headers: { 'content-type': 'text/plain', 'retry-after': String(n) },
  body: Buffer.from('Too Many Requests\n'),
})

const ofReply = faultsOf('answer')
const instead = (answer: Answer) => ({ at: 'answer', answer, fits: notSocket }) as const

/** Faults of whole replies, as a proxy in front of the node causes them. */
export const replyFaults: readonly FaultKind[] = [
  ofReply(
    '429',
    'too many requests, with Retry-After',
    'waiting as long as the header says, at most a minute; another node',
    instead(tooMany),
    { meaning: 'seconds of Retry-After', fallback: 2, least: 0, most: 86_400 },
  ),
  ofReply('403', 'forbidden, as HTML', 'another node', instead(html(403, '403 Forbidden'))),
  ofReply(
    '502',
    'bad gateway, as HTML',
    'a retry with a pause; HTML is never read as JSON',
    instead(html(502, '502 Bad Gateway')),
  ),
  ofReply(
    'html200',
    'a web page with status 200',
    'an error of the node, not a crash',
    instead(html(200, 'Welcome to nginx!')),
  ),
  ofReply('empty', 'status 200 and nothing', 'an error of the node', instead(json(''))),
  ofReply('truncated', 'the answer is cut off', 'an error of the node', instead(truncated)),
  ofReply(
    'not-json',
    'JSON that is not complete',
    'an error of the node',
    instead(json('{"jsonrpc":"2.0","id":1,"result":{')),
  ),
  ofReply('null', 'the body is null', 'every request settles, as an error', instead(json('null'))),
]

const ofSocket = faultsOf('socket')

/** Faults of web sockets. */
export const socketFaults: readonly FaultKind[] = [
  ofSocket(
    'ws-silent',
    'sockets stay open and send no new blocks',
    'polling continues; the socket is reopened',
    { at: 'socket' },
  ),
  ofSocket(
    'ws-flood',
    'each block is announced many times',
    'polling continues; no block is counted twice',
    { at: 'socket' },
    { meaning: 'times', fallback: 500, least: 2, most: 100_000 },
  ),
  ofSocket('ws-refuse', 'sockets are closed at the first message', 'polling continues', {
    at: 'answer',
    answer: refuse,
    fits: ({ exchange }) => exchange.endpoint === 'ws',
  }),
]

/** A subscriber that receives blocks as the active faults allow. */
export const faultySubscriber =
  (listener: (block: Block) => void, faults: () => readonly Fault[]): ((block: Block) => void) =>
  (block) => {
    const active = faults()
    if (active.some(({ kind }) => kind === 'ws-silent' || kind === 'stale')) return
    const times = active.find(({ kind }) => kind === 'ws-flood')?.n ?? 1
    for (let time = 0; time < times; time++) listener(block)
  }
