import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { beforeAll, beforeEach, describe, test } from 'vitest'
import { demo } from '../../src/chain/networks/demo.js'
import { watchedSource } from '../../src/compose/network-feed.js'
import { feedOf, watcherOf } from '../../src/compose/serve.js'
import type { EmbeddedChain } from '../../src/demo-chain/blocks/embedded-chain.js'
import { faultKinds } from '../../src/demo-chain/faults/catalogue.js'
import { filesIn } from '../../src/demo-chain/process/files.js'
import { removeRecord, writeRecord } from '../../src/demo-chain/process/record.js'
import type { Market } from '../../src/engine/market/market.js'
import { thisProcess } from '../../src/platform/process-identity.js'
import type { MarketFeed } from '../../src/service/feed/market-feed.js'
import { pollingFeed } from '../../src/service/feed/polling-feed.js'
import { asData, ownMarket } from '../chain/market/as-data.js'
import { type FaultyNode, faultyNode, openNode } from '../chain/rpc/stage.js'
import { chainOf, grow, growQuietly, majorPairs, threePairs } from '../support/chain.js'
import { closing, closingLast } from '../support/closing.js'
import { temporaryFolder } from '../support/folder.js'
import { longTest } from '../support/long.js'

let chain: EmbeddedChain
let node: FaultyNode
const openChain = async (market = threePairs) => {
  chain = chainOf({ seed: 9 }, market)
  node = await faultyNode(chain)
}
beforeEach(() => openChain())

const expectedMarket = (of = chain): Market => ownMarket(of)

const networkOf = (nodes: readonly FaultyNode[]) => ({
  ...demo,
  rpc: nodes.map(({ rpc }) => rpc),
  rest: nodes.map(({ rest }) => rest),
})

/** A feed of nodes, with every height that it has served. */
function following(
  nodes: readonly FaultyNode[],
  more: Partial<Parameters<typeof feedOf>[0]> = {},
  listeners: Parameters<typeof feedOf>[1] = {},
  heights: number[] = [],
) {
  const feed = feedOf(
    { network: networkOf(nodes), timeoutMs: 4_000, blockTimeMs: 200, ...more },
    listeners,
  )
  feed.subscribe(({ height }) => void heights.push(height))
  return { feed }
}

const followed = (...how: Parameters<typeof following>): MarketFeed =>
  closing(following(...how).feed)

/** Waits until a condition holds. */
async function until(holds: () => boolean, ms = 60_000): Promise<void> {
  for (const last = performance.now() + ms; !holds(); await wait(5))
    assert.ok(performance.now() < last, 'it did not come true')
}

const servedHeight = (feed: MarketFeed): number | undefined => feed.current()?.height
const catchesUp = (feed: MarketFeed, to = chain) => until(() => servedHeight(feed) === to.height)

