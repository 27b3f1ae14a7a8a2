import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { test, vi } from 'vitest'
import type { RequestContext } from '../../../src/service/answers/handler.js'
import type { Admission } from '../../../src/service/guards/admission.js'
import { batchHandler } from '../../../src/service/routes/batch.js'
import { body, post, stage, threadless } from '../stage.js'

const feed = { age: () => 0 }

/** Longer than a time slice. */
const PIECE_MS = 3

function spin(): void {
  const end = performance.now() + PIECE_MS
  while (performance.now() < end);
}

test('many batches at once keep other events waiting for one piece of work, not for one of each', async () => {
  let pieces = 0
  const context = {
    feed,
    quotes: {
      market: () => ({ height: 1 }),
      textOf: async () => {
        pieces += 1
        spin()
        return '{}'
      },
    },
  } as unknown as RequestContext
  const admission = { chargeHeavy() {}, chargeMore() {} } as unknown as Admission
  const raw = new EventEmitter()
  const reply = new Proxy(
    {},
    { get: (_, name) => (name === 'then' ? undefined : name === 'raw' ? raw : () => reply) },
  )
  const route = { input: { denom: 'btc-btc', amount: '1' }, output: { denom: 'rune' } }
  const body = JSON.stringify({ requests: Array(3).fill({ route }) })
  const handle = batchHandler(context, admission)
  let most = 0
  const nextEvent = async () => {
    const before = pieces
    await new Promise((resolve) => setImmediate(resolve))
    most = Math.max(most, pieces - before)
  }
  const answers: Promise<unknown>[] = []
  // Each request arrives in an event of its own.
  for (let i = 0; i < 10; i += 1) {
    answers.push(handle({ body, url: '/swap/batch' } as FastifyRequest, reply as FastifyReply))
    await nextEvent()
  }
  let isDone = false
  const ended = Promise.all(answers).then(() => {
    isDone = true
  })
  while (!isDone) await nextEvent()
  await ended
  assert.equal(pieces, 30)
  assert.ok(most <= 2, `${most} pieces between two events`)
})

test('a batch that is not read to its end is cut off, and lets go of its market', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const quotes = { market: () => ({ height: 1 }), textOf: async () => `"${'x'.repeat(100_000)}"` }
    const admission = { chargeHeavy() {}, chargeMore() {} } as unknown as Admission
    const handle = batchHandler({ feed, quotes } as unknown as RequestContext, admission)
    const route = { input: { denom: 'btc-btc', amount: '1' }, output: { denom: 'rune' } }
    const body = JSON.stringify({ requests: [{ route }, { route }] })
    const cut: string[] = []
    for (const name of ['read', 'not read']) {
      const raw = Object.assign(new EventEmitter(), {
        destroy: () => cut.push(name),
        setTimeout() {},
      })
      const reply = { raw, header: () => reply, headers: () => reply, send: () => reply }
      await handle({ body, url: '/swap/batch' } as FastifyRequest, reply as unknown as FastifyReply)
      if (name === 'read') raw.emit('close')
    }
    vi.advanceTimersByTime(29_999)
    assert.deepEqual(cut, [])
    vi.advanceTimersByTime(1)
    assert.deepEqual(cut, ['not read'])
  } finally {
    vi.useRealTimers()
  }
})

test('the connection of a batch stays open while a request of it is computed', async () => {
  let socket: Socket | undefined
  const pool = threadless()
  const run: typeof pool.run = (job) => {
    socket?.emit('timeout')
    return pool.run(job)
  }
  const service = await stage({ pool: { ...pool, run } })
  service.server.server.on('connection', (opened) => {
    socket = opened
  })
  const url = await service.server.listen({ host: '127.0.0.1', port: 0 })
  const { method, headers, payload } = post('/swap/batch', { requests: [{ sroute: body() }] })
  const answer = await fetch(`${url}/swap/batch`, { method, headers, body: payload })
  assert.equal(answer.status, 200)
})
