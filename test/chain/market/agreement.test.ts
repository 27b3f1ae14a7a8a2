import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'vitest'
import { disagreement } from '../../../src/chain/market/node-agreement.js'
import { openNodes } from '../../../src/chain/rpc/nodes.js'
import type { EmbeddedChain } from '../../../src/demo-chain/blocks/embedded-chain.js'
import { contractInfo, contracts } from '../../../src/demo-chain/modules/registry.js'
import { chainOf, grow, majorPairs } from '../../support/chain.js'
import { closing } from '../../support/closing.js'
import { CHAIN_ID, type FaultyNode, faultyNode, hasty } from '../rpc/stage.js'

let chain: EmbeddedChain
let [one, two]: FaultyNode[] = []
let pairs: readonly string[] = []
beforeEach(async () => {
  chain = chainOf({ seed: 5 }, majorPairs)
  grow(chain, 4)
  ;[one, two] = [await faultyNode(chain), await faultyNode(chain)]
  const state = chain.store.at(chain.height)
  pairs = [...contracts(state)].filter((each) =>
    contractInfo(state, each)?.label.startsWith('rujira-fin:'),
  )
})

/** What is found at so many heights from the newest down. */
async function compared(urls: readonly string[], heights = 1): Promise<readonly string[]> {
  const nodes = closing(
    openNodes({ chainId: CHAIN_ID, rpc: urls, deadlineMs: 2_000, limits: hasty }),
  )
  const found: string[] = []
  for (let i = 0; i < heights; i += 1) {
    const said = await disagreement(nodes.rpc, pairs, chain.height - i, nodes.deadline())
    if (said !== undefined) found.push(said)
  }
  return found
}

describe('two nodes of one chain', () => {
  test('agree when both are honest, at every height', async () => {
    assert.deepEqual(await compared([one!.rpc, two!.rpc], 4), [])
  })
  for (const n of [1, 50, 100_000])
    test(`a node that lies about every book by ${n} % is found out at once`, async () => {
      two!.fail({ kind: 'lying-book', n })
      const [said = ''] = await compared([one!.rpc, two!.rpc])
      assert.match(said, /^pair demo1\w+ at height 124: /)
      assert.ok(said.includes(one!.rpc) && said.includes(two!.rpc))
    })
  test('a node that lies about one book is found out when that has its turn', async () => {
    grow(chain, 4)
    two!.fail({ kind: 'lying-book', pair: pairs[7]! })
    const turns = Math.ceil(pairs.length / 4)
    const found = await compared([one!.rpc, two!.rpc], turns)
    assert.ok(found.length >= 1 && found.every((said) => said.includes(pairs[7]!)))
  })
  test('a node of another chain, one that is away, behind or hung is no witness', async () => {
    for (const fault of [
      { kind: 'fork' },
      { kind: 'refuse' },
      { kind: 'behind', n: 20 },
      { kind: '502' },
    ]) {
      two!.fail(fault)
      assert.deepEqual(await compared([one!.rpc, two!.rpc]), [], fault.kind)
      two!.heal()
    }
  })
  test('nodes whose blocks differ are found out by the hash', async () => {
    const other = chainOf({ seed: 6 }, majorPairs)
    grow(other, 4)
    const fork = await faultyNode(other)
    const [said = ''] = await compared([one!.rpc, fork.rpc])
    assert.match(said, /^the block at height 124: /)
  })
  test('one node has nobody to disagree with', async () => {
    one!.fail({ kind: 'lying-book' })
    assert.deepEqual(await compared([one!.rpc]), [])
  })
})
