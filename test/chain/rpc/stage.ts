import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { type NodesOptions, openNodes } from '../../../src/chain/rpc/nodes.js'
import type { Source } from '../../../src/chain/rpc/query-source.js'
import { sourceOf } from '../../../src/chain/rpc/source.js'
import type { EmbeddedChain } from '../../../src/demo-chain/blocks/embedded-chain.js'
import { FaultBoard } from '../../../src/demo-chain/faults/board.js'
import type { FaultRequest } from '../../../src/demo-chain/faults/fault.js'
import { faultyChain } from '../../../src/demo-chain/faults/middleware.js'
import { type NodeServer, serveChain } from '../../../src/demo-chain/node/server.js'
import { closing } from '../../support/closing.js'

export const CHAIN_ID = 'demo-1'

/** A demo chain's node with faults that can be switched on. */
export type FaultyNode = NodeServer & {
  readonly fail: (fault: FaultRequest) => void
  readonly heal: () => void
  /** Request bodies received since it was started. */
  readonly asked: string[]
}

export const faultyNode = async (chain: EmbeddedChain): Promise<FaultyNode> =>
  closing(await openNode(chain))

/** The same, to be closed by the caller. */
export async function openNode(chain: EmbeddedChain): Promise<FaultyNode> {
  const board = new FaultBoard()
  const faulty = faultyChain(chain, board)
  const asked: string[] = []
  const server = await serveChain(faulty.chain, {
    rpcPort: 0,
    restPort: 0,
    middleware: (request, next) => {
      asked.push(request.body.toString())
      return faulty.middleware(request, next)
    },
  })
  return {
    ...server,
    asked,
    fail: (fault) => void board.add(fault, chain.height),
    heal: () => void board.clear(),
  }
}

/** A source over nodes of its own. */
export const openSource = (options: NodesOptions): Source => sourceOf(openNodes(options))

/** What a stub does with a request whose body is read. */
export type Handler = (body: string, request: IncomingMessage, response: ServerResponse) => void

/** A server under control of the test, which counts its connections. The caller closes it. */
export type Stub = {
  readonly url: string
  /** Connections that are open now, and the most that ever were. */
  readonly sockets: { open: number; most: number; ever: number }
  close(): Promise<void>
}

export function stub(handler: Handler, host = '127.0.0.1'): Promise<Stub> {
  const sockets = { open: 0, most: 0, ever: 0 }
  const all = new Set<Socket>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    response.on('error', () => {})
    request.on('error', () => {})
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => handler(Buffer.concat(chunks).toString(), request, response))
  })
  server.on('connection', (socket) => {
    all.add(socket)
    sockets.open += 1
    sockets.ever += 1
    sockets.most = Math.max(sockets.most, sockets.open)
    socket.on('close', () => {
      sockets.open -= 1
      all.delete(socket)
    })
  })
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      for (const socket of all) socket.destroy()
    })
  return new Promise((resolve) => {
    server.listen(0, host, () => {
      const { port } = server.address() as AddressInfo
      resolve({ url: `http://${host}:${port}`, sockets, close })
    })
  })
}

export type RpcRequest = {
  readonly id: number
  readonly method: string
  readonly params: Readonly<Record<string, string>>
}

/** The requests of a body; a GET has none. */
export function requestsOf(body: string): readonly RpcRequest[] {
  if (body === '') return []
  const value: unknown = JSON.parse(body)
  return (Array.isArray(value) ? value : [value]) as readonly RpcRequest[]
}

/** A protobuf message of one field with a short text. */
export const messageOf = (text: string): Buffer =>
  Buffer.concat([Buffer.of(10, Buffer.byteLength(text)), Buffer.from(text)])

/** The correct answer at a height to one request; the value of a query is its data. */
export function correctAnswer(
  { id, method, params }: RpcRequest,
  height: number,
  chainId = CHAIN_ID,
): object {
  return { jsonrpc: '2.0', id, result: resultOf(method, params, height, chainId) }
}

function resultOf(
  method: string,
  params: RpcRequest['params'],
  height: number,
  chainId: string,
): object {
  if (method === 'status')
    return { node_info: { network: chainId }, sync_info: { catching_up: false } }
  if (method === 'abci_info') return { response: { last_block_height: String(height) } }
  if (method !== 'abci_query') return { method, params }
  const requestedHeight = params['height'] ?? ''
  const value = Buffer.from(params['data'] ?? '', 'hex').toString('base64')
  return Number(requestedHeight) > height
    ? { response: { code: 26, codespace: 'sdk', log: 'in the future', height: '0' } }
    : { response: { code: 0, value, height: requestedHeight } }
}

/** Sends JSON, with status 200 by default. */
export function send(
  response: ServerResponse,
  value: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(typeof value === 'string' ? value : JSON.stringify(value))
}

/** Answers a body correctly, as one object or as a list. */
export function sendCorrect(
  response: ServerResponse,
  body: string,
  height: number,
  chainId = CHAIN_ID,
): void {
  const answers = requestsOf(body).map((request) => correctAnswer(request, height, chainId))
  send(response, body.startsWith('[') ? answers : answers[0])
}

/** A node that answers correctly. The caller closes it. */
export const correctNode = (height: number | (() => number), chainId = CHAIN_ID): Promise<Stub> =>
  stub((body, _request, response) =>
    sendCorrect(response, body, typeof height === 'number' ? height : height(), chainId),
  )

/** Pauses without delay. */
export const noPauses = { pauseMs: 1, pauseMostMs: 1, graceMs: 20 } as const

/** The error of a promise that must fail. */
export async function failureOf(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise
  } catch (error) {
    if (error instanceof Error) return error
    throw error
  }
  throw new Error('it did not fail')
}
