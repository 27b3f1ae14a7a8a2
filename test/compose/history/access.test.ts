import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { test } from 'vitest'
import { DECODER } from '../../../src/chain/trades/block-trades.js'
import { demoPlaces } from '../../../src/compose/chain-access.js'
import { historyAccess, indexedOf } from '../../../src/compose/history/access.js'
import { indexFor } from '../../../src/compose/history/index-worker.js'
import { historyPlace } from '../../../src/compose/history/store.js'
import { loadConfig } from '../../../src/config/load.js'
import { faultyNode, stub } from '../../chain/rpc/stage.js'
import { chainOf, grow, majorPairs } from '../../support/chain.js'
import { closing } from '../../support/closing.js'
import { temporaryFolder } from '../../support/folder.js'

test('an indexer continues with a new file after a reset has removed its own', async () => {
  const home = temporaryFolder('history-access')
  const sources = { env: { SWAP_HOME: home }, cwd: home, home, flags: {} }
  const config = await loadConfig(sources)
  const surroundings = { ...sources, stdin: process.stdin }
  const access = historyAccess(config, surroundings)
  const indexer = await access.indexer()
  const { signal } = new AbortController()
  const options = { from: undefined, reindex: false, signal, progress: () => {}, failed: () => {} }
  const { folder, state } = demoPlaces(surroundings)
  const save = () => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(state, '')
  }
  save()
  const { done } = await indexer.run(options)
  assert.ok(done > 0)
  rmSync(folder, { recursive: true })
  save()
  assert.equal((await indexer.run(options)).done, done)
  indexer.close()
  await access.close()
})

test('an end that is requested while a node hangs is not delayed until the node has timed out', async () => {
  const home = temporaryFolder('history-hang')
  let queried = () => {}
  const { url } = closing(await stub(() => queried()))
  const flags = { rpc: url, timeout: '10m', historyFromHeight: '1' }
  const sources = { env: { SWAP_HOME: home }, cwd: home, home, flags }
  const config = await loadConfig(sources)
  const surroundings = { ...sources, stdin: process.stdin }
  const access = historyAccess(config, surroundings)
  const indexer = await access.indexer()
  const ending = new AbortController()
  queried = () => ending.abort()
  const { signal } = ending
  const options = { from: undefined, reindex: false, signal, progress: () => {}, failed: () => {} }
  assert.equal((await indexer.run(options)).complete, false)
  await access.close()

  const { port1, port2 } = new MessageChannel()
  queried = () => port1.postMessage('close')
  const place = { ...historyPlace(config, surroundings), database: join(home, 'served.db') }
  await indexFor(port2, { place, indexed: indexedOf(config, surroundings), from: 1 })
})

test('a short run indexes blocks that no node had before, once a node has them', async () => {
  const home = temporaryFolder('history-pruned')
  const chain = chainOf({ seed: 5 }, majorPairs)
  grow(chain, 4)
  const node = await faultyNode(chain)
  const sources = { env: { SWAP_HOME: home }, cwd: home, home, flags: { rpc: node.rpc } }
  const access = historyAccess(await loadConfig(sources), { ...sources, stdin: process.stdin })
  const indexer = await access.indexer()
  const { signal } = new AbortController()
  const pruned = async () => {
    await indexer.runShort({ most: 200, heights: [], signal })
    return (await access.status())?.pruned
  }
  node.fail({ kind: 'pruned', n: 2 })
  assert.deepEqual(await pruned(), [{ from: chain.earliest, to: chain.height - 2 }])
  node.heal()
  assert.deepEqual(await pruned(), [])
  indexer.close()
  await access.close()
})

test('a short run counts the blocks before and after the index that it leaves out', async () => {
  const home = temporaryFolder('history-left-out')
  const chain = chainOf({ seed: 5 }, majorPairs)
  grow(chain, 6)
  const [node, other] = [await faultyNode(chain), await faultyNode(chain)]
  const flags = { rpc: `${node.rpc},${other.rpc}` }
  const sources = { env: { SWAP_HOME: home }, cwd: home, home, flags }
  const access = historyAccess(await loadConfig(sources), { ...sources, stdin: process.stdin })
  const indexer = await access.indexer()
  const { signal } = new AbortController()
  const from = chain.height - 1
  const [progress, failed] = [() => {}, () => {}]
  await indexer.run({ from, reindex: false, signal, progress, failed })
  grow(chain, 3)
  const earlier = from - chain.earliest
  const left = () => indexer.runShort({ most: 1, heights: [], signal })
  assert.deepEqual(await left(), { earlier, later: 3, beyond: 0 })
  other.fail({ kind: 'behind', n: 3 })
  assert.deepEqual(await left(), { earlier, later: 3, beyond: 0 })
  indexer.close()
  await access.close()
})

test('the rows of an index name the router whose swaps they are', async () => {
  const home = temporaryFolder('history-router')
  const sources = { env: { SWAP_HOME: home }, cwd: home, home, flags: {} }
  const config = await loadConfig(sources)
  const { decoder } = historyPlace(config, { ...sources, stdin: process.stdin })
  assert.equal(decoder, `${DECODER} ${config.network.router.address}`)
})
