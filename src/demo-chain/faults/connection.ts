import { setTimeout as wait } from 'node:timers/promises'
import type { Answer, FaultKind } from './fault.js'

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

/** Looks like an answer for as long as anybody cares to read it. */
const huge: Answer = async ({ requests: [request] }, _next, { n }) => {
  const body = Buffer.alloc(n * MEBIBYTE, 0x61)
  body.write(`{"jsonrpc":"2.0","id":${JSON.stringify(request?.id ?? -1)},"result":{"response":"`)
  return { status: 200, headers: { 'content-type': 'application/json' }, body }
}

/** Faults of the connection: what answers is slow, silent or gone. */
export const connectionFaults: readonly FaultKind[] = [
  {
    kind: 'slow',
    group: 'connection',
    does: 'every answer comes late',
    row: 'A3',
    sees: 'one deadline for the whole reading; older data until its age is over',
    number: { meaning: 'seconds', fallback: 5, least: 1, most: 600 },
    effect: { at: 'answer', answer: slow },
  },
  {
    kind: 'hang',
    group: 'connection',
    does: 'requests are taken and never answered',
    row: 'A4',
    sees: 'the deadline fires, the connection is closed',
    effect: { at: 'answer', answer: hang },
  },
  {
    kind: 'drip',
    group: 'connection',
    does: 'answers come a byte at a time',
    row: 'A4',
    sees: 'the deadline counts all of the time, not the pauses',
    number: { meaning: 'ms a byte', fallback: 200, least: 1, most: 60_000 },
    effect: { at: 'answer', answer: drip },
  },
  {
    kind: 'huge',
    group: 'connection',
    does: 'answers are enormous and never become JSON',
    row: 'A5',
    sees: 'reading stops at a limit of bytes',
    number: { meaning: 'MiB', fallback: 64, least: 1, most: 512 },
    effect: { at: 'answer', answer: huge },
  },
  {
    kind: 'reset',
    group: 'connection',
    does: 'the request is done, and the connection closed without an answer',
    row: 'A1',
    sees: 'a retry with a pause, then another node; a broadcast is never signed anew',
    effect: { at: 'answer', answer: reset },
  },
  {
    kind: 'refuse',
    group: 'connection',
    does: 'connections are closed before anything is done',
    row: 'A1',
    sees: 'not ready, and ready again soon after it ends',
    effect: { at: 'answer', answer: refuse },
  },
]
