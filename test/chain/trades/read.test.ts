import assert from 'node:assert/strict'
import { beforeEach, test } from 'vitest'
import { openNodes } from '../../../src/chain/rpc/nodes.js'
import { earliestHeight, readBlock } from '../../../src/chain/trades/read.js'
import type { EmbeddedChain } from '../../../src/demo-chain/blocks/embedded-chain.js'
import { serveChain } from '../../../src/demo-chain/node/server.js'
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
  assert.equal(await earliestHeight(nodes), chain.earliest)
  two.fail({ kind: '502' })
  assert.equal(await earliestHeight(nodes), chain.height - 1)
  two.heal()
  two.fail({ kind: 'hang' })
  assert.equal(await earliestHeight(nodes), chain.height - 1)
})

test('a block whose hash is not that of its header is read from another node', async () => {
  const node = await faultyNode(chain)
  const { hash } = await readBlock(over(node.rpc), chain.height)
  const liar = closing(
    await serveChain(chain, {
      ...{ rpcPort: 0, restPort: 0 },
      async middleware(_, next) {
        const reply = await next()
        const text = reply.body.toString().replaceAll(hash, 'AB'.repeat(32))
        return { ...reply, body: Buffer.from(text) }
      },
    }),
  )
  assert.equal((await readBlock(over(liar.rpc, node.rpc), chain.height)).hash, hash)
})
