import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'vitest'
import { demo } from '../../../src/chain/networks/demo.js'
import { openNodes } from '../../../src/chain/rpc/nodes.js'
import { historyChain } from '../../../src/compose/history/history-chain.js'
import type { EmbeddedChain } from '../../../src/demo-chain/blocks/embedded-chain.js'
import { serveChain } from '../../../src/demo-chain/node/server.js'
import { indexRound } from '../../../src/history/indexer/indexer.js'
import type { HistoryChain, IndexEvent } from '../../../src/history/indexer/indexing.js'
import { compareChain } from '../../../src/history/indexer/same-chain.js'
import { restartIndex, sync } from '../../../src/history/indexer/sync.js'
import type { HistoryStore } from '../../../src/history/store/history-store.js'
import { CHAIN_ID, noPauses } from '../../chain/rpc/stage.js'
import { changing } from '../../execution/tx-nodes.js'
import { chainOf, grow, growQuietly, majorPairs } from '../../support/chain.js'
import { closing } from '../../support/closing.js'
import { forged } from './forged.js'
import { emptyStore, everything, keyOf, stage } from './stage.js'

const { signal } = new AbortController()

let real: EmbeddedChain
let change: Parameters<typeof changing>[0] = () => {}
let chain: HistoryChain
let store: HistoryStore

const synced = (index = store, from = chain) =>
  led(index, (leadership) =>
    sync({ chain: from, store: index, leadership, signal, progress() {}, failed() {} }),
  )

async function led<T>(
  index: HistoryStore,
  work: (leadership: Awaited<ReturnType<HistoryStore['lead']>>) => Promise<T>,
): Promise<T> {
  const leadership = await index.lead()
  return work(leadership).finally(() => leadership.release())
}

const keysOf = async (index: HistoryStore) => (await everything(index)).map(keyOf)

/** The swaps of the chain as it is. */
async function truth(): Promise<readonly string[]> {
  const honest = await stage(real)
  await synced(honest.store, honest.chain)
  return keysOf(honest.store)
}

beforeEach(async () => {
  real = chainOf({}, majorPairs)
  grow(real, 6)
  change = () => {}
  const lying = changing((...call) => change(...call))
  const node = closing(await serveChain(real, { rpcPort: 0, restPort: 0, middleware: lying }))
  const nodes = { chainId: CHAIN_ID, rpc: [node.rpc], rest: [node.rest], limits: noPauses }
  chain = historyChain(demo, closing(openNodes({ ...nodes, deadlineMs: 20_000 })))
  store = await emptyStore()
})

type Change = typeof change

/** Says of every transaction of a block that it failed. */
const failed =
  (height: number): Change =>
  (method, result) => {
    if (method !== 'block_results' || result.height !== `${height}`) return
    for (const each of result.txs_results ?? []) Object.assign(each, { code: 5, events: [] })
  }

const lies = {
  forged: (height: number) => forged(real, height),
  'said to have failed': failed,
}

describe.each(Object.entries(lies))('the newest block, which a node has %s,', (_, lie) => {
  /** Indexes a false newest block. The node gives the real ones from then on, and makes others. */
  async function lied(more: number): Promise<number> {
    const { height } = real
    assert.ok(real.block(height)!.txs.length > 0)
    change = lie(height)
    await synced()
    change = () => {}
    growQuietly(real, more)
    assert.equal((await compareChain(chain, store))?.is, 'false')
    return height
  }

  for (const more of [0, 1, 40])
    test(`is removed from the index by the next run, ${more} blocks later`, async () => {
      await lied(more)
      const { forgotten, complete } = await synced()
      assert.deepEqual([forgotten, complete], [1, true])
      assert.deepEqual(await keysOf(store), await truth())
      assert.equal((await compareChain(chain, store))?.is, 'same')
    })

  test('is removed where the next one does not link up with it', async () => {
    const height = await lied(1)
    const forgotten: IndexEvent[] = []
    const emit = (event: IndexEvent) => {
      if (event.is === 'forgot') forgotten.push(event)
    }
    await led(store, (leadership) =>
      indexRound({ chain, store, leadership, emit, signal }, { from: real.earliest }),
    )
    assert.deepEqual(forgotten, [{ is: 'forgot', from: height, to: height }])
    assert.deepEqual(await keysOf(store), await truth())
  })

  test('does not make the chain another one whose prices are deleted with the index', async () => {
    const height = await lied(1)
    const priced = (await everything(store))[0]!.height
    await led(store, (leadership) => restartIndex(chain, store, leadership))
    assert.notEqual(await store.prices(priced), undefined)
    assert.equal(await store.prices(height), undefined)
  })
})
