import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest'
import { WebSocket } from 'ws'
import type { EmbeddedChain } from '../../../../src/demo-chain/blocks/embedded-chain.js'
import { nodeOf } from '../../../../src/demo-chain/node/queries/node.js'
import { SocketServer } from '../../../../src/demo-chain/node/rpc/socket.js'
import type { NodeServer } from '../../../../src/demo-chain/node/server.js'
import { call } from '../ask.js'
import { assertSame, assertShape } from '../compare.js'
import { recorded } from '../recorded.js'
import { freshTx, served, stageChain } from '../stage.js'

type Message = {
  readonly id: number | string
  readonly result?: {
    readonly query?: string
    readonly data?: { readonly type: string; readonly value: unknown }
    readonly events?: Readonly<Record<string, readonly string[]>>
  }
  readonly error?: { readonly code: number; readonly data?: string }
}

/** A client that records all messages. */
class RecordingClient {
  readonly received: Message[] = []
  #wake = (): void => {}
  private constructor(readonly socket: WebSocket) {
    socket.on('message', (data: Buffer) => {
      this.received.push(JSON.parse(data.toString()))
      this.#wake()
    })
    socket.on('close', () => this.#wake())
  }

  static async at(rpc: string): Promise<RecordingClient> {
    const socket = new WebSocket(`${rpc.replace('http', 'ws')}/websocket`)
    await new Promise((resolve, reject) => {
      socket.once('open', resolve)
      socket.once('error', reject)
    })
    return new RecordingClient(socket)
  }

  async until(done: (received: readonly Message[]) => boolean): Promise<void> {
    while (!done(this.received)) await new Promise<void>((resolve) => (this.#wake = resolve))
  }

  /** Sends a call and waits for its answer. */
  async call(id: number, method: string, params: object = {}): Promise<Message> {
    const before = this.received.length
    this.socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    await this.until((received) => received.slice(before).some((message) => message.id === id))
    return this.received.slice(before).find((message) => message.id === id) as Message
  }
}

describe('the WebSocket server of the demo node', () => {
  let chain: EmbeddedChain
  let node: NodeServer
  const open: RecordingClient[] = []
  const listener = async (): Promise<RecordingClient> => {
    const client = await RecordingClient.at(node.rpc)
    open.push(client)
    return client
  }
  beforeAll(async () => {
    chain = stageChain(40, 3)
    node = await served(chain)
  })
  afterEach(() => {
    for (const client of open.splice(0)) client.socket.terminate()
  })
  afterAll(() => node.close())

  test('acknowledges and refuses as recorded', async () => {
    const client = await listener()
    const acks = (recorded['ws_acks'] as readonly Message[]).slice(0, 9)
    const queries = [
      "tm.event='NewBlock'",
      "tm.event='Tx' AND execute._contract_address='thor1'",
      "tm.event='NewBlockHeader'",
      "tm.event='NewBlock'",
      'foo bar',
      "tm.event='NewBlockEvents'",
    ]
    const answers: Message[] = []
    for (const [at, query] of queries.entries())
      answers.push(await client.call(at + 1, 'subscribe', { query }))
    answers.push(await client.call(7, 'status'))
    answers.push(await client.call(8, 'unsubscribe', { query: "tm.event='NewBlock'" }))
    answers.push(await client.call(9, 'unsubscribe', { query: "tm.event='NewBlock'" }))
    // The status is this chain's own; the words about a query that cannot be read differ.
    for (const [at, expected] of acks.entries())
      if (at === 4 || at === 6) assertShape(answers[at], expected)
      else assertSame(answers[at], expected)
  })

  test('sends a block as recorded: block, header, then its transactions', async () => {
    const client = await listener()
    const kinds = ['NewBlock', 'NewBlockHeader', 'Tx']
    for (const [at, kind] of kinds.entries())
      await client.call(at + 1, 'subscribe', { query: `tm.event='${kind}'` })
    client.received.length = 0
    chain.broadcast(freshTx(chain))
    const block = chain.makeBlock()
    await client.until((received) => received.length === 2 + block.txs.length)
    assert.deepEqual(
      client.received.map(({ id }) => id),
      [1, 2, ...block.txs.map(() => 3)],
    )
    const named = (name: string): unknown => recorded[name]
    const messageOf = (id: number) => client.received.find((message) => message.id === id)
    assertShape(messageOf(2), { ...(named('ws_header') as object), id: 2 })
    assert.deepEqual(Object.keys(messageOf(1)?.result ?? {}), ['query', 'data', 'events'])
    const tx = client.received.find(
      (message) => message.result?.events?.['tx.hash']?.[0] === block.txs.at(-1)?.hash,
    )
    assert.deepEqual(tx?.result?.events?.['tx.height'], [String(block.header.height)])
    assert.deepEqual(tx?.result?.events?.['tm.event'], ['Tx'])
    const recordedTx = (named('ws_tx') as Message).result?.data?.value as {
      TxResult: { result: object }
    }
    const value = (tx?.result?.data?.value ?? {}) as { TxResult?: Record<string, object> }
    const TxResult = value.TxResult ?? {}
    assert.deepEqual(
      Object.keys(TxResult),
      block.txs.length > 1 ? ['height', 'index', 'tx', 'result'] : ['height', 'tx', 'result'],
    )
    assertShape(TxResult['result'], recordedTx.TxResult.result, '.result')
  })

  test('sends only the events that match a subscription', async () => {
    const client = await listener()
    const query = `tm.event='Tx' AND tx.height>=${chain.height + 2}`
    await client.call(1, 'subscribe', { query })
    for (let block = 0; block < 3; block++) {
      chain.broadcast(freshTx(chain))
      chain.makeBlock()
    }
    const received = client.until((heard) => heard.length > 1)
    await received
    assert.equal(client.received[1]?.result?.query, query)
    assert.equal(client.received[1]?.result?.events?.['tx.height']?.[0], String(chain.height - 1))
  })

  test('answers every RPC method', async () => {
    const client = await listener()
    for (const [method, params] of [
      ['abci_info', {}],
      ['block', { height: String(chain.height) }],
      ['tx_search', { query: 'tx.height>0' }],
      ['validators', {}],
      ['nope', {}],
    ] as const) {
      const { result, error } = await client.call(1, method, params)
      const http = (await call(node.rpc, method, params)) as Message
      assert.deepEqual([result, error], [http.result, http.error], method)
    }
    const wrong = await client.call(2, 'block', { height: 5 })
    assert.match(wrong.error?.data ?? '', /^error converting params to arguments: invalid int64/)
  })

  test('disconnects a client that does not read', async () => {
    const sockets = new SocketServer(nodeOf(chain), (_request, next) => next(), 1_000_000)
    const server = createServer()
    const closed = new Promise((resolve) =>
      server.on('upgrade', (request, stream, head) => {
        stream.on('close', resolve)
        sockets.accept(request, stream, head)
      }),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const client = await RecordingClient.at(`http://127.0.0.1:${port}`)
    const params = { query: 'block.height > 0', per_page: '100' }
    const { result } = await client.call(1, 'block_search', params)
    client.socket.pause()
    // More than the kernel's buffers hold.
    const size = JSON.stringify(result).length
    for (let sent = 0; sent < 32_000_000; sent += size)
      client.socket.send(JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'block_search', params }))
    await closed
    client.socket.resume()
    await client.until(() => client.socket.readyState === WebSocket.CLOSED)
    assert.ok(client.received.length < 32_000_000 / size)
    sockets.close()
    await new Promise((resolve) => server.close(resolve))
  })
})
