import assert from 'node:assert/strict'
import { test } from 'vitest'
import { openNodes } from '../../../src/chain/rpc/nodes.js'
import { earliestHeight } from '../../../src/chain/trades/read.js'
import { chainOf, grow, majorPairs } from '../../support/chain.js'
import { closing } from '../../support/closing.js'
import { CHAIN_ID, faultyNode, noPauses } from '../rpc/stage.js'

test('the first block that a node has is not waited for at a node whose last request failed', async () => {
  const chain = chainOf({ seed: 5 }, majorPairs)
  grow(chain, 4)
  const [one, two] = [await faultyNode(chain), await faultyNode(chain)]
  const rpc = [one.rpc, two.rpc]
  const options = { chainId: CHAIN_ID, rpc, deadlineMs: 600_000, limits: noPauses }
  const nodes = closing(openNodes(options))
  one.fail({ kind: 'pruned', n: 2 })
  assert.equal(await earliestHeight(nodes), chain.earliest)
  two.fail({ kind: '502' })
  assert.equal(await earliestHeight(nodes), chain.height - 1)
  two.heal()
  two.fail({ kind: 'hang' })
  assert.equal(await earliestHeight(nodes), chain.height - 1)
})
