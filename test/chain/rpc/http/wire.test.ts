import assert from 'node:assert/strict'
import { createServer, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { partsWithin } from '../../../../src/chain/rpc/http/body-parts.js'
import { closing } from '../../../support/closing.js'
import { CHAIN_ID, failureOf, noPauses, openSource } from '../stage.js'

/** A source of a node that answers a request with whatever `answer` writes. */
async function sourceOf(answer: (socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => answer(socket))
  })
  closing(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const rpc = [`http://127.0.0.1:${port}`]
  return closing(openSource({ chainId: CHAIN_ID, rpc, deadlineMs: 20_000, limits: noPauses }))
}

test('Parts of one byte need no more memory than twice their bytes, and none is taken above the limit', () => {
  const parts = partsWithin(1_000)
  const kept = Array.from({ length: 1_010 }, (_, i) => parts.add(Uint8Array.of(i % 251)))
  assert.deepEqual([kept.indexOf(false), kept.lastIndexOf(true)], [1_000, 999])
  assert.deepEqual(
    [...parts.joined()],
    Array.from({ length: 1_000 }, (_, i) => i % 251),
  )
  assert.ok(parts.joined().buffer.byteLength <= 2_000)
})

test('An answer that switches to another protocol is a fault at once', async () => {
  const source = await sourceOf(
    (socket) =>
      void socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n',
      ),
  )
  expect(await failureOf(source.newestHeight())).toMatchObject({
    kind: 'not_json',
    message: expect.stringMatching(/switches to another protocol than HTTP$/),
  })
})
