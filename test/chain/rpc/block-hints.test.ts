import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, createServer as createTcp, type Socket } from 'node:net'
import { beforeEach, describe, onTestFinished, test, vi } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { blockHints, type HintOptions, socketUrl } from '../../../src/chain/rpc/block-hints.js'
import { openNodes } from '../../../src/chain/rpc/nodes.js'
import type { EmbeddedChain } from '../../../src/demo-chain/blocks/embedded-chain.js'
import { chainOf, grow, majorPairs } from '../../support/chain.js'
import { closing } from '../../support/closing.js'
import { CHAIN_ID, type FaultyNode, faultyNode } from './stage.js'

let chain: EmbeddedChain
let node: FaultyNode
beforeEach(async () => {
  chain = chainOf({ life: false }, majorPairs)
  node = await faultyNode(chain)
})

/** Subscribes to nodes, and waits for notifications. */
function listening(urls: readonly string[], options: Partial<HintOptions> = {}) {
  const nodes = closing(openNodes({ chainId: CHAIN_ID, rpc: urls, deadlineMs: 1_000 }))
  const events = new EventEmitter()
  const heights: number[] = []
  const lost: string[] = []
  const close = blockHints(nodes.rpc.endpoints, {
    silenceMs: 60_000,
    pauseMs: 1,
    heard(height) {
      heights.push(height)
      events.emit('heard')
    },
    lost(endpoint, why) {
      lost.push(`${endpoint} ${why}`)
      events.emit('lost')
    },
    ...options,
  })
  closing({ close })
  return {
    heights,
    lost,
    close,
    /** Makes blocks until one is notified: a subscription takes a moment. */
    async nextHeight() {
      const notified = once(events, 'heard')
      const making = setInterval(() => grow(chain, 1), 20)
      await notified
      clearInterval(making)
    },
    lostOne: () => once(events, 'lost'),
  }
}

