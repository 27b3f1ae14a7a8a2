import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { test } from 'vitest'
import { demo } from '../../../src/chain/networks/demo.js'
import { openNodes } from '../../../src/chain/rpc/nodes.js'
import { historyChain, openIndexed } from '../../../src/compose/history/history-chain.js'
import { serveChain } from '../../../src/demo-chain/node/server.js'
import { filesIn } from '../../../src/demo-chain/process/files.js'
import { writeRecord } from '../../../src/demo-chain/process/record.js'
import { thisProcess } from '../../../src/platform/process-identity.js'
import { type FaultyNode, faultyNode } from '../../chain/rpc/stage.js'
import { chainOf, threePairs } from '../../support/chain.js'
import { closing } from '../../support/closing.js'
import { temporaryFolder } from '../../support/folder.js'

/** The files of a demo chain, and a function that records a node as the process that runs it. */
function runningAt() {
  const places = filesIn(temporaryFolder('indexed'))
  mkdirSync(places.folder, { recursive: true })
  const at = ({ rpc, rest }: FaultyNode) =>
    writeRecord(places, { ...thisProcess(), rpc, rest, since: '2026-01-01T00:00:00Z' })
  return { places, at }
}

test('the demo chain to be indexed is found at other ports by every read', async () => {
  const { places, at } = runningAt()
  const real = chainOf({}, threePairs)
  const reads = ['creation', 'newest', 'earliest'] as const
  const former = await faultyNode(real)
  at(former)
  const { chain, close } = await openIndexed({ network: demo, places, timeoutMs: 5_000 })
  const before = await chain.creation()
  let last = former
  for (const read of reads) {
    const next = await faultyNode(real)
    await last.close()
    at(next)
    await chain[read]()
    assert.ok(next.asked.length > 0, read)
    last = next
  }
  assert.equal(await chain.creation(), before)
  close()
})

test('the demo chain to be indexed is the running one from its start on', async () => {
  const { places, at } = runningAt()
  const { chain, close } = await openIndexed({ network: demo, places, timeoutMs: 5_000 })
  // Not saved yet, it may be started with other options.
  assert.equal(await chain.newest(), 0)
  const real = chainOf({}, threePairs)
  const node = await faultyNode(real)
  at(node)
  real.makeBlock()
  assert.equal(await chain.newest(), real.height)
  close()
})

test('a chain that was closed is not opened again by what is still being read', async () => {
  const { places, at } = runningAt()
  const node = await faultyNode(chainOf({}, threePairs))
  at(node)
  const { chain, close } = await openIndexed({ network: demo, places, timeoutMs: 5_000 })
  await chain.newest()
  const before = node.asked.length
  close()
  await assert.rejects(chain.newest(), { kind: 'closed' })
  assert.equal(node.asked.length, before)
})

test('a chain is indexed up to the newest block that two nodes have, and the blocks after it are counted', async () => {
  const real = chainOf({}, threePairs)
  const node = await faultyNode(real)
  const liar = closing(
    await serveChain(real, {
      rpcPort: 0,
      restPort: 0,
      async middleware(_, next) {
        const reply = await next()
        const height = `"last_block_height":"${real.height}"`
        const text = reply.body.toString().replace(height, '"last_block_height":"9000"')
        return { ...reply, body: Buffer.from(text) }
      },
    }),
  )
  const chainAt = (...rpc: readonly string[]) =>
    historyChain(demo, closing(openNodes({ chainId: demo.chainId, rpc, deadlineMs: 20_000 })))
  const alone = chainAt(liar.rpc)
  assert.deepEqual([await alone.newest(), await alone.unshared()], [9_000, 0])
  const chain = chainAt(liar.rpc, node.rpc)
  assert.equal(await chain.newest(), real.height)
  assert.equal(await chain.unshared(), 9_000 - real.height)
  assert.ok((await chain.creation()) <= real.height)
  assert.equal((await chain.block(real.height)).height, real.height)
})
