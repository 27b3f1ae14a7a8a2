import { setTimeout as wait } from 'node:timers/promises'
import type { Reply } from '../node/reply.js'
import type { Answer, Call, FaultKind } from './fault.js'

const MEBIBYTE = 1 << 20

const slow: Answer = async (_call, next, { n }) => {
  await wait(n * 1000, undefined, { ref: false })
  return next()
}

const hang: Answer = async () => ({
  status: 200,
  headers: {},
  body: Buffer.alloc(0),
  send: 'hang',
})

const drip: Answer = async (_call, next, { n }) => ({ ...(await next()), send: { drip: n } })

const reset: Answer = async (_call, next) => ({ ...(await next()), send: 'reset' })

const refuse: Answer = async () => ({
  status: 503,
  headers: { connection: 'close' },
  body: Buffer.alloc(0),
  send: 'reset',
})

/** A huge body that begins like an answer. */
const huge: Answer = async ({ requests: [request] }, _next, { n }) => {
  const body = Buffer.alloc(n * MEBIBYTE, 0x61)
  body.write(`{"jsonrpc":"2.0","id":${JSON.stringify(request?.id ?? -1)},"result":{"response":"`)
  return { status: 200, headers: { 'content-type': 'application/json' }, body }
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

const json = (text: string): Answer =>
  constant({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(text),
  })

/** The first part of the honest answer, as if it were all. */
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

/** Faults of the whole answer, as a proxy in front of the node causes them. */
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
    'something like JSON that is none',
    'an error of the node',
  ),
  instead('null', json('null'), 'the body is null', 'every request settles, as an error'),
]
