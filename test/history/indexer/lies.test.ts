import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'vitest'
import { demo } from '../../../src/chain/networks/demo.js'
import { openNodes } from '../../../src/chain/rpc/nodes.js'
import { historyChain } from '../../../src/compose/history/history-chain.js'
import type { EmbeddedChain } from '../../../src/demo-chain/blocks/embedded-chain.js'
import { type NodeServer, serveChain } from '../../../src/demo-chain/node/server.js'
import { sync } from '../../../src/history/indexer/sync.js'
import { CHAIN_ID, noPauses } from '../../chain/rpc/stage.js'
import { changing } from '../../execution/tx-nodes.js'
import { chainOf, grow, majorPairs } from '../../support/chain.js'
import { closing } from '../../support/closing.js'
import { forged } from './forged.js'
import { emptyStore, everything, keyOf } from './stage.js'

/** As many that the newest one has a swap. */
const BLOCKS = 8

let real: EmbeddedChain

beforeEach(() => {
  real = chainOf({}, majorPairs)
  grow(real, BLOCKS)
})

type Change = Parameters<typeof changing>[0]

const node = async (change: Change = () => {}, chain = real): Promise<NodeServer> =>
  closing(await serveChain(chain, { rpcPort: 0, restPort: 0, middleware: changing(change) }))

/** Says of every transaction of some blocks that it failed. */
const failed =
  (isAbout: (height: number) => boolean): Change =>
  (method, result) => {
    if (method !== 'block_results' || !isAbout(Number(result.height))) return
    for (const each of result.txs_results ?? []) Object.assign(each, { code: 5, events: [] })
  }

/** An index filled from these nodes. The chain makes a block after each failure. */
async function indexed(...nodes: readonly NodeServer[]) {
  const store = await emptyStore()
  const urls = { rpc: nodes.map(({ rpc }) => rpc), rest: nodes.map(({ rest }) => rest) }
  const open = openNodes({ chainId: CHAIN_ID, ...urls, deadlineMs: 20_000, limits: noPauses })
  const chain = historyChain(demo, closing(open))
  const leadership = await store.lead()
  const { signal } = new AbortController()
  const failures: string[] = []
  const failed = (error: unknown) => {
    failures.push(String(error))
    real.makeBlock()
  }
  const run = () => sync({ chain, store, leadership, signal, progress: () => {}, failed })
  return { store, run, failures, result: await run() }
}

async function honest() {
  const rows = await everything((await indexed(await node())).store)
  const heights = [...new Set(rows.map(({ height }) => height))].reverse()
  assert.equal(heights.at(-1), real.height)
  return { rows, swaps: rows.map(keyOf), heights }
}

let known: ReturnType<typeof honest> | undefined

/**
 * The swaps of an honest node, and the blocks that have them, ascending. Indexed once: the chain of each test begins
 * with the same blocks.
 */
function truth() {
  known ??= honest()
  return known
}

describe('a node that says that executed swaps have failed', () => {
  test('is not believed where another one says otherwise, about the newest block once there is another', async () => {
    const { swaps } = await truth()
    const { store, result, failures } = await indexed(await node(failed(() => true)), await node())
    assert.deepEqual([result.pruned, result.complete, failures.length], [[], true, 1])
    assert.match(failures[0]!, /and .* differ about block/)
    assert.deepEqual((await everything(store)).map(keyOf), swaps)
  })

  test('is the only one: the block is a gap until it says what the next header commits to', async () => {
    const { swaps, heights } = await truth()
    // The header of the block shows how the headers of this chain commit to results.
    const height = heights.find((each) => real.block(each - 1)!.txs.length > 0)!
    let isLying = true
    const { run, store, result } = await indexed(
      await node(failed((each) => isLying && each === height)),
    )
    const gap = { from: height, to: height }
    assert.deepEqual([result.pruned, (await store.state()).pruned], [[gap], [gap]])
    isLying = false
    assert.equal((await run()).done, 1)
    assert.deepEqual((await everything(store)).map(keyOf), swaps)
  })
})

test('events that cannot be read as a swap are those of another node where these can', async () => {
  const { swaps } = await truth()
  const without: Change = (_, result) => {
    for (const each of result.txs_results ?? [])
      each.events = each.events.filter(({ type }: { type: string }) => !/liquidy/.test(type))
  }
  const { store, result } = await indexed(await node(without), await node())
  assert.equal(result.quarantined, 0)
  assert.deepEqual((await everything(store)).map(keyOf), swaps)
  assert.ok((await indexed(await node(without))).result.quarantined > 0)
})

describe('a block that a node has forged together with the header after it', () => {
  test('is a gap until one of two nodes gives another one', async () => {
    const { swaps, heights } = await truth()
    const height = heights.at(-2)!
    const gap = { from: height, to: height }
    let lie = forged(real, height)
    const nodes = [await node((...call) => lie(...call)), await node()]
    const { run, store, result } = await indexed(...nodes)
    assert.deepEqual([result.pruned, result.complete], [[gap], true])
    lie = () => {}
    await run()
    assert.deepEqual((await everything(store)).map(keyOf), swaps)
  })

  test('is that of the most of three nodes', async () => {
    const { swaps, heights } = await truth()
    const nodes = [await node(forged(real, heights.at(-2)!)), await node(), await node()]
    const { store, result } = await indexed(...nodes)
    assert.deepEqual([result.pruned, result.complete], [[], true])
    assert.deepEqual((await everything(store)).map(keyOf), swaps)
  })
})

test('results to which no header of a chain commits as those of CometBFT do are indexed all the same', async () => {
  const { swaps } = await truth()
  for (const gas_used of ['1', 1]) {
    const other: Change = (_, result) => {
      for (const each of result.txs_results ?? []) each.gas_used = gas_used
    }
    const { store, result } = await indexed(await node(other), await node(other))
    assert.deepEqual([result.pruned, result.complete], [[], true])
    assert.deepEqual((await everything(store)).map(keyOf), swaps)
  }
})

test('a node that refuses all queries of contracts is not believed where another one answers', async () => {
  const { rows } = await truth()
  const refusing: Change = (method, result) => {
    if (method !== 'abci_query') return
    const { height } = result.response
    result.response = { height, code: 6, codespace: 'sdk', log: 'query wasm contract failed' }
  }
  const { store, result } = await indexed(await node(refusing), await node())
  assert.deepEqual([result.pruned, result.complete, result.quarantined], [[], true, 0])
  assert.deepEqual(await everything(store), rows)
})

for (const [title, shown] of [
  ['a height that it shows', 1],
  ['a height that it hides', 0],
] as const)
  test(`a newest block that a node has forged, with a header of ${title}, is that of the most of three nodes`, async () => {
    const { swaps } = await truth()
    const ahead = chainOf({}, majorPairs)
    grow(ahead, BLOCKS + 1)
    assert.deepEqual(ahead.block(real.height)!.hash, real.block(real.height)!.hash)
    const lie = forged(ahead, real.height)
    const lying: Change = (method, result, answer) => {
      if (method === 'abci_info') result.response.last_block_height = `${real.height + shown}`
      lie(method, result, answer)
    }
    const nodes = [await node(lying, ahead), await node(), await node()]
    const { store, result, failures } = await indexed(...nodes)
    assert.deepEqual([result.pruned, result.complete, failures], [[], true, []])
    assert.deepEqual((await everything(store)).map(keyOf), swaps)
  })