describe('notifications of new blocks', () => {
  test('arrive for every block of a node, once and in order', async () => {
    const { heights, nextHeight: heard } = listening([node.rpc])
    await heard()
    grow(chain, 5)
    await heard()
    assert.deepEqual(
      heights,
      heights.map((_, i) => heights[0]! + i),
    )
    assert.ok(heights.length >= 6)
    assert.equal(heights.at(-1)! <= chain.height, true)
  })

  test('continue over a new connection when a node stops sending', async () => {
    const { lost, nextHeight: heard, lostOne } = listening([node.rpc], { silenceMs: 300 })
    await heard()
    node.fail({ kind: 'ws-silent' })
    const making = setInterval(() => grow(chain, 1), 50)
    await lostOne()
    clearInterval(making)
    assert.match(lost[0]!, /announced no block/)
    node.heal()
    await heard()
  })

  test('retry a node that refuses, and the next one as well', async () => {
    const other = await faultyNode(chain)
    node.fail({ kind: 'ws-refuse' })
    const { lost, nextHeight: heard, heights } = listening([node.rpc, other.rpc])
    await heard()
    assert.ok(lost.length >= 1 && lost.every((each) => each.startsWith(node.rpc)))
    assert.ok(heights.length > 0)
  })

  test('are deduplicated in a flood', async () => {
    node.fail({ kind: 'ws-flood', n: 1_000 })
    const { heights, nextHeight: heard } = listening([node.rpc])
    await heard()
    await heard()
    assert.equal(new Set(heights).size, heights.length)
    assert.deepEqual(
      heights,
      heights.toSorted((a, b) => a - b),
    )
  })

  test('continue over a new connection when the peer disappears without closing', async () => {
    const proxy = await frozenProxy(node.rpc)
    const { nextHeight: heard, lostOne, lost } = listening([proxy.url], { silenceMs: 300 })
    await heard()
    proxy.freeze()
    await lostOne()
    assert.match(lost[0]!, /announced no block/)
    proxy.thaw()
    await heard()
  })

  test('end only the connection on a refused subscription, a reply that is not JSON or an endless one', async () => {
    const answers = [
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"max_subscriptions_per_client 5 reached"}}',
      'hello',
      `{"result":{"data":{"value":{"header":{"height":"${'9'.repeat(40)}"}}}}}`,
      `{"x":"${'x'.repeat(2 << 20)}"}`,
    ]
    const server = await socketServer(answers)
    const { lost, nextHeight: heard } = listening([server, node.rpc], { silenceMs: 200 })
    await heard()
    assert.ok(lost.some((each) => each.includes('takes no subscription')))
  })

  test('of a node that sends too many are read no more', async () => {
    const flood = Array.from({ length: 200 }, (_, i) => {
      const result = { data: { value: { header: { height: `${i + 1}` } } } }
      return JSON.stringify({ result, padding: 'x'.repeat(100_000) })
    })
    const { heights, lost, lostOne } = listening([await socketServer([flood])])
    await lostOne()
    assert.match(lost[0]!, /too many messages/)
    assert.ok(heights.length > 100 && heights.length < 170, `${heights.length}`)
  })

  test('of a node that sends too many control frames are read no more', async () => {
    const pongs = (socket: WebSocket) => {
      for (let count = 0; count < 20_000; count += 1) socket.pong()
    }
    const { lost, lostOne } = listening([await socketServer([pongs])])
    await lostOne()
    assert.match(lost[0]!, /too many messages/)
  })

  test('of a node that announces one and refuses more are requested with growing pauses', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1)
    const timers = vi.spyOn(globalThis, 'setTimeout')
    onTestFinished(() => void vi.restoreAllMocks())
    const header = JSON.stringify({ result: { data: { value: { header: { height: '7' } } } } })
    const { heights, lostOne } = listening([await socketServer([[header, '{"error":{}}']])])
    for (let count = 0; count < 4; count += 1) await lostOne()
    const pauses = timers.mock.calls.filter(([{ name }]) => name === 'connect').map(([, ms]) => ms)
    assert.deepEqual(
      [pauses.slice(0, 3), heights.slice(0, 3)],
      [
        [1, 2, 4],
        [7, 7, 7],
      ],
    )
  })

  test('stop when they are closed, and leave no connection open', async () => {
    const { heights, nextHeight: heard, close } = listening([node.rpc])
    await heard()
    close()
    const count = heights.length
    grow(chain, 3)
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(heights.length, count)
  })

  test('use the WebSocket URL of the endpoint, with TLS where it has it, and mask its keys', async () => {
    const url = (text: string) => socketUrl(new URL(text)).href
    assert.equal(url('https://rpc.example/key/'), 'wss://rpc.example/key/websocket')
    assert.equal(
      url('http://me:pw@127.0.0.1:1?token=1'),
      'ws://me:pw@127.0.0.1:1/websocket?token=1',
    )
    assert.equal(url('http://127.0.0.1:1/#part'), 'ws://127.0.0.1:1/websocket')
    const { lost, lostOne } = listening(['http://me:secret-word@127.0.0.1:1/9f86d081884c7d65'])
    await lostOne()
    assert.equal(/secret|9f86/.test(lost[0]!), false)
  })
})

/** A proxy that can stop forwarding, like a paused machine. */
async function frozenProxy(target: string) {
  const { port } = new URL(target)
  const sockets = new Set<Socket>()
  let frozen = false
  const server = createTcp((near) => {
    const far = connect(Number(port), '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    }
    near.on('data', (data) => frozen || far.write(data)).on('close', () => far.destroy())
    far.on('data', (data) => frozen || near.write(data)).on('close', () => near.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing({
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    freeze: () => {
      frozen = true
    },
    thaw: () => {
      frozen = false
    },
  }
}

type SocketAnswer = string | readonly string[] | ((socket: WebSocket) => void)

/** A WebSocket server that answers every subscription with the next of some texts, or of lists of them. */
async function socketServer(answers: readonly SocketAnswer[]): Promise<string> {
  const http: Server = createServer()
  const server = new WebSocketServer({ server: http })
  let next = 0
  server.on('connection', (socket) => {
    socket.on('error', () => {})
    socket.on('message', () => {
      const answer = answers[next++ % answers.length]!
      if (typeof answer === 'function') answer(socket)
      else for (const text of [answer].flat()) socket.send(text)
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  closing({
    close() {
      for (const socket of server.clients) socket.terminate()
      http.close()
    },
  })
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`
}
