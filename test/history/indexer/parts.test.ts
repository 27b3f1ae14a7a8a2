import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { parseDecimal } from '../../../src/engine/math/decimal.js'
import { rational } from '../../../src/engine/math/rational.js'
import { inOrder, planOf } from '../../../src/history/indexer/indexer.js'
import { volumeOf } from '../../../src/history/indexer/read-block.js'
import { countOf } from '../../../src/history/store/ranges.js'

describe('the plan of an indexing round', () => {
  const anyGaps = fc
    .uniqueArray(fc.integer({ min: 1, max: 600 }), { minLength: 1, maxLength: 40 })
    .map((heights) => [...heights].sort((a, b) => a - b).map((at) => ({ from: at, to: at })))

  test('has only missing heights, the head apart from the oldest of the rest', () => {
    fc.assert(
      fc.property(anyGaps, fc.integer({ min: 600, max: 700 }), (gaps, newest) => {
        const { head, backlog } = planOf(gaps, newest)
        const missing = gaps.map(({ from }) => from)
        assert.deepEqual([...backlog, ...head], missing)
        assert.ok(head.every((at) => at > newest - 32))
        assert.ok(backlog.every((at) => at <= newest - 32))
      }),
    )
  })
  test('has the start and the head of a long range', () => {
    const { head, backlog } = planOf([{ from: 1, to: 10_000 }], 10_000)
    assert.deepEqual([head[0], head.at(-1)], [9_969, 10_000])
    assert.deepEqual([backlog[0], backlog.at(-1)], [1, 256])
  })
  test('is empty if nothing is missing', () => {
    assert.deepEqual(planOf([], 10), { head: [], backlog: [] })
    assert.equal(countOf([]), 0)
  })
})

describe('a parallel map', () => {
  test('yields results in order, with a bounded number of running tasks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.integer({ min: 1, max: 5 }),
        fc.nat(12),
        async (scheduler, width, count) => {
          let now = 0
          let most = 0
          const items = Array.from({ length: count }, (_, i) => i)
          const work = async (item: number) => {
            now += 1
            most = Math.max(most, now)
            await scheduler.schedule(Promise.resolve())
            now -= 1
            return item
          }
          const collect = async () => {
            const out: number[] = []
            for await (const each of inOrder(items, width, work)) out.push(each)
            return out
          }
          const collected = collect()
          await scheduler.waitFor(collected)
          assert.deepEqual(await collected, items)
          assert.ok(most <= width)
        },
      ),
    )
  })
  test('yields the results before a failure, and starts no task after it', async () => {
    const begun: number[] = []
    const out: number[] = []
    const work = async (item: number) => {
      begun.push(item)
      if (item >= 3) throw new Error(`no ${item}`)
      return item
    }
    await assert.rejects(async () => {
      for await (const each of inOrder([0, 1, 2, 3, 4, 5, 6, 7], 2, work)) out.push(each)
    }, /no 3/)
    assert.deepEqual(out, [0, 1, 2])
    assert.deepEqual(begun, [0, 1, 2, 3, 4])
  })
})

describe('the volume of a swap', () => {
  const prices = new Map([
    ['btc-btc', rational(78_290n, 10n ** 8n)],
    ['odd', rational(1n, 3n)],
  ])
  const coin = (denom: string, amount: bigint) => ({ denom, amount })
  test("is its input at the input's price", () => {
    assert.equal(
      volumeOf(coin('btc-btc', 150_000_000n), coin('odd', 1n), prices),
      parseDecimal('117435'),
    )
  })
  test('is its output if only that has a price, rounded down', () => {
    assert.equal(volumeOf(coin('x', 5n), coin('odd', 2n), prices), 666_666_666_666_666_666n)
  })
  test('is unknown if neither has a price', () => {
    assert.equal(volumeOf(coin('x', 5n), coin('y', 2n), prices), undefined)
  })
})
