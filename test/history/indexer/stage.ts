import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { demo } from '../../../src/chain/networks/demo.js'
import { openNodes } from '../../../src/chain/rpc/nodes.js'
import { DECODER } from '../../../src/chain/trades/block-trades.js'
import { historyChain } from '../../../src/compose/history/history-chain.js'
import type { EmbeddedChain } from '../../../src/demo-chain/blocks/embedded-chain.js'
import { FaultBoard } from '../../../src/demo-chain/faults/board.js'
import type { FaultRequest } from '../../../src/demo-chain/faults/fault.js'
import { faultyChain } from '../../../src/demo-chain/faults/middleware.js'
import type { Reply } from '../../../src/demo-chain/node/reply.js'
import { serveChain } from '../../../src/demo-chain/node/server.js'
import type { HistoryChain } from '../../../src/history/indexer/indexing.js'
import type { HistoryStore, StoredSwap } from '../../../src/history/store/history-store.js'
import { openHistory } from '../../../src/history/store/open.js'
import { CHAIN_ID, noPauses } from '../../chain/rpc/stage.js'

/** A chain behind a node with faults, and an empty database. */
export type Staged = {
  readonly node: FailingNode
  readonly chain: HistoryChain
  readonly store: HistoryStore
}

/** A node with faults set by a test. */
export type FailingNode = {
  readonly rpc: string
  readonly rest: string
  /** Every request body that was sent to it. */
  readonly asked: readonly string[]
  fail(fault: FaultRequest): void
  heal(): void
  /** The number of answers with results that lack the last result. */
  shorten(times: number): void
  /** Heights whose results it refuses. */
  readonly lost: Set<number>
  close(): Promise<void>
}

async function openNode(chain: EmbeddedChain): Promise<FailingNode> {
  const board = new FaultBoard()
  const faulty = faultyChain(chain, board)
  const asked: string[] = []
  const lost = new Set<number>()
  let shortened = 0
  const server = await serveChain(faulty.chain, {
    rpcPort: 0,
    restPort: 0,
    async middleware(request, next) {
      asked.push(request.body.toString())
      const reply = withoutLost(request.body, await faulty.middleware(request, next), lost)
      const text = reply.body.toString()
      if (shortened === 0 || !text.includes('"txs_results":[')) return reply
      shortened -= 1
      return withoutLast(reply)
    },
  })
  return {
    ...server,
    asked,
    lost,
    fail: (fault) => void board.add(fault, chain.height),
    heal: () => void board.clear(),
    shorten(times) {
      shortened = times
    },
  }
}

function withoutLost(request: Buffer, reply: Reply, lost: ReadonlySet<number>): Reply {
  if (lost.size === 0 || !request.includes('"block_results"')) return reply
  const calls = [JSON.parse(request.toString())].flat()
  const answers = [JSON.parse(reply.body.toString())].flat().map((answer, at) => {
    const { id, method, params } = calls[at]
    if (method !== 'block_results' || !lost.has(Number(params.height))) return answer
    return { jsonrpc: '2.0', id, error: { code: -32603, message: 'no results' } }
  })
  return { ...reply, body: Buffer.from(JSON.stringify(answers)) }
}

function withoutLast(reply: Reply): Reply {
  const answers = JSON.parse(reply.body.toString()) as { result?: { txs_results?: unknown[] } }[]
  for (const { result } of [answers].flat()) result?.txs_results?.pop()
  return { ...reply, body: Buffer.from(JSON.stringify(answers)) }
}

/** All of it is removed after the test. */
export async function stage(real: EmbeddedChain, deadlineMs = 20_000): Promise<Staged> {
  const node = await openNode(real)
  const nodes = openNodes({
    chainId: CHAIN_ID,
    rpc: [node.rpc],
    rest: [node.rest],
    deadlineMs,
    limits: noPauses,
  })
  const store = await emptyStore()
  onTestFinished(async () => {
    nodes.close()
    await node.close()
  })
  return { node, chain: historyChain(demo, nodes), store }
}

/** A database in a file of its own, removed after the test. */
export async function emptyStore(): Promise<HistoryStore> {
  const folder = mkdtempSync(join(tmpdir(), 'swap-history-'))
  const store = await openHistory({
    database: join(folder, 'history.db'),
    chainId: CHAIN_ID,
    decoder: DECODER,
    // Starting a thread with SQLite's WASM takes longer than a test reads and writes.
    here: true,
  })
  onTestFinished(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
  return store
}

/** Everything that a store lists, newest first. */
export async function everything(store: HistoryStore): Promise<readonly StoredSwap[]> {
  const swaps: StoredSwap[] = []
  for (let page = 1; ; page++) {
    const { items, total } = await store.page({ by: 'latest' }, { page, limit: 100 })
    swaps.push(...items)
    if (items.length === 0 || swaps.length >= total) return swaps
  }
}

/** What identifies a leg, without the values added on indexing. */
export const keyOf = ({ height, txIndex, msgIndex, eventIndex, txHash }: StoredSwap): string =>
  [height, txIndex, msgIndex, eventIndex, txHash].join('/')
