import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { beforeAll, describe, test } from 'vitest'
import { PIPELINED } from '../../../src/service/guards/limits.js'
import { deferred } from '../../support/deferred.js'
import { body, type Staged, stage, threadless } from '../stage.js'

const STREAM =
  'GET /swap/stream?input.denom=btc-btc&input.amount=150000000&output.denom=rune HTTP/1.1\r\nHost: localhost\r\n\r\n'

const GET = 'GET /swap/tokens HTTP/1.1\r\nHost: localhost\r\n\r\n'

const CONNECT = 'CONNECT a:1 HTTP/1.1\r\nHost: localhost\r\n\r\n'

/** Called when a worker is to compute. */
let computing = async (): Promise<void> => {}
let service: Staged
let port = 0
beforeAll(async () => {
  const pool = threadless()
  service = await stage({
    pool: {
      ...pool,
      async run(job) {
        await computing()
        return pool.run(job)
      },
    },
    streamPool: pool,
  })
  port = Number(new URL(await service.server.listen({ host: '127.0.0.1', port: 0 })).port)
})

/** A connection over which a text is sent. */
function sending(text: string) {
  const socket = connect(port, '127.0.0.1', () => socket.write(text))
  return socket.on('error', () => {})
}

const openStreams = async (): Promise<string | undefined> =>
  /^swap_streams (\d+)$/m.exec(await service.metrics.text())?.[1]

/** Waits for a condition that holds soon. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await wait(10)
}

const connections = (): Promise<number> =>
  new Promise((resolve) => service.server.server.getConnections((_, count) => resolve(count)))

test('a client that does not close its connection after CONNECT keeps none open', async () => {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  await once(
    socket.resume().on('connect', () => socket.write(CONNECT)),
    'end',
  )
  await until(async () => (await connections()) === 0)
  socket.destroy()
})

describe('a client that leaves', () => {
  test('ends its streams, those too that wait behind others on its connection', async () => {
    const socket = sending(STREAM.repeat(3))
    await until(async () => (await openStreams()) === '3')
    socket.destroy()
    await until(async () => (await connections()) === 0)
    await until(async () => (await openStreams()) === '0')
  })
  test('ends its streams where it pipelines more requests than a connection may have', async () => {
    await once(sending(STREAM.repeat(PIPELINED + 2)).resume(), 'close')
    // Its quote is computed after those of the others.
    await service.server.inject({ method: 'HEAD', url: STREAM.split(' ')[1]! })
    await until(async () => (await openStreams()) === '0')
  })
  test('is no bug where it waited for a batch, whose other requests are not computed', async () => {
    const requests = Array.from({ length: 10 }, (_, i) => ({ sroute: body(`${150_000_000 + i}`) }))
    const text = JSON.stringify({ requests })
    const head = `POST /swap/batch HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n`
    const { promise: begun, resolve: begin } = deferred()
    const { promise: gone, resolve: proceed } = deferred()
    let jobs = 0
    computing = () => {
      jobs += 1
      begin()
      return gone
    }
    const from = service.lines.length
    const socket = sending(head + text)
    await begun
    socket.destroy()
    await until(async () => (await connections()) === 0)
    proceed()
    await until(async () => service.lines.length > from)
    await service.server.inject('/livez')
    const lines = service.lines.slice(from).map((line) => JSON.parse(line))
    assert.deepEqual(
      lines.map(({ msg, status }) => [msg, status]),
      [
        ['request', 200],
        ['request', 200],
      ],
    )
    assert.equal(jobs, 1)
  })
  test('is no bug where it resets its connection right after a request', async () => {
    const from = service.lines.length
    // The service accepts one connection at a time: most are reset before.
    const sockets = Array.from({ length: 30 }, () => sending(GET))
    for (const each of sockets) each.on('connect', () => each.resetAndDestroy())
    await Promise.all(sockets.map((each) => once(each, 'close')))
    await until(async () => (await connections()) === 0)
    await service.server.inject('/livez')
    assert.deepEqual(
      service.lines.slice(from).filter((line) => line.includes('a bug')),
      [],
    )
  })
})
