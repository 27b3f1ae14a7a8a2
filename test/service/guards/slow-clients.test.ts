import assert from 'node:assert/strict'
import { networkInterfaces } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { beforeAll, describe, test } from 'vitest'
import { CONNECTIONS_PER_ADDRESS } from '../../../src/service/guards/limits.js'
import { LONG, longTest } from '../../support/long.js'
import { crowd, dismiss, type Member } from '../crowd.js'
import { body, post, type Staged, stage } from '../stage.js'

/** The requirement names two and three thousand. */
const SLOW = 2_000
const IDLE = 3_000

let service: Staged
let port = 0
beforeAll(async () => {
  service = await stage()
  const url = await service.server.listen({ host: '0.0.0.0', port: 0 })
  port = Number(new URL(url).port)
})

/** Sends valid requests, over a new connection each, until it is stopped. */
function steadyClient() {
  let going = true
  const statuses: number[] = []
  const asking = (async () => {
    for (let n = 0; going; n += 1) {
      const { method, url, headers, payload } = post('/swap/route', body(`${1_000_000 + n}`))
      const init = { method, body: payload, headers: { ...headers, connection: 'close' } }
      const reply = await fetch(`http://127.0.0.1:${port}${url}`, init).catch(() => undefined)
      await reply?.arrayBuffer().catch(() => {})
      statuses.push(reply?.status ?? 0)
      await wait(200)
    }
  })()
  return async (): Promise<readonly number[]> => {
    going = false
    await asking
    return statuses
  }
}

/** Below the minute after which Node itself closes such connections. */
const DISCONNECT_MS = 50_000

/** All of them are disconnected in time, while the steady client is served. */
async function assertDisconnected(members: readonly Member[]): Promise<void> {
  const stop = steadyClient()
  const start = performance.now()
  await Promise.all(members.map(({ ended }) => ended))
  const took = performance.now() - start
  const statuses = await stop()
  assert.ok(took < DISCONNECT_MS, `${Math.round(took)} ms`)
  assert.ok(statuses.length > 0)
  assert.deepEqual(new Set(statuses), new Set([200]))
}

const GET = 'GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
const HEAD = 'POST /swap/route HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'

/** Writes a byte at a time, slowly. */
const drip = (bytes: string) => (socket: Member['socket']) => {
  socket.write(bytes)
  const timer = setInterval(() => socket.write('a'), 500)
  socket.on('close', () => clearInterval(timer))
}

test('a request that comes too slowly is refused as one that may be sent again', async () => {
  const { server } = service.server
  server.once('connection', (socket) =>
    server.emit('clientError', { code: 'ERR_HTTP_REQUEST_TIMEOUT' }, socket),
  )
  const [member] = await crowd(1, port, (socket) => socket.write('POST /swap/route'))
  await member!.ended
  assert.match(member!.reply(), /^HTTP\/1\.1 408 Request Timeout\r\n/)
  assert.match(member!.reply(), /"code":"REQUEST_TIMEOUT","retryable":true/)
})

describe.runIf(LONG)('slow clients', () => {
  longTest(
    `of which ${SLOW} never finish their headers are disconnected with 408`,
    async () => {
      const members = await crowd(SLOW, port, drip(`${HEAD}X-Slow: `))
      await assertDisconnected(members)
      for (const { reply } of members) assert.match(reply(), /^HTTP\/1\.1 408 /)
    },
    600_000,
  )

  longTest(
    `${SLOW} that never finish their body are disconnected with 408`,
    async () => {
      const members = await crowd(SLOW, port, drip(`${HEAD}Content-Length: 5000\r\n\r\n{`))
      await assertDisconnected(members)
      for (const { reply } of members) assert.match(reply(), /^HTTP\/1\.1 408 /)
    },
    600_000,
  )

  longTest(
    `${IDLE} that send nothing are disconnected`,
    async () => {
      await assertDisconnected(await crowd(IDLE, port, () => {}))
    },
    600_000,
  )

  longTest(
    'that do not read the answers are disconnected, and the data buffered for them is bounded',
    async () => {
      const ask = 'GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(200)
      const begun = process.memoryUsage().rss
      const members = await crowd(20, port, (socket) => {
        socket.pause()
        socket.write(ask)
      })
      const stop = steadyClient()
      const sockets = members.map(({ socket }) => socket)
      await wait(18_000)
      const before = process.memoryUsage().rss
      for (const socket of sockets) socket.resume()
      await Promise.all(members.map(({ ended }) => ended))
      assert.deepEqual(new Set(await stop()), new Set([200]))
      assert.ok(before - begun < 200 << 20, `${(before - begun) >> 20} MiB`)
    },
  )
})

describe('many connections of one address', () => {
  const own = Object.values(networkInterfaces())
    .flat()
    .find((each) => each?.family === 'IPv4' && !each.internal)?.address

  test.skipIf(own === undefined)('are bounded, and other clients are not affected', async () => {
    const count = CONNECTIONS_PER_ADDRESS + 100
    const stop = steadyClient()
    const members = await crowd(count, port, () => {}, own)
    const open = () => members.filter(({ socket }) => !socket.destroyed).length
    while (open() > CONNECTIONS_PER_ADDRESS) await wait(20)
    assert.equal(open(), CONNECTIONS_PER_ADDRESS)
    assert.match(await service.metrics.text(), /^swap_connections_refused_total 100$/m)
    const notices = service.lines.filter((line) => line.includes('connections beyond the limits'))
    assert.equal(notices.length, 1)
    dismiss(members)
    assert.deepEqual(new Set(await stop()), new Set([200]))
    const connections = () =>
      new Promise<number>((resolve) =>
        service.server.server.getConnections((_, count) => resolve(count)),
      )
    while ((await connections()) > CONNECTIONS_PER_ADDRESS / 2) await wait(20)
    const again = await crowd(10, port, (socket) => socket.write(GET), own)
    await Promise.all(again.map(({ ended }) => ended))
    for (const { reply } of again) assert.match(reply(), /^HTTP\/1\.1 200 /)
  })
})
