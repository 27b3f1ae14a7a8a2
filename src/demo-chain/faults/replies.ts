import type { Reply } from '../node/rpc/reply.js'
import type { Answer, FaultKind } from './fault.js'
import type { Call } from './request.js'

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

/** A message of a web socket has no status. */
const notSocket = ({ exchange }: Call) => exchange.door !== 'ws'

const instead = (
  kind: string,
  row: string,
  answer: Answer,
  does: string,
  sees: string,
): FaultKind => ({
  kind,
  group: 'answer',
  does,
  row,
  sees,
  effect: { at: 'answer', answer, fits: notSocket },
})

const tooMany: Answer = async (_call, _next, { n }) => ({
  status: 429,
  headers: { 'content-type': 'text/plain', 'retry-after': String(n) },
  body: Buffer.from('Too Many Requests\n'),
})

/** Faults of the answer as a whole: what stands before the node says something else. */
export const replyFaults: readonly FaultKind[] = [
  {
    kind: '429',
    group: 'answer',
    does: 'too many requests, with Retry-After',
    row: 'A8',
    sees: 'waiting as long as told, at most a minute; another node',
    number: { meaning: 'seconds of Retry-After', fallback: 2, least: 0, most: 86_400 },
    effect: { at: 'answer', answer: tooMany, fits: notSocket },
  },
  instead('403', 'A8', html(403, '403 Forbidden'), 'forbidden, as HTML', 'another node'),
  instead(
    '502',
    'A8',
    html(502, '502 Bad Gateway'),
    'bad gateway, as HTML',
    'a retry with a pause; HTML is never read as JSON',
  ),
  instead(
    'html200',
    'A8',
    html(200, 'Welcome to nginx!'),
    'a web page with status 200',
    'an error of the node, not a crash',
  ),
  instead('empty', 'A8', json(''), 'status 200 and nothing', 'an error of the node'),
  instead('truncated', 'A8', truncated, 'the answer is cut off', 'an error of the node'),
  instead(
    'not-json',
    'A8',
    json('{"jsonrpc":"2.0","id":1,"result":{'),
    'something like JSON that is none',
    'an error of the node',
  ),
  instead('null', 'A6', json('null'), 'the body is null', 'every request settles, as an error'),
]
