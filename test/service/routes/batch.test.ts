import assert from 'node:assert/strict'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { test } from 'vitest'
import type { RequestContext } from '../../../src/service/answers/handler.js'
import type { Admission } from '../../../src/service/guards/admission.js'
import { batchHandler } from '../../../src/service/routes/batch.js'

/** Longer than a time slice. */
const PIECE_MS = 3

function spin(): void {
  const end = performance.now() + PIECE_MS
  while (performance.now() < end);
}

test('many batches at once keep other events waiting for one piece of work, not for one of each', async () => {
  let pieces = 0
  const context = {
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
  const reply = new Proxy({}, { get: (_, name) => (name === 'then' ? undefined : () => reply) })
  const route = { input: { denom: 'btc-btc', amount: '1' }, output: { denom: 'rune' } }
  const body = JSON.stringify({ requests: Array(3).fill({ route }) })
  const handle = batchHandler(context, admission)
  const answers = Array.from({ length: 10 }, () =>
    handle({ body, url: '/swap/batch' } as FastifyRequest, reply as FastifyReply),
  )
  let isDone = false
  let most = 0
  const ended = Promise.all(answers).then(() => {
    isDone = true
  })
  for (let before = pieces; !isDone; before = pieces) {
    await new Promise((resolve) => setImmediate(resolve))
    most = Math.max(most, pieces - before)
  }
  await ended
  assert.equal(pieces, 30)
  assert.ok(most <= 2, `${most} pieces between two events`)
})
