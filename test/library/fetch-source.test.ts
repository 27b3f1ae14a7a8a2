import type { UnderlyingSource } from 'node:stream/web'
import { expect, test } from 'vitest'
import { fetchSource } from '../../src/library/fetch-source.js'

const MEBIBYTE = new Uint8Array(1 << 20)

/** What reading from a node fails with whose answer has this body. */
const failureWith = async (body: UnderlyingSource<Uint8Array>): Promise<unknown> => {
  const answer = async (_url: unknown, init?: RequestInit) => {
    const stream = new ReadableStream({
      ...body,
      start(controller) {
        init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason))
      },
    })
    return new Response(stream, { headers: { 'content-type': 'application/json' } })
  }
  const source = fetchSource('demo-1', { rpc: ['http://node'], timeoutMs: 300, fetch: answer })
  return source.newestHeight().catch((error) => error)
}

test('An answer read with fetch is cut off at 32 MiB', async () => {
  let sent = 0
  let isCancelled = false
  const failure = await failureWith({
    pull(controller) {
      sent += 1
      if (sent > 300) controller.close()
      else controller.enqueue(MEBIBYTE)
    },
    cancel() {
      isCancelled = true
    },
  })
  expect(failure).toMatchObject({
    kind: 'too_large',
    message: expect.stringContaining('answered more than 33554432 bytes'),
  })
  expect(isCancelled).toBe(true)
  expect(sent).toBeLessThan(40)
})

test('An answer read with fetch that does not end is reported as late, not as cut off', async () => {
  expect(await failureWith({})).toMatchObject({ kind: 'timeout' })
})

test('An answer read with fetch whose connection breaks is reported as cut off', async () => {
  const failure = await failureWith({
    pull() {
      throw new TypeError('terminated')
    },
  })
  expect(failure).toMatchObject({ kind: 'reset' })
})

test('A URL with a password is refused before a request, and not repeated', () => {
  const create = () => fetchSource('demo-1', { rpc: ['http://name:secret@node'] })
  expect(create).toThrow(/^rpc\[0\] contains a user name or password$/)
})

test('A URL of a node is read as in the configuration: tcp means http, and other protocols are refused', async () => {
  const asked: string[] = []
  const send = async (url: unknown) => {
    asked.push(String(url))
    return new Response('{}')
  }
  await fetchSource('demo-1', { rpc: ['tcp://node:26657'], fetch: send })
    .newestHeight()
    .catch(() => {})
  expect(asked).toEqual(['http://node:26657/'])
  const create = () => fetchSource('demo-1', { rpc: ['ftp://secret'] })
  expect(create).toThrow(/^rpc\[0\] is not an http or https URL$/)
})
