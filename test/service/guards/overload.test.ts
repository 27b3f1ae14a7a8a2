import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { beforeAll, describe, test } from 'vitest'
import { watchPressure } from '../../../src/service/guards/pressure.js'
import { longTest } from '../../support/long.js'
import { body, post, type Staged, stage, threads } from '../stage.js'

/** Long requests that may wait; one more is refused. */
const QUEUE = 4

let service: Staged
const pool = threads(QUEUE)
let next = 0
/** A request that takes a thread some tens of milliseconds, different from every other. */
const heavy = () => post('/swap/sroute', body(`${90_000_000 + (next += 7)}`))

beforeAll(async () => {
  service = await stage({ pool })
  // The first request starts the thread.
  while ((await service.server.inject(heavy())).statusCode !== 200);
})

type Answered = { readonly status: number; readonly retry: unknown }

async function asked(request: ReturnType<typeof post>): Promise<Answered> {
  const { statusCode, headers } = await service.server.inject(request)
  return { status: statusCode, retry: headers['retry-after'] }
}

describe('a service with more requests than its queue holds', () => {
  test('answers some requests and refuses the rest with Retry-After', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => asked(heavy())))
    const good = answers.filter(({ status }) => status === 200)
    const refused = answers.filter(({ status }) => status === 503)
    assert.equal(good.length + refused.length, answers.length)
    assert.ok(refused.length > 5)
    assert.ok(good.length > 0)
    assert.ok(refused.every(({ retry }) => retry === '1'))
    assert.equal((await asked(heavy())).status, 200)
  })

  test('does not delay quick requests', async () => {
    const long = Array.from({ length: 2 * QUEUE }, () => asked(heavy()))
    const quick = await asked(post('/swap/route', body(`${(next += 7)}000000`)))
    const live = await asked(post('/livez', '')).catch(() => undefined)
    assert.equal(quick.status, 200)
    assert.ok(live !== undefined)
    const statuses = (await Promise.all(long)).map(({ status }) => status)
    assert.ok(statuses.includes(200) && statuses.includes(503))
  })

  longTest('answers only health checks while the event loop is late again and again', async () => {
    const pressure = watchPressure()
    const busy = await stage({ pressure })
    const block = (ms: number) => {
      for (const until = performance.now() + ms; performance.now() < until; );
    }
    for (let i = 0; i < 40 && pressure.tooMuch() === undefined; i += 1) {
      block(350)
      await wait(0)
    }
    assert.match(pressure.tooMuch() ?? '', /processor/)
    const quote = await busy.server.inject(post('/swap/route', body()))
    assert.equal(quote.statusCode, 503)
    assert.equal((await busy.server.inject('/livez')).statusCode, 200)
    while (pressure.tooMuch() !== undefined) await wait(50)
    assert.equal((await busy.server.inject(post('/swap/route', body()))).statusCode, 200)
    await busy.end()
  })
})

test('clients that disconnect during a request leave no work behind', async () => {
  const url = await service.server.listen({ host: '127.0.0.1', port: 0 })
  for (let round = 0; round < 5; round += 1)
    await Promise.all(
      Array.from({ length: 10 }, async (_, i) => {
        const going = new AbortController()
        const { method, headers, payload } =
          i % 2 === 0 ? heavy() : post('', body(`${(next += 7)}`))
        const path = i % 2 === 0 ? '/swap/sroute' : '/swap/route'
        const asking = fetch(`${url}${path}`, {
          method,
          headers,
          body: payload,
          signal: going.signal,
        }).catch(() => {})
        await wait(i)
        going.abort()
        await asking
      }),
    )
  while (pool.busy() + pool.waiting() > 0) await wait(20)
  const count = () =>
    new Promise<number>((resolve) =>
      service.server.server.getConnections((_, open) => resolve(open)),
    )
  while ((await count()) > 0) await wait(50)
  assert.equal((await asked(heavy())).status, 200)
})
