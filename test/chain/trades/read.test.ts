import assert from 'node:assert/strict'
import { QueryContractInfoResponse } from 'cosmjs-types/cosmwasm/wasm/v1/query'
import { beforeEach, test } from 'vitest'
import { demo } from '../../../src/chain/networks/demo.js'
import { NodeFault } from '../../../src/chain/rpc/faults.js'
import { openNodes } from '../../../src/chain/rpc/nodes.js'
import { sourceOf } from '../../../src/chain/rpc/source.js'
import { earliestHeight } from '../../../src/chain/trades/block-range.js'
import { readBlock } from '../../../src/chain/trades/read.js'
import { routerCreation } from '../../../src/chain/trades/view.js'
import type { EmbeddedChain } from '../../../src/demo-chain/blocks/embedded-chain.js'
import { serveChain } from '../../../src/demo-chain/node/server.js'
import { changing } from '../../execution/tx-nodes.js'
import { chainOf, grow, majorPairs } from '../../support/chain.js'
import { closing } from '../../support/closing.js'
import { CHAIN_ID, faultyNode, noPauses } from '../rpc/stage.js'

let chain: EmbeddedChain
beforeEach(() => {
  chain = chainOf({ seed: 5 }, majorPairs)
  grow(chain, 4)
})

const over = (...rpc: readonly string[]) =>
  closing(openNodes({ chainId: CHAIN_ID, rpc, deadlineMs: 600_000, limits: noPauses }))

test('the first block that a node has is not waited for at a node whose last request failed', async () => {
  const [one, two] = [await faultyNode(chain), await faultyNode(chain)]
  const nodes = over(one.rpc, two.rpc)
  one.fail({ kind: 'pruned', n: 2 })
  assert.deepEqual(await earliestHeight(nodes), { height: chain.earliest, silent: [] })
  const without = { height: chain.height - 1, silent: [two.rpc] }
  two.fail({ kind: '502' })
  assert.deepEqual(await earliestHeight(nodes), without)
  two.heal()
  two.fail({ kind: 'hang' })
  assert.deepEqual(await earliestHeight(nodes), without)
})

test('the only node that answers has its whole time, also after a failure', async () => {
  const node = await faultyNode(chain)
  const limits = { ...noPauses, graceMs: 0 }
  const options = { chainId: CHAIN_ID, rpc: [node.rpc], deadlineMs: 20_000, limits }
  const nodes = closing(openNodes(options))
  node.fail({ kind: '502', once: true })
  await assert.rejects(earliestHeight(nodes), /502/)
  assert.equal((await earliestHeight(nodes)).height, chain.earliest)
})

test('a block is not held up by another node that hangs', async () => {
  const [node, hanging] = [await faultyNode(chain), await faultyNode(chain)]
  hanging.fail({ kind: 'hang' })
  const rpc = [node.rpc, hanging.rpc]
  const nodes = closing(openNodes({ chainId: CHAIN_ID, rpc, deadlineMs: 600_000 }))
  Object.assign(nodes.rpc.endpoints[1]!, { failures: 1 })
  for (const height of [chain.height - 1, chain.height - 2])
    assert.equal((await readBlock(nodes, height)).height, height)
  assert.equal(hanging.asked.length, 1, 'a second request before the first one has ended')
})

test('a block whose hash is not that of its header is read from another node', async () => {
  const node = await faultyNode(chain)
  const { hash } = await readBlock(over(node.rpc), chain.height)
  const liar = closing(
    await serveChain(chain, {
      rpcPort: 0,
      restPort: 0,
      async middleware(_, next) {
        const reply = await next()
        const text = reply.body.toString().replaceAll(hash, 'AB'.repeat(32))
        return { ...reply, body: Buffer.from(text) }
      },
    }),
  )
  assert.equal((await readBlock(over(liar.rpc, node.rpc), chain.height)).hash, hash)
})

