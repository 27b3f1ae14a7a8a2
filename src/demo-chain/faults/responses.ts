import { setTimeout as wait } from 'node:timers/promises'
import type { Block } from '../blocks/chain.js'
import { emptyReply, jsonReply, type Reply } from '../node/reply.js'
import type { Answer, Call, Fault, FaultKind } from './fault.js'

type Json = { readonly [member: string]: unknown }

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** CometBFT 0.37 wrote keys and values of attributes in base64. */
function oldAttribute(value: Json): Json {
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
      return [[name, { ...(older(each) as Json), version: '0.37.4' }]]
    return [[name, older(each)]]
  })
  return Object.fromEntries(entries)
}

const answerOlder: Answer = async (_call, next) => {
  const reply = await next()
  try {
    return { ...reply, body: Buffer.from(JSON.stringify(older(JSON.parse(reply.body.toString())))) }
  } catch {
    return reply
  }
}

/** Faults of the node's version. */
export const encodingFaults: readonly FaultKind[] = [
  {
    kind: 'old-encoding',
    group: 'chain',
    does: 'the node is a CometBFT 0.37: events in base64, begin and end of block apart',
    sees: 'the same data as before',
    effect: {
      at: 'answer',
      answer: answerOlder,
      fits: ({ exchange }) => exchange.endpoint !== 'rest',
    },
  },
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

/** Faults of the connection: slow, silent or closed. */
export const connectionFaults: readonly FaultKind[] = [
  {
    kind: 'slow',
    group: 'connection',
    does: 'every answer comes late',
    sees: 'one deadline for the whole reading; older data until its age is over',
    number: { meaning: 'seconds', fallback: 5, least: 1, most: 600 },
    effect: { at: 'answer', answer: slow },
  },
  {
    kind: 'hang',
    group: 'connection',
    does: 'requests are taken and never answered',
    sees: 'the deadline fires, the connection is closed',
    effect: { at: 'answer', answer: hang },
  },
  {
    kind: 'drip',
    group: 'connection',
    does: 'answers come a byte at a time',
    sees: 'the deadline counts all of the time, not the pauses',
    number: { meaning: 'ms a byte', fallback: 200, least: 1, most: 60_000 },
    effect: { at: 'answer', answer: drip },
  },
  {
    kind: 'huge',
    group: 'connection',
    does: 'answers are enormous and never become JSON',
    sees: 'reading stops at a limit of bytes',
    number: { meaning: 'MiB', fallback: 64, least: 1, most: 512 },
    effect: { at: 'answer', answer: huge },
  },
  {
    kind: 'reset',
    group: 'connection',
    does: 'the request is done, and the connection closed without an answer',
    sees: 'a retry with a pause, then another node; a broadcast is never signed again',
    effect: { at: 'answer', answer: reset },
  },
  {
    kind: 'refuse',
    group: 'connection',
    does: 'connections are closed before anything is done',
    sees: 'not ready, and ready again soon after it ends',
    effect: { at: 'answer', answer: refuse },
  },
]

const page = (title: string): string =>
  `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`

const html = (status: number, title: string, headers: Readonly<Record<string, string>> = {}) =>
  constant({
    status,
    headers: { 'content-type': 'text/html', ...headers },
    body: Buffer.from(page(title)),
  })

const constant =
  (reply: Reply): Answer =>
  async () =>
    reply

const json = (text: string): Answer => constant(jsonReply(200, text))

/** The first part of the honest answer, as a complete reply. */
const truncated: Answer = async (_call, next) => {
  const reply = await next()
  return { ...reply, body: reply.body.subarray(0, Math.floor(reply.body.length * 0.6)) }
}

/** A WebSocket message has no status. */
const notSocket = ({ exchange }: Call) => exchange.endpoint !== 'ws'

const instead = (kind: string, answer: Answer, does: string, sees: string): FaultKind => ({
  kind,
  group: 'answer',
  does,
  sees,
  effect: { at: 'answer', answer, fits: notSocket },
})

const tooMany: Answer = async (_call, _next, { n }) => ({
  status: 429,
  headers: { 'content-type': 'text/plain', 'retry-after': String(n) },
  body: Buffer.from('Too Many Requests\n'),
})

/** Faults of whole replies, as a proxy in front of the node causes them. */
export const replyFaults: readonly FaultKind[] = [
  {
    kind: '429',
    group: 'answer',
    does: 'too many requests, with Retry-After',
    sees: 'waiting as long as the header says, at most a minute; another node',
    number: { meaning: 'seconds of Retry-After', fallback: 2, least: 0, most: 86_400 },
    effect: { at: 'answer', answer: tooMany, fits: notSocket },
  },
  instead('403', html(403, '403 Forbidden'), 'forbidden, as HTML', 'another node'),
  instead(
    '502',
    html(502, '502 Bad Gateway'),
    'bad gateway, as HTML',
    'a retry with a pause; HTML is never read as JSON',
  ),
  instead(
    'html200',
    html(200, 'Welcome to nginx!'),
    'a web page with status 200',
    'an error of the node, not a crash',
  ),
  instead('empty', json(''), 'status 200 and nothing', 'an error of the node'),
  instead('truncated', truncated, 'the answer is cut off', 'an error of the node'),
  instead(
    'not-json',
    json('{"jsonrpc":"2.0","id":1,"result":{'),
    'JSON that is not complete',
    'an error of the node',
  ),
  instead('null', json('null'), 'the body is null', 'every request settles, as an error'),
]

/** Faults of web sockets. */
export const socketFaults: readonly FaultKind[] = [
  {
    kind: 'ws-silent',
    group: 'socket',
    does: 'sockets stay open and say nothing of new blocks',
    sees: 'polling continues; the socket is reopened',
    effect: { at: 'socket' },
  },
  {
    kind: 'ws-flood',
    group: 'socket',
    does: 'each block is announced many times',
    sees: 'polling continues; no block is counted twice',
    number: { meaning: 'times', fallback: 500, least: 2, most: 100_000 },
    effect: { at: 'socket' },
  },
  {
    kind: 'ws-refuse',
    group: 'socket',
    does: 'sockets are closed at the first word',
    sees: 'polling continues',
    effect: {
      at: 'answer',
      answer: refuse,
      fits: ({ exchange }) => exchange.endpoint === 'ws',
    },
  },
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
