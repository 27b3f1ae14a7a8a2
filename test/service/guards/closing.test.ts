import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, test } from 'vitest'
import { type Staged, stage, threadless } from '../stage.js'

const GET = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`

type Client = {
  readonly socket: Socket
  readonly text: () => string
  readonly end: Promise<string>
}

/** A client, and how its connection ended: with `end`, or the code of an error. */
function clientOf(port: number): Client {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  let end = 'end'
  socket.setEncoding('latin1').on('data', (part: string) => {
    text += part
  })
  socket.on('error', (error: NodeJS.ErrnoException) => {
    end = error.code ?? ''
  })
  const ended = new Promise<string>((resolve) => socket.on('close', () => resolve(end)))
  return { socket, text: () => text, end: ended }
}

async function listening(): Promise<{ readonly service: Staged; readonly port: number }> {
  const service = await stage({ pool: threadless() })
  const url = await service.server.listen({ host: '127.0.0.1', port: 0 })
  return { service, port: Number(new URL(url).port) }
}

/** Waits until the service has logged that many requests. */
async function answered(service: Staged, count: number): Promise<void> {
  while (service.lines.length < count) await wait(5)
}

describe('a service that closes', () => {
  test('answers a request that has arrived on an idle connection, and closes it', async () => {
    const { service, port } = await listening()
    const { socket, text, end } = clientOf(port)
    socket.write(GET('/livez'))
    await once(socket, 'data')
    socket.write(GET('/version'))
    await service.end()
    assert.equal(await end, 'end')
    assert.match(text(), /^HTTP\/1\.1 200 .*"version".*/s)
    assert.match(text(), /\r\nconnection: close\r\n/i)
  })
  test('answers requests of connections that are not accepted yet', async () => {
    const { service, port } = await listening()
    const clients = Array.from({ length: 5 }, () => clientOf(port))
    await Promise.all(clients.map(({ socket }) => once(socket, 'connect')))
    for (const { socket } of clients) socket.write(GET('/version'))
    await service.end()
    for (const { text, end } of clients) {
      assert.equal(await end, 'end')
      assert.match(text(), /^HTTP\/1\.1 200 /)
    }
  })
  test('answers every request of clients that connect again and again', async () => {
    const { service, port } = await listening()
    const untilRefused = async (): Promise<string> => {
      const { socket, text, end } = clientOf(port)
      socket.write(GET('/version').replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
      const how = await end
      return text().startsWith('HTTP/1.1 200 ') ? untilRefused() : how
    }
    const clients = Array.from({ length: 20 }, untilRefused)
    await answered(service, 20)
    await service.end()
    assert.deepEqual([...new Set(await Promise.all(clients))], ['ECONNREFUSED'])
  })
  test('sends answers completely to a client that reads them slowly', async () => {
    const { service, port } = await listening()
    const { socket, text, end } = clientOf(port)
    socket.pause()
    const count = 10
    socket.write(GET('/swap/snapshot').repeat(count))
    await answered(service, count)
    const closed = service.end()
    await wait(100)
    socket.resume()
    await closed
    assert.equal(await end, 'end')
    const lengths = [...text().matchAll(/\r\ncontent-length: (\d+)\r\n/gi)]
    assert.equal(lengths.length, count)
    const bodies = text()
      .split(/HTTP\/1\.1 200 .*?\r\n\r\n/s)
      .slice(1)
    assert.deepEqual(
      bodies.map(({ length }) => length),
      lengths.map(([, length]) => Number(length)),
    )
  })
  test('waits for no connection on which nothing was sent', async () => {
    const { service, port } = await listening()
    const { socket, end } = clientOf(port)
    await once(socket, 'connect')
    await wait(50)
    const start = performance.now()
    await service.end()
    assert.equal(await end, 'end')
    assert.ok(performance.now() - start < 10_000)
  })
})
