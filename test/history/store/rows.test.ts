import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test, vi } from 'vitest'
import { decimal } from '../../../src/engine/math/decimal.js'
import type { IndexedBlock, IndexedSwap } from '../../../src/history/store/history-store.js'
import { migrate } from '../../../src/history/store/open.js'
import { openThread, sqliteDb } from '../../../src/history/store/sqlite/connection.js'
import { registerOpener } from '../../../src/history/store/sqlite/openers.js'
import { databaseKinds, fileDrivers, inFolder, openAt } from '../../support/history.js'
import { syntheticChain } from '../../support/synthetic-blocks.js'

const base = syntheticChain(1).block(6)
const [sample] = base.swaps as readonly [IndexedSwap]

/** A block of variations of one leg, each with its own key. */
const blockOf = (variations: readonly Partial<IndexedSwap>[]): IndexedBlock => ({
  ...base,
  quarantined: [],
  swaps: variations.map((variation, eventIndex) => ({ ...sample, eventIndex, ...variation })),
})

const edges = [
  0n,
  1n,
  ...[53n, 63n, 64n].flatMap((bits) => [2n ** bits - 1n, 2n ** bits, 2n ** bits + 1n]),
  2n ** 128n - 1n,
]

describe('a stored leg', () => {
  test('is read as it was written, to the last atomic', async () => {
    await inFolder(async (folder) => {
      const block = blockOf([
        ...edges.map((amount) => ({
          input: { denom: 'x/☃/ünï', amount },
          output: { denom: 'rune', amount },
          fees: { protocol: amount, referral: amount, affiliate: amount },
          volumeUsd: decimal(amount * 10n ** 9n),
        })),
        { volumeUsd: undefined, affiliate: undefined, path: [], hops: [] },
        { hops: [{ ...Object(sample.hops[0]), address: "NUL \0, half \ud800, quote ' and \\" }] },
      ])
      for (const kind of await databaseKinds(folder)) {
        const store = await openAt(await kind.newDatabase(), kind)
        await store.commitBlocks(await store.lead(), [block])
        const { items } = await store.page({ by: 'latest' }, { page: 1, limit: 100 })
        const { height, time } = block
        assert.deepEqual(
          items,
          block.swaps.map((swap) => ({ ...swap, height, time })).reverse(),
          kind.name,
        )
        assert.deepEqual(await store.prices(height), block.prices)
        await store.close()
      }
    })
  })

  test('that no database can hold is quarantined with the reason and its bytes', async () => {
    await inFolder(async (folder) => {
      const bad: readonly (readonly [RegExp, Partial<IndexedSwap>])[] = [
        [/sender is not text/, { sender: 'a\0b' }],
        [/recipient is not text/, { recipient: '\udfff' }],
        [/affiliate code is not text/, { affiliate: { code: '\0', address: 'x' } }],
        [/input denom is over 512 bytes/, { input: { denom: 'ü'.repeat(257), amount: 1n } }],
        [/output amount is not an amount/, { output: { denom: 'rune', amount: 2n ** 128n } }],
        [/protocol fee is not an amount/, { fees: { ...sample.fees, protocol: -1n } }],
        // Their sum would not fit either.
        [/volume is out of all bounds/, { volumeUsd: decimal(10n ** 60n - 1n) }],
        [/volume is out of all bounds/, { volumeUsd: decimal(10n ** 60n - 1n) }],
        [/Another leg has the key/, { eventIndex: 0 }],
      ]
      const raw = { txIndex: 2, eventIndex: -1, reason: 'odd \0', bytes: Buffer.from([0, 255]) }
      const block = blockOf([{}, ...bad.map(([, variation]) => variation)])
      for (const kind of await databaseKinds(folder)) {
        const store = await openAt(await kind.newDatabase(), kind)
        const committed = await store.commitBlocks(await store.lead(), [
          {
            ...block,
            quarantined: [raw],
          },
        ])
        assert.deepEqual(committed, { blocks: 1, swaps: 1, quarantined: bad.length + 1 })
        const { items } = await store.quarantined({ page: 1, limit: 100 })
        const reversedItems = [...items].reverse()
        assert.deepEqual(
          [reversedItems[0]?.reason, reversedItems[0]?.bytes],
          ['odd \uFFFD', new Uint8Array([0, 255])],
        )
        for (const [i, [reason]] of bad.entries()) {
          assert.match(reversedItems[i + 1]?.reason ?? '', reason)
          assert.match(Buffer.from(reversedItems[i + 1]?.bytes ?? []).toString(), /"txHash":/)
        }
        assert.equal((await store.page({ by: 'latest' }, { page: 1, limit: 9 })).total, 1)
        await store.close()
      }
    })
  })
})

test('a database whose thread has ended refuses statements', async () => {
  await inFolder(async (folder) => {
    for (const driver of fileDrivers) {
      const path = join(folder, `${driver}.db`)
      const { own, leave } = registerOpener(path, driver)
      const thread = await openThread({ path, driver, own })
      await thread.close()
      await assert.rejects(thread.ask('select 1', []), /the database was closed/)
      leave()
    }
  })
})

test('two threads of a process have records of their own for an open database', async () => {
  await inFolder(async (folder) => {
    const path = join(folder, 'history.db')
    // A thread has its own instance of the module.
    const records = []
    for (const _ of ['reads', 'writes']) {
      vi.resetModules()
      const openers = await import('../../../src/history/store/sqlite/openers.js')
      records.push(openers.registerOpener(path, 'wasm'))
    }
    const [reads, writes] = records
    reads!.leave()
    assert.ok(existsSync(writes!.own))
    writes!.leave()
  })
})

describe('database migrations', () => {
  test('that are cut off at any statement leave an empty or a complete database', async () => {
    await inFolder(async (folder) => {
      const step = process.env['SWAP_LONG'] ? 1 : 29
      for (const driver of fileDrivers)
        for (let last = 1, isComplete = false; !isComplete; last += step) {
          const path = join(folder, `${driver}-${last}.db`)
          const { own, leave } = registerOpener(path, driver)
          const thread = await openThread({ path, driver, own })
          let queryCount = 0
          const db = sqliteDb({
            ...thread,
            ask: (sql, values) => {
              queryCount += 1
              return queryCount <= last
                ? thread.ask(sql, values)
                : Promise.reject(new Error('cut off'))
            },
          })
          isComplete = await migrate({
            reads: db,
            flavour: 'sqlite',
            place: path,
            alter: (change) => change(db),
          }).then(
            () => true,
            () => false,
          )
          await thread.close()
          leave()
          const store = await openAt(path, { driver })
          await store.commitBlocks(await store.lead(), [base])
          assert.equal((await store.state()).swaps, base.swaps.length)
          await store.close()
        }
    })
  }, 3_600_000)
})
