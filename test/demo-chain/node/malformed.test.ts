import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { WebSocket } from 'ws'
import type { EmbeddedChain } from '../../../src/demo-chain/blocks/embedded-chain.js'
import { queries } from '../../../src/demo-chain/node/queries/all-queries.js'
import type { NodeServer } from '../../../src/demo-chain/node/server.js'
import { chainOf } from '../../support/chain.js'
import { ask, call } from './ask.js'
import { bodies, messages, paths, restPaths, rpc } from './malformed-requests.js'
import { served } from './stage.js'

describe('the demo node', () => {
  let chain: EmbeddedChain
  let node: NodeServer
  beforeAll(async () => {
    chain = chainOf()
    chain.makeBlock()
    node = await served(chain)
  })
  afterAll(() => node.close())

  const requireAnswer = async (): Promise<void> => {
    assert.deepEqual(await call(node.rpc, 'health'), { jsonrpc: '2.0', id: 1, result: {} })
  }

  test(`answers each of ${bodies.length} malformed bodies`, async () => {
    for (const body of bodies) {
      const { status, text } = await ask(node.rpc, { method: 'POST', body })
      assert.ok(status === 200 || status === 500, `${status} for ${body.slice(0, 80)}`)
      if (text !== '') JSON.parse(text)
      if (status === 500) assert.match(text, /"code":-32(?:700|603)/, body.slice(0, 80))
      assert.doesNotMatch(text, /TypeError|is not a function|undefined/, body.slice(0, 80))
    }
    await requireAnswer()
  })

  test('refuses malformed bytes to every query with a code', async () => {
    for (const path of queries.keys())
      for (const data of messages) {
        const answer = (await call(node.rpc, 'abci_query', { path, data })) as {
          result: { response: { code: number; log: string } }
        }
        const { code, log } = answer.result.response
        assert.ok(code === 0 || log.length > 0, `${path} ${data}`)
        assert.doesNotMatch(log, /index out of range|invalid wire|TypeError/, `${path} ${data}`)
      }
    await requireAnswer()
  })

  test(`answers each of ${paths.length + restPaths.length} malformed paths`, async () => {
    for (const path of paths) assert.ok((await ask(`${node.rpc}${path}`)).status >= 200, path)
    for (const path of restPaths) {
      const { status, text } = await ask(`${node.rest}${path}`)
      assert.doesNotMatch(text, /"code":13/, path)
      assert.ok([200, 500, 501].includes(status), `${status} for ${path}`)
    }
    await requireAnswer()
  })

  test('closes only the connection on bytes that are not HTTP', async () => {
    for (const bytes of [
      '\r\n\r\n',
      'GET\r\n\r\n',
      'X'.repeat(20_000),
      'POST / HTTP/1.1\r\ncontent-length: x\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      '\u0016\u0003\u0001',
      'GET // HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
      'GET /websocket HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
      'GET http:// HTTP/1.1\r\nhost: x\r\n\r\n',
      'GET http://x:y/health HTTP/1.1\r\nhost: x\r\n\r\n',
    ])
      await new Promise<void>((resolve) => {
        const socket = connect(Number(node.rpc.split(':').at(-1)), '127.0.0.1', () =>
          socket.end(bytes),
        )
        socket.on('error', () => {})
        socket.on('data', () => {})
        socket.on('close', () => resolve())
      })
    await requireAnswer()
  })

  test('answers or ignores each malformed message over a WebSocket', async () => {
    const socket = new WebSocket(`${node.rpc.replace('http', 'ws')}/websocket`)
    const answers: string[] = []
    const done = new Promise<void>((resolve) => {
      socket.on('message', (data: Buffer) => {
        answers.push(data.toString())
        if (data.toString().includes('"last"')) resolve()
      })
    })
    await new Promise((resolve) => socket.once('open', resolve))
    for (const body of bodies) socket.send(body)
    socket.send(rpc('"health"', '{}', '"last"'))
    await done
    assert.ok(answers.length > bodies.length / 2)
    for (const answer of answers) assert.doesNotMatch(answer, /TypeError|is not a function/)
    socket.terminate()
    await requireAnswer()
  })
})
