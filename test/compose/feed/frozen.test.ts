import assert from 'node:assert/strict'
import { test } from 'vitest'
import { demo } from '../../../src/chain/networks/demo.js'
import { watchNetwork } from '../../../src/compose/feed/network-watch.js'
import { changedChain } from '../../../src/demo-chain/faults/fault.js'
import { serveChain } from '../../../src/demo-chain/node/server.js'
import { asData, ownMarket } from '../../chain/market/as-data.js'
import { faultyNode } from '../../chain/rpc/stage.js'
import { chainOf, grow, majorPairs } from '../../support/chain.js'
import { closing } from '../../support/closing.js'

/** In the queries by which nodes are compared. */
const COMPARED = Buffer.from('"limit":30}').toString('hex')

test('a node that shows an old state except where nodes are compared is found by the market that it gave', async () => {
  const chain = chainOf({ seed: 5 }, majorPairs)
  grow(chain, 4)
  const old = chain.height
  grow(chain, 6)
  const honest = await faultyNode(chain)
  let isFrozen = true
  const frozen = changedChain(chain, {
    machineAt: (height) => chain.machineAt(Math.min(height, old)),
    stateAt: (height) => chain.stateAt(Math.min(height, old)),
  })
  const liar = closing(
    await serveChain(chain, {
      rpcPort: 0,
      restPort: 0,
      middleware: ({ body }, next) =>
        isFrozen && !body.includes(COMPARED) ? next(frozen) : next(chain),
    }),
  )
  const network = { ...demo, rpc: [liar.rpc, honest.rpc], rest: [honest.rest] }
  const watch = closing(watchNetwork(network, { timeoutMs: 10_000, blockTimeMs: 1_000 }))
  const result = await watch.poll(undefined)
  assert.match(
    result !== undefined && 'disputed' in result ? result.disputed : '',
    /^pair demo1\w+ at height 130: the market that one of them gave and the nodes differ: /,
  )
  isFrozen = false
  grow(chain, 1)
  const next = await watch.poll(chain.height - 1)
  assert.ok(next !== undefined && 'market' in next)
  assert.deepEqual(asData(next.market), asData(ownMarket(chain)))
})
