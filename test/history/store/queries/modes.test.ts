import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { IndexedBlock, StoredSwap } from '../../../../src/history/store/history-store.js'
import { lengthOf, periods } from '../../../../src/history/store/leaderboard.js'
import type { LegsFilter } from '../../../../src/operations/history/history-port.js'
import { blocksOf, databaseKinds, inFolder, openAt } from '../../../support/history.js'
import { longTest } from '../../../support/long.js'
import { affiliateAddress, senderOf, syntheticChain } from '../../../support/synthetic-blocks.js'

/** A third of a day apart: the three windows hold 3, 21 and 90 of them. */
const chain = syntheticChain(11, 28_800_000)
const blocks = blocksOf(chain, 1, 120)

const newestFirst = (a: StoredSwap, b: StoredSwap): number =>
  b.height - a.height ||
  b.txIndex - a.txIndex ||
  b.msgIndex - a.msgIndex ||
  b.eventIndex - a.eventIndex

const stored = (some: readonly IndexedBlock[]): readonly StoredSwap[] =>
  some
    .flatMap(({ height, time, swaps }) => swaps.map((swap) => ({ ...swap, height, time })))
    .sort(newestFirst)

/** The list computed from the whole chain. */
const listed = (filter: LegsFilter): readonly StoredSwap[] =>
  stored(blocks).filter((swap) => {
    if (filter.by === 'sender') return swap.sender === filter.sender
    if (filter.by === 'transaction') return swap.txHash === filter.txHash.toUpperCase()
    if (filter.by === 'affiliate')
      return [swap.affiliate?.code, swap.affiliate?.address].includes(filter.affiliate)
    return filter.type === undefined || swap.type === filter.type
  })

const twoLegs = blocks.flatMap(({ swaps }) => swaps).find(({ msgIndex }) => msgIndex === 1)

const modes: readonly LegsFilter[] = [
  { by: 'latest' },
  { by: 'latest', type: 'swap' },
  { by: 'latest', type: 'arbitrage' },
  { by: 'sender', sender: senderOf(3) },
  { by: 'sender', sender: 'nobody' },
  { by: 'affiliate', affiliate: 'arb' },
  { by: 'affiliate', affiliate: affiliateAddress('tips') },
  { by: 'transaction', txHash: twoLegs?.txHash.toLowerCase() ?? '' },
  { by: 'transaction', txHash: 'nonsense' },
]

/** The volume of each swapper within a period up to the newest block, largest first. */
function leaders(length: number) {
  const to = Date.parse(blocks.at(-1)?.time ?? '')
  const lines = new Map<string, { swaps: number; volume: bigint; priced: boolean }>()
  for (const { sender, volumeUsd, time } of stored(blocks)) {
    if (Date.parse(time) <= to - length) continue
    const { swaps = 0, volume = 0n, priced = false } = lines.get(sender) ?? {}
    lines.set(sender, {
      swaps: swaps + 1,
      volume: volume + (volumeUsd ?? 0n),
      priced: priced || volumeUsd !== undefined,
    })
  }
  return [...lines]
    .sort(([a, x], [b, y]) =>
      x.volume === y.volume ? (a < b ? -1 : 1) : x.volume > y.volume ? -1 : 1,
    )
    .map(([sender, { swaps, volume, priced }], i) => ({
      rank: i + 1,
      sender,
      swaps,
      volumeUsd: priced ? volume : undefined,
    }))
}

describe('the lists of the history', () => {
  longTest('have everything on the chain, newest first, page by page', async () => {
    await inFolder(async (folder) => {
      for (const kind of await databaseKinds(folder)) {
        const store = await openAt(await kind.newDatabase(), { ...kind, here: true })
        const leadership = await store.lead()
        // The head first, then the older blocks, like an indexer that starts late.
        await store.commitBlocks(leadership, blocks.slice(100))
        await store.commitBlocks(leadership, blocks.slice(0, 60))
        for (const block of blocks.slice(60, 100)) await store.commitBlocks(leadership, [block])
        for (const filter of modes) {
          const all = listed(filter)
          const limit = 7
          const items: StoredSwap[] = []
          for (let page = 1; page <= Math.ceil(all.length / limit) + 1; page += 1) {
            const answer = await store.page(filter, { page, limit })
            assert.equal(answer.total, all.length)
            assert.deepEqual(answer.indexed, { height: 120, time: blocks.at(-1)?.time, missing: 0 })
            items.push(...answer.items)
          }
          assert.deepEqual(items, all, `${kind.name}: ${JSON.stringify(filter)}`)
        }
        for (const period of periods) {
          const board = await store.top(period, { page: 1, limit: 100 })
          const to = Date.parse(blocks.at(-1)?.time ?? '')
          assert.equal(board.to, new Date(to).toISOString())
          assert.equal(board.from, new Date(to - lengthOf[period]).toISOString())
          assert.deepEqual(board.items, leaders(lengthOf[period]).slice(0, 100), period)
          const second = await store.top(period, { page: 2, limit: 2 })
          assert.deepEqual(second.items, board.items.slice(2, 4))
        }
        const events = blocks.flatMap(({ height, quarantined }) =>
          quarantined.map((event) => ({ height, ...event, bytes: new Uint8Array(event.bytes) })),
        )
        assert.ok(events.length > 2)
        events.reverse()
        const { total, items, indexed } = await store.quarantined({ page: 1, limit: 100 })
        assert.deepEqual([total, items], [events.length, events])
        assert.equal(indexed?.height, blocks.at(-1)?.height)
        const second = await store.quarantined({ page: 2, limit: 1 })
        assert.deepEqual([second.total, second.items], [events.length, [events[1]]])
        const state = await store.state()
        const figures = await store.figures()
        assert.equal(state.quarantined, events.length)
        assert.deepEqual(figures, {
          indexed: state.indexed,
          swaps: state.swaps,
          quarantined: events.length,
          epoch: 1,
          published: undefined,
        })
        await store.close()
      }
    })
  })

  test('of an empty index are empty, and report that nothing is indexed', async () => {
    await inFolder(async (folder) => {
      for (const kind of await databaseKinds(folder)) {
        const store = await openAt(await kind.newDatabase(), { ...kind, here: true })
        const empty = { total: 0, items: [], indexed: undefined }
        for (const filter of modes)
          assert.deepEqual(await store.page(filter, { page: 1, limit: 20 }), empty)
        assert.deepEqual(await store.top('1d', { page: 1, limit: 10 }), {
          from: undefined,
          to: undefined,
          items: [],
          missing: 0,
        })
        await store.close()
      }
    })
  })
})