describe('a feed of a network', () => {
  test('serves the state of the chain at every height, though nodes send only changes', async () => {
    await openChain(majorPairs)
    const feed = followed([node])
    await catchesUp(feed)
    let changed = 0
    for (let block = 0; block < 5; block += 1) {
      const before = feed.current()!.view.market
      assert.deepEqual(asData(before), asData(expectedMarket()))
      grow(chain, 1)
      await catchesUp(feed)
      const { books } = feed.current()!.view.market
      const kept = [...books].filter(([address, book]) => before.books.get(address) === book)
      assert.ok(kept.length > 2)
      changed += books.size - kept.length
    }
    assert.ok(changed > 0)
  })

  test('reads a block as soon as the WebSocket announces it, before the next poll', async () => {
    const subject = { network: networkOf([node]), timeoutMs: 4_000, blockTimeMs: 60_000 }
    const feed = closing(
      pollingFeed(
        watchedSource(() => watcherOf(subject)),
        { every: 600_000, maxAge: 1_000 },
      ),
    )
    await catchesUp(feed)
    for (let block = 0; block < 3; block += 1) {
      // A block that is made before the subscription is active is announced with the next one.
      const making = setInterval(() => growQuietly(chain, 1), 100)
      const from = chain.height
      await until(() => servedHeight(feed)! > from)
      clearInterval(making)
      await catchesUp(feed)
    }
  })

  longTest('reads blocks without a WebSocket', async () => {
    node.fail({ kind: 'ws-refuse' })
    const feed = followed([node])
    await catchesUp(feed)
    grow(chain, 3)
    await catchesUp(feed)
  })

  longTest('is not ready while two nodes disagree', async () => {
    const falsifyingNode = await faultyNode(chain)
    const feed = followed([node, falsifyingNode])
    await catchesUp(feed)
    assert.deepEqual(feed.unready(), [])
    const before = servedHeight(feed)
    falsifyingNode.fail({ kind: 'lying-book', n: 1 })
    grow(chain, 1)
    await until(() => feed.unready().includes('rpc_disagreement'))
    assert.equal(servedHeight(feed), before)
    assert.match(feed.disputed() ?? '', /pair demo1/)
    falsifyingNode.heal()
    grow(chain, 1)
    await catchesUp(feed)
    assert.deepEqual(feed.unready(), [])
  })

  test('is halted and stale while nodes answer without new blocks, and only stale while they do not answer', async () => {
    let late = 0
    const now = () => performance.now() + late
    const feed = followed([node], {}, { maxAge: 300, now })
    await catchesUp(feed)
    late = 1_000
    assert.deepEqual(feed.unready(), ['stale'])
    node.fail({ kind: 'refuse' })
    late = 11_000
    await until(() => !feed.unready().includes('halted'))
    assert.deepEqual(feed.unready(), ['stale'])
    node.heal()
    await until(() => feed.unready().includes('halted'))
    assert.deepEqual(feed.unready(), ['stale', 'halted'])
    growQuietly(chain, 1)
    await catchesUp(feed)
    assert.deepEqual(feed.unready(), [])
  })

  test('reports a chain reset, and serves the lower height once two polls agree', async () => {
    const [backs, heights, reasons] = [
      [] as (readonly number[])[],
      [] as number[],
      new Set<string>(),
    ]
    growQuietly(chain, 30)
    const feed = followed([node], {}, { wentBack: (...both) => backs.push(both) }, heights)
    await catchesUp(feed)
    const before = servedHeight(feed)!
    node.fail({ kind: 'rollback', n: 20 })
    // The reason is set only between two polls: check on every turn of the event loop.
    while (servedHeight(feed) !== before - 20) {
      for (const reason of feed.unready()) reasons.add(`${reason} ${feed.nodeHeight()}`)
      await nextTurn()
    }
    assert.deepEqual([...reasons], [`height_went_back ${before - 20}`])
    assert.deepEqual([backs, feed.unready()], [[[before, before - 20]], []])
    growQuietly(chain, 1)
    await until(() => servedHeight(feed) === before - 19)
    assert.deepEqual(heights.slice(heights.indexOf(before)), [before, before - 20, before - 19])
  })

  longTest('begins when its node begins to answer', async () => {
    node.fail({ kind: 'refuse' })
    let failures = 0
    const feed = followed([node], {}, { failed: () => (failures += 1) })
    await until(() => failures > 0)
    assert.deepEqual([servedHeight(feed), feed.unready()], [undefined, ['no_snapshot']])
    node.heal()
    await catchesUp(feed)
  })
})

describe('a feed of the demo chain', () => {
  test('finds its process again at other ports, and fails while there is none', async () => {
    const places = filesIn(temporaryFolder('feed'))
    const errors: string[] = []
    const at = ({ rpc, rest }: FaultyNode) =>
      writeRecord(places, { ...thisProcess(), rpc, rest, since: '2026-01-01T00:00:00Z' })
    const failed = (error: unknown) => errors.push(String(error))
    mkdirSync(places.folder, { recursive: true })
    at(node)
    const feed = followed([], { places }, { failed })
    await catchesUp(feed)
    removeRecord(places)
    await node.close()
    await until(() => errors.some((each) => each.includes('does not run')))
    const other = await faultyNode(chain)
    growQuietly(chain, 2)
    at(other)
    await catchesUp(feed)
    assert.ok(other.asked.length > 0)
  })
})

describe('every fault of a node', () => {
  const all = faultKinds.filter(({ group }) => group !== 'execution')
  // One of each group; all of them take a minute.
  const firstOfGroup = new Map(all.toReversed().map((faultKind) => [faultKind.group, faultKind]))
  const passing = process.env['SWAP_LONG'] ? all : [...firstOfGroup.values()]
  /** Falsified answers that cannot be detected with one node. */
  const undetectable = new Set(['market', 'future-time', 'past-time'])

  const live = chainOf({ seed: 9 }, threePairs)
  const published = new Map<number, Market>()
  let faultyChainNode: FaultyNode
  let feed: MarketFeed
  const heights: number[] = []
  const block = () => {
    grow(live, 1)
    published.set(live.height, expectedMarket(live))
  }
  beforeAll(async () => {
    faultyChainNode = closingLast(await openNode(live))
    feed = closingLast(following([faultyChainNode], { timeoutMs: 6_000 }, {}, heights).feed)
    block()
    await catchesUp(feed, live)
  })

  for (const { kind, group, does } of passing)
    test(`such as ${kind} (${does}) leaves heights rising and numbers true, and the feed recovers`, async () => {
      const check = () => {
        const { height, view } = feed.current()!
        if (!undetectable.has(group) && !undetectable.has(kind))
          assert.deepEqual(asData(view.market), asData(published.get(height)!))
      }
      faultyChainNode.fail({ kind })
      for (let i = 0; i < 3; i += 1) {
        block()
        await wait(100)
        check()
      }
      faultyChainNode.heal()
      // What was learnt of a pair while it was spoilt is forgotten after ten heights.
      growQuietly(live, 10)
      block()
      await catchesUp(feed, live)
      assert.deepEqual(asData(feed.current()!.view.market), asData(expectedMarket(live)))
      assert.deepEqual(
        heights,
        heights.toSorted((a, b) => a - b),
      )
    })
})
