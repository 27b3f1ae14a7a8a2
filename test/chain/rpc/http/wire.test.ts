import assert from 'node:assert/strict'
import { createServer, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { closing } from '../../../support/closing.js'
import { CHAIN_ID, failureOf, noPauses, openSource } from '../stage.js'

/** A source of a node that answers a request with whatever `answer` writes. */
async function sourceOf(answer: (socket: Socket) => void, deadlineMs: number) {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => answer(socket))
  })
  closing(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const rpc = [`http://127.0.0.1:${port}`]
  return closing(openSource({ chainId: CHAIN_ID, rpc, deadlineMs, limits: noPauses }))
}

test('An answer in chunks of one byte needs no more memory than its bytes', async () => {
  const chunks = '1\r\n \r\n'.repeat(10_000)
  const source = await sourceOf((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n')
    socket.write('transfer-encoding: chunked\r\n\r\n')
    const more = (): void => {
      while (!socket.destroyed && socket.write(chunks));
    }
    socket.on('drain', more)
    more()
  }, 2_000)
  const before = process.memoryUsage.rss()
  expect(await failureOf(source.newestHeight())).toMatchObject({ kind: 'timeout' })
  const grownMib = (process.memoryUsage.rss() - before) / 2 ** 20
  assert.ok(grownMib < 150, `${grownMib} MiB`)
}, 20_000)

test('An answer that switches to another protocol is a fault at once', async () => {
  const source = await sourceOf(
    (socket) =>
      void socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n',
      ),
    20_000,
  )
  expect(await failureOf(source.newestHeight())).toMatchObject({
    kind: 'not_json',
    message: expect.stringMatching(/switches to another protocol than HTTP$/),
  })
})
