import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { runSwap } from '../support/cli.js'

/** A node that takes connections and never answers. */
let silent: Server
let url = ''
beforeAll(async () => {
  silent = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const address = silent.address()
  assert.ok(typeof address === 'object' && address !== null)
  url = `http://127.0.0.1:${address.port}`
})
afterAll(() => void silent.close())

describe('a node that does not answer', () => {
  const ask = (...args: readonly string[]) => runSwap([...args, '--rpc', url, '--timeout', '300ms'])

  test('ends with the limit of the command, what was read, and how to raise the limit', async () => {
    const { status, stderr } = await ask('route', '1', 'btc', 'rune')
    assert.equal(status, 4)
    const text = stderr.replace(/\s+/g, ' ')
    assert.match(text, /error: http:\/\/127\.0\.0\.1:\d+ did not answer in time/)
    assert.match(text, /the market of demo took longer than the limit of the command, 0\.3 s/)
    assert.match(text, /raise the limit: --timeout 2s; or name another node: --rpc <url>/)
  })

  test('is named with each other one where several were asked', async () => {
    const { stderr } = await ask('route', '1', 'btc', 'rune', '--rpc', `${url}/second`)
    const text = stderr.replace(/\s+/g, ' ')
    assert.match(text, /error: none of 2 nodes gave an answer/)
    for (const node of [url, `${url}/second`])
      assert.ok(text.includes(`${node} did not answer within`), text)
  })
})
