import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { decimal } from '../../../../src/engine/math/decimal.js'
import { rational } from '../../../../src/engine/math/rational.js'
import type {
  HistoryStore,
  IndexedBlock,
  Leadership,
} from '../../../../src/history/store/history-store.js'
import { databaseKinds, inFolder, openAt } from '../../../support/history.js'
import { syntheticChain } from '../../../support/synthetic-blocks.js'

const HOUR = 3_600_000
const START = Date.UTC(2026, 0, 1)
const { block } = syntheticChain(3)
const coin = (denom: string, amount: number) => ({ denom, amount: `${amount}` })

/** One swap of `sold` a for b through the pair p. */
function blockAt(height: number, hours: number, sold: number, usd: bigint | undefined) {
  const like = block(height)
  const hop = {
    address: 'p',
    input: coin('a', sold + 1),
    unsold: coin('a', 1),
    output: coin('b', 2 * sold - 1),
    fee: coin('b', 1),
    trades: 1,
  }
  return {
    ...like,
    time: new Date(START + hours * HOUR).toISOString(),
    prices: new Map([['a', rational(BigInt(height), 100n)]]),
    quarantined: [],
    swaps: [
      {
        txIndex: 0,
        msgIndex: 0,
        eventIndex: 0,
        txHash: 'A'.repeat(64),
        type: 'swap',
        sender: 's',
        recipient: 's',
        affiliate: undefined,
        path: ['a', 'b'],
        input: { denom: 'a', amount: BigInt(sold) },
        output: { denom: 'b', amount: BigInt(2 * sold) },
        hops: [hop],
        fees: { protocol: 0n, referral: 0n, affiliate: 0n },
        volumeUsd: usd === undefined ? undefined : decimal(usd),
      },
    ],
  } satisfies IndexedBlock as IndexedBlock
}

async function inEach(
  blocks: readonly IndexedBlock[],
  check: (store: HistoryStore, leadership: Leadership) => Promise<void>,
) {
  await inFolder(async (folder) => {
    for (const kind of await databaseKinds(folder)) {
      const store = await openAt(await kind.newDatabase(), { ...kind, here: true })
      try {
        const leadership = await store.lead()
        await store.commitBlocks(leadership, blocks)
        await check(store, leadership)
      } finally {
        await store.close()
      }
    }
  })
}

const at = (hours: number): number => START + hours * HOUR

describe('the last 24 hours of an index', () => {
  const blocks = [
    blockAt(1, 0, 1, 1n),
    blockAt(2, 0.5, 10, 10n),
    blockAt(3, 2, 100, undefined),
    blockAt(4, 24.75, 1000, 1000n),
  ]
  test('sum both denoms of a pair, and have the prices at their begin', () =>
    inEach(blocks, async (store) => {
      const day = await store.day(at(24.75))
      assert.equal(day?.from, new Date(at(0.75)).toISOString())
      assert.equal(day?.to, new Date(at(24.75)).toISOString())
      assert.deepEqual(
        [...day.volumes],
        [
          [
            'p',
            {
              swaps: 2,
              traded: new Map([
                ['a', 1100n],
                ['b', 2200n],
              ]),
              usd: 1000n,
            },
          ],
        ],
      )
      assert.deepEqual([...day.prices], [['a', rational(2n, 100n)]])
      assert.equal(day.isWhole, true)
    }))
  test('end with the market where the index is ahead of it', () =>
    inEach(blocks, async (store) => {
      const day = await store.day(at(2))
      assert.equal(day?.to, new Date(at(2)).toISOString())
      assert.equal(day.volumes.get('p')?.swaps, 3)
      assert.deepEqual([day.isWhole, day.first, day.prices.size], [false, 1, 0])
    }))
  test('are unavailable where the index ends more than an hour before the market', () =>
    inEach(blocks, async (store) => {
      assert.equal(await store.day(at(25.76)), undefined)
      assert.notEqual(await store.day(at(25.74)), undefined)
    }))
  test('have no prices where those before their begin are more than an hour old', () =>
    inEach([blockAt(1, 0, 1, 1n), blockAt(2, 25.1, 1, 1n)], async (store) => {
      const day = await store.day(at(25.1))
      assert.deepEqual([day?.isWhole, day?.prices.size], [true, 0])
    }))
  test('are incomplete where heights are missing', () =>
    inEach([blocks[0]!, blocks[3]!], async (store) => {
      const day = await store.day(at(24.75))
      assert.deepEqual([day?.isWhole, day?.first], [false, 4])
    }))
})

test('the leaderboard of a day keeps its swaps where an older block is indexed with a newer one', () =>
  inEach([blockAt(5, 0, 1, 1n)], async (store, leadership) => {
    const batch = [blockAt(1, -23, 1, 1n), blockAt(6, 2, 1, 1n)]
    await store.commitBlocks(leadership, batch)
    const { items } = await store.top('1d', { page: 1, limit: 10 })
    assert.deepEqual(
      items.map(({ swaps, volumeUsd }) => [swaps, volumeUsd]),
      [[2, 2n]],
    )
  }))
