import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'vitest'
import { WebSocket } from 'ws'
import { type NodeServer, serveChain } from '../../../src/demo-chain/node/server.js'
import { longTest } from '../../support/long.js'
import { type Stage, stage } from './stage.js'

let server: NodeServer | undefined
afterEach(() => server?.close())

/** A chain behind a fault, with real sockets. */
async function wired(kind: string, n?: number): Promise<{ at: Stage; rpc: string }> {
  const at = stage()
  server = await serveChain(at.chain, { rpcPort: 0, restPort: 0, middleware: at.middleware })
  at.fail({ kind, ...(n !== undefined && { n }) })
  return { at, rpc: server.rpc }
}

describe('a fault over the wire', () => {
  test('drip: sends all of it, slower than a deadline', async () => {
    const { at, rpc } = await wired('drip', 20)
    const early = fetch(`${rpc}/status`, { signal: AbortSignal.timeout(300) })
    await assert.rejects(
      early.then((reply) => reply.text()),
      { name: 'TimeoutError' },
    )
    at.board.clear()
    at.fail({ kind: 'drip', n: 1, method: 'health' })
    const body = await (await fetch(`${rpc}/health`)).text()
    assert.deepEqual(JSON.parse(body), { jsonrpc: '2.0', id: -1, result: {} })
  })
  longTest('huge: sends the whole size', async () => {
    const { rpc } = await wired('huge', 40)
    const reply = await fetch(`${rpc}/status`)
    assert.equal((await reply.text()).length, 40 << 20)
  })
})

type Received = { readonly id?: number; readonly result?: { readonly query?: string } }

/** A socket that has subscribed to blocks, and its events. */
async function subscribed(rpc: string): Promise<{ socket: WebSocket; received: Received[] }> {
  const socket = new WebSocket(`${rpc.replace('http', 'ws')}/websocket`)
  const received: Received[] = []
  await new Promise((opened) => socket.once('open', opened))
  const params = { query: "tm.event='NewBlock'" }
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscribe', params }))
  await new Promise((answered) => {
    socket.on('message', (data) => {
      received.push(JSON.parse(data.toString()) as Received)
      answered(undefined)
    })
    socket.once('close', answered)
  })
  return { socket, received }
}

/** A call over the same socket: its answer comes after all earlier events. */
async function caughtUp(socket: WebSocket): Promise<void> {
  const answered = new Promise<void>((done) => {
    socket.on('message', (data) => {
      if ((JSON.parse(data.toString()) as Received).id === 2) done()
    })
  })
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'health', params: {} }))
  await answered
}

describe('a WebSocket fault over the wire', () => {
  const events = (received: readonly Received[]) => received.filter(({ result }) => result?.query)
  test('silent: stays open and answers, and sends no block', async () => {
    const { at, rpc } = await wired('ws-silent')
    const { socket, received: heard } = await subscribed(rpc)
    at.block()
    await caughtUp(socket)
    assert.equal(events(heard).length, 0)
    at.board.clear()
    at.block()
    await caughtUp(socket)
    assert.equal(events(heard).length, 1)
    socket.terminate()
  })
  test('flood: sends each block so many times', async () => {
    const { at, rpc } = await wired('ws-flood', 30)
    const { socket, received: heard } = await subscribed(rpc)
    at.block()
    await caughtUp(socket)
    assert.equal(events(heard).length, 30)
    socket.terminate()
  })
  test('refused: closes at the first message', async () => {
    const { rpc } = await wired('ws-refuse')
    const { socket, received: heard } = await subscribed(rpc)
    assert.deepEqual(heard, [])
    assert.notEqual(socket.readyState, WebSocket.OPEN)
  })
})