test('a block of other results than those of the next header is refused once a header is seen to have those of a block', async () => {
  grow(chain, 10)
  const held = (height: number) => chain.block(height)?.txs.length ?? 0
  const heights = Array.from({ length: 13 }, (_, i) => chain.earliest + i)
  const height = heights.find((each) => held(each - 1) > 0 && held(each) > 0)!
  const failing = changing((method, result) => {
    if (method !== 'block_results' || result.height !== `${height}`) return
    for (const each of result.txs_results) each.code = 5
  })
  const options = { rpcPort: 0, restPort: 0, middleware: failing }
  const node = closing(await serveChain(chain, options))
  await assert.rejects(readBlock(over(node.rpc), height), /its next header does not commit/)
})

test('a block is read from another node where results of the block before are none that can be read', async () => {
  const { height } = chain
  grow(chain, 1)
  const middleware = changing((method, result, answer) => {
    if (method !== 'block_results') return
    if (result.height === `${height - 1}`) answer.result = 'none'
    else for (const each of result.txs_results) each.code = 5
  })
  const liar = closing(await serveChain(chain, { rpcPort: 0, restPort: 0, middleware }))
  const node = await faultyNode(chain)
  const { txs } = await readBlock(over(liar.rpc, node.rpc), height)
  assert.deepEqual(
    txs.map(({ code }) => code),
    chain.block(height)?.txs.map(({ result }) => result.code),
  )
  assert.ok(txs.length > 0)
})

test('blocks whose results a node has no more are as gone as those that it has pruned, until it has them again', async () => {
  let missing: (height: number) => boolean = (height) => height < chain.height - 2
  const node = closing(
    await serveChain(chain, {
      rpcPort: 0,
      restPort: 0,
      async middleware(request, next) {
        const reply = await next()
        const calls = [JSON.parse(request.body.toString())].flat()
        const answers = [JSON.parse(reply.body.toString())].flat().map((answer, i) => {
          const { method, params } = calls[i]
          if (method !== 'block_results' || !missing(Number(params.height))) return answer
          return { jsonrpc: '2.0', id: answer.id, error: { code: -32603, message: 'no results' } }
        })
        return { ...reply, body: Buffer.from(JSON.stringify(answers)) }
      },
    }),
  )
  const nodes = over(node.rpc)
  const gone = (height: number) =>
    assert.rejects(
      readBlock(nodes, height),
      (error) => error instanceof NodeFault && error.kind === 'height_unavailable',
    )
  assert.equal((await earliestHeight(nodes)).height, chain.earliest)
  await gone(chain.earliest)
  await gone(chain.earliest + 1)
  assert.equal((await earliestHeight(nodes)).height, chain.height - 2)
  assert.equal((await readBlock(nodes, chain.height - 2)).height, chain.height - 2)
  missing = () => false
  assert.equal((await earliestHeight(nodes)).height, chain.earliest)
  // One lost result says nothing about the older ones.
  missing = (height) => height === chain.height - 2
  await assert.rejects(
    readBlock(nodes, chain.height - 2),
    (error) => error instanceof NodeFault && /does not give block/.test(error.message),
  )
  assert.equal((await earliestHeight(nodes)).height, chain.earliest)
})

test('a router is as old as a node says, and no newer than the block at which nodes have it', async () => {
  const source = closing(sourceOf(over((await faultyNode(chain)).rpc)))
  const createdAt = (...heights: readonly number[]) => {
    const answers = heights.map((height) => {
      const created = { blockHeight: BigInt(height) }
      const info = QueryContractInfoResponse.fromPartial({ contractInfo: { created } })
      return [{ ok: true as const, value: QueryContractInfoResponse.encode(info).finish() }]
    })
    const queries = async () => answers[0]!
    return routerCreation(demo, { ...source, queries, queriesOfEach: async () => answers })
  }
  assert.equal(await createdAt(chain.height), chain.height)
  await assert.rejects(createdAt(chain.height + 1), /cannot be read/)
  for (const heights of [
    [chain.height, 7],
    [7, chain.height],
    [chain.height + 1, 7],
  ])
    assert.equal(await createdAt(...heights), 7)
})
