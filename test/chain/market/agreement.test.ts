import assert from 'node:assert/strict'
import { beforeEach, describe, test, vi } from 'vitest'
import { disagreement, hashIn } from '../../../src/chain/market/node-agreement.js'
import { openNodes } from '../../../src/chain/rpc/nodes.js'
import type { EmbeddedChain } from '../../../src/demo-chain/blocks/embedded-chain.js'
import { contractInfo, contracts } from '../../../src/demo-chain/modules/dispatch.js'
import { chainOf, grow, majorPairs } from '../../support/chain.js'
import { closing } from '../../support/closing.js'
import { CHAIN_ID, type FaultyNode, faultyNode, noPauses } from '../rpc/stage.js'

let chain: EmbeddedChain
let [one, two]: FaultyNode[] = []
let pairs: readonly string[] = []
beforeEach(async () => {
  chain = chainOf({ seed: 5 }, majorPairs)
  grow(chain, 4)
  ;[one, two] = [await faultyNode(chain), await faultyNode(chain)]
  const state = chain.store.at(chain.height)
  pairs = [...contracts(state)].filter((contract) =>
    contractInfo(state, contract)?.label.startsWith('rujira-fin:'),
  )
})

const stateOf = () => undefined

/** A comparison of nodes at a height. */
function comparing(urls: readonly string[]) {
  const nodes = closing(
    openNodes({ chainId: CHAIN_ID, rpc: urls, deadlineMs: 2_000, limits: noPauses }),
  )
  const disputed = new Set<string>()
  return (height: number) =>
    disagreement(nodes.rpc, { pairs, height, stateOf }, nodes.deadline(), disputed)
}

/** The disagreements found at so many heights from the newest down. */
async function compared(urls: readonly string[], heights = 1): Promise<readonly string[]> {
  const differenceAt = comparing(urls)
  const found: string[] = []
  for (let i = 0; i < heights; i += 1) {
    const difference = await differenceAt(chain.height - i)
    if (difference !== undefined) found.push(difference)
  }
  return found
}

describe('the comparison of two nodes', () => {
  test('finds no disagreement between correct nodes, at every height', async () => {
    assert.deepEqual(await compared([one!.rpc, two!.rpc], 4), [])
  })
  for (const n of [1, 50, 100_000])
    test(`detects at once a node that changes every book by ${n} %`, async () => {
      two!.fail({ kind: 'lying-book', n })
      const [difference = ''] = await compared([one!.rpc, two!.rpc])
      assert.match(difference, /^pair demo1\w+ at height 124: /)
      assert.ok(difference.includes(one!.rpc) && difference.includes(two!.rpc))
    })
  test('detects a node that changes one book when that book is compared', async () => {
    grow(chain, 4)
    two!.fail({ kind: 'lying-book', pair: pairs[7]! })
    const turns = Math.ceil(pairs.length / 4)
    const found = await compared([one!.rpc, two!.rpc], turns)
    assert.ok(found.length >= 1 && found.every((difference) => difference.includes(pairs[7]!)))
  })
  test('compares a book about which they differed at every height until they agree', async () => {
    grow(chain, 4)
    two!.fail({ kind: 'lying-book', pair: pairs[7]! })
    const differenceAt = comparing([one!.rpc, two!.rpc])
    let height = chain.height
    while ((await differenceAt(height)) === undefined) height -= 1
    assert.match(`${await differenceAt(height - 1)}`, new RegExp(`pair ${pairs[7]}`))
    two!.heal()
    assert.equal(await differenceAt(height - 1), undefined)
    two!.fail({ kind: 'lying-book', pair: pairs[7]! })
    assert.equal(await differenceAt(height - 1), undefined)
  })
  test('ignores a node of another chain, and one that is unreachable, behind or failing', async () => {
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
  test('includes a node that is behind, at a height that it has', async () => {
    grow(chain, 20)
    two!.fail({ kind: 'behind', n: 10 })
    two!.fail({ kind: 'lying-book' })
    const differenceAt = comparing([one!.rpc, two!.rpc])
    assert.equal(await differenceAt(chain.height), undefined)
    assert.match(`${await differenceAt(chain.height - 12)}`, /^pair /)
  })
  test('waits only a moment for a node whose last request failed', async () => {
    const limits = { ...noPauses, pauseMostMs: 0 }
    const options = { chainId: CHAIN_ID, rpc: [one!.rpc, two!.rpc], deadlineMs: 600_000, limits }
    const nodes = closing(openNodes(options))
    const difference = () =>
      disagreement(nodes.rpc, { pairs, height: chain.height, stateOf }, nodes.deadline(), new Set())
    two!.fail({ kind: '502' })
    await difference()
    two!.heal()
    two!.fail({ kind: 'hang' })
    const before = two!.asked.length
    assert.equal(await difference(), undefined)
    await vi.waitFor(() => assert.equal(two!.asked.length, before + 1), 60_000)
  })
  test('asks no node that was dropped', async () => {
    const nodes = closing(
      openNodes({ chainId: CHAIN_ID, rpc: [one!.rpc, two!.rpc], deadlineMs: 2_000 }),
    )
    const difference = () =>
      disagreement(nodes.rpc, { pairs, height: chain.height, stateOf }, nodes.deadline(), new Set())
    two!.fail({ kind: 'fork' })
    assert.equal(await difference(), undefined)
    two!.heal()
    two!.fail({ kind: 'lying-book' })
    assert.equal(await difference(), undefined)
  })
  test('detects nodes with different blocks by the hash', async () => {
    const other = chainOf({ seed: 6 }, majorPairs)
    grow(other, 4)
    const fork = await faultyNode(other)
    const [difference = ''] = await compared([one!.rpc, fork.rpc])
    assert.match(difference, /^the block at height 124: /)
  })
  test('reads the hash of a block only where it is one', () => {
    const headed = (hash: unknown) => ({ signed_header: { commit: { block_id: { hash } } } })
    const hash = 'ab'.repeat(32)
    assert.equal(hashIn({ ok: true, result: headed(hash) }), hash)
    for (const result of [null, {}, headed('AB'), headed(7), headed(undefined)])
      assert.equal(hashIn({ ok: true, result }), undefined)
  })
  test('finds no disagreement with a single node', async () => {
    one!.fail({ kind: 'lying-book' })
    assert.deepEqual(await compared([one!.rpc]), [])
  })
})
