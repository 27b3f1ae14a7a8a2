import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { HistoryStore } from '../../../src/history/store/history-store.js'
import type { OrderChange, OrdersFilter } from '../../../src/operations/history/history-port.js'
import { temporaryFolder } from '../../support/folder.js'
import {
  blocksOf,
  contentsOf,
  DECODER,
  databaseKinds,
  forgetMigration,
  openAt,
} from '../../support/history.js'
import { senderOf, syntheticChain } from '../../support/synthetic-blocks.js'

const chain = syntheticChain(21)
const blocks = blocksOf(chain, 1, 60)

/** The list computed from the blocks, newest first. */
const listed = (isOf: (order: OrderChange) => boolean): readonly OrderChange[] =>
  blocks
    .flatMap(({ height, time, orders }) => orders.map((order) => ({ ...order, height, time })))
    .filter(isOf)
    .sort((a, b) => b.height - a.height || b.msgIndex - a.msgIndex)

const some = blocks.find(({ orders }) => orders.length === 2)!.orders[0]!

const filters: readonly (readonly [OrdersFilter, (order: OrderChange) => boolean])[] = [
  [{ by: 'latest' }, () => true],
  [{ by: 'owner', owner: senderOf(3) }, ({ owner }) => owner === senderOf(3)],
  [{ by: 'pair', pair: 'demo1pair2' }, ({ pair }) => pair === 'demo1pair2'],
  [
    { by: 'transaction', txHash: some.txHash.toLowerCase() },
    ({ txHash }) => txHash === some.txHash,
  ],
  [{ by: 'owner', owner: 'unknown' }, () => false],
]

const kinds = await databaseKinds(temporaryFolder('orders'))

async function pages(store: HistoryStore, filter: OrdersFilter): Promise<readonly OrderChange[]> {
  const items: OrderChange[] = []
  for (let page = 1; ; page += 1) {
    const found = await store.orders(filter, { page, limit: 7 })
    items.push(...found.items)
    if (items.length >= found.total) return items
  }
}

describe('changes of orders in the index', () => {
  for (const kind of kinds)
    test(`are listed by account, pair and transaction, newest first: ${kind.name}`, async () => {
      const store = await openAt(await kind.newDatabase(), { ...kind, here: true })
      await store.commitBlocks(await store.lead(), blocks.slice(30))
      for (const [filter, isOf] of filters)
        assert.deepEqual(
          await pages(store, filter),
          listed((order) => order.height > 30 && isOf(order)),
        )
      await store.close()
    })

  for (const kind of kinds)
    test(`and swaps have one oldest block: ${kind.name}`, async () => {
      const store = await openAt(await kind.newDatabase(), { ...kind, here: true })
      const leadership = await store.lead()
      for (const [swapsFrom, ordersFrom] of [
        [20, 40],
        [40, 20],
        [20, 61],
        [61, 20],
        [61, 61],
      ] as const) {
        const kept = blocks.map(({ swaps, orders, ...block }) => ({
          ...block,
          swaps: block.height < swapsFrom ? [] : swaps,
          orders: block.height < ordersFrom ? [] : orders,
        }))
        await store.commitBlocks(leadership, kept)
        const filled = kept.find(({ swaps, orders }) => swaps.length + orders.length > 0)
        assert.equal((await store.holding({ from: 1, to: 99 }))[0], filled?.height)
        await store.reindex(leadership, { prices: true })
      }
      await store.close()
    })

  for (const kind of kinds)
    test(`are known to be missing from blocks of the version before: ${kind.name}`, async () => {
      const database = await kind.newDatabase()
      const former = await openAt(database, { ...kind, here: true, decoder: 'former' })
      const before = blocks.map((block) => ({ ...block, orders: [] }))
      await former.commitBlocks(await former.lead(), [
        ...before.slice(0, 10),
        ...before.slice(20, 30),
      ])
      await former.close()
      const store = await openAt(database, { ...kind, here: true, former: 'former' })
      const requireState = async (to = 10) => {
        const expected = [
          { from: 1, to },
          { from: 21, to: 30 },
        ]
        const { current, withoutOrders } = await store.state()
        assert.deepEqual([current, withoutOrders], [true, expected])
        const found = await store.orders({ by: 'latest' }, { page: 1, limit: 1 })
        assert.deepEqual(found.without, expected)
      }
      await requireState()
      const leadership = await store.lead()
      await store.commitBlocks(leadership, blocks.slice(30, 40))
      await requireState()
      await store.forget(leadership, blocks[7]!, 10)
      await store.commitBlocks(leadership, blocks.slice(8, 20))
      await requireState(8)
      await leadership.release()
      const older = await openAt(database, { ...kind, here: true, decoder: 'former' })
      const lead = await older.lead()
      await assert.rejects(older.commitBlocks(lead, [before[50]!]), { code: 'NOT_READY' })
      await older.close()
      const again = await store.lead()
      await store.reindex(again, { prices: true })
      await store.commitBlocks(again, blocks.slice(0, 40))
      assert.deepEqual((await store.state()).withoutOrders, [])
      await store.close()
      const fresh = await kind.newDatabase()
      const clean = await openAt(fresh, { ...kind, here: true, decoder: DECODER })
      await clean.commitBlocks(await clean.lead(), blocks.slice(0, 40))
      await clean.close()
      assert.equal(await contentsOf(database, kind.driver), await contentsOf(fresh, kind.driver))
    })

  for (const kind of kinds)
    test(`of nothing, which earlier versions stored, are removed and not counted any more: ${kind.name}`, async () => {
      const database = await kind.newDatabase()
      const store = await openAt(database, { ...kind, here: true })
      const nothing = { sold: 0n, added: 0n, returned: 0n, received: 0n, fee: 0n }
      const emptied = blocks.map((block) => ({
        ...block,
        orders: block.orders.map((order, i) =>
          i === 1 ? { ...order, ...nothing, action: 'place' as const } : order,
        ),
      }))
      await store.commitBlocks(await store.lead(), emptied)
      await store.close()
      await forgetMigration(database, '0004-empty-orders', kind.driver)
      const migrated = await openAt(database, { ...kind, here: true })
      const comparable = (order: OrderChange) =>
        emptied.some(({ orders }) =>
          orders.some(
            ({ txHash, msgIndex, eventIndex, added, sold }) =>
              txHash === order.txHash &&
              msgIndex === order.msgIndex &&
              eventIndex === order.eventIndex &&
              added + sold > 0n,
          ),
        )
      for (const [filter, isOf] of filters) {
        const left = listed((order) => isOf(order) && comparable(order))
        const { total } = await migrated.orders(filter, { page: 1, limit: 1 })
        assert.equal(total, left.length)
        assert.deepEqual(await pages(migrated, filter), left)
      }
      await migrated.close()
    })

  test('are the same rows in every database', async () => {
    const texts = await Promise.all(
      kinds.map(async (kind) => {
        const database = await kind.newDatabase()
        const store = await openAt(database, { ...kind, here: true })
        await store.commitBlocks(await store.lead(), blocks)
        await store.close()
        return contentsOf(database, kind.driver)
      }),
    )
    assert.match(texts[0]!, /^order_change /m)
    for (const text of texts) assert.equal(text, texts[0])
  })
})
