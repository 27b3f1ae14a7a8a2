import assert from 'node:assert/strict'
import { test } from 'vitest'
import { drawBetween, drawOne, seededRandom } from '../../../src/demo-chain/market/random.js'

const draws = (label: string, count: number): readonly number[] => {
  const random = seededRandom(label)
  return Array.from({ length: count }, random)
}

test('a label gives the same random stream again, and another label another stream', () => {
  assert.deepEqual(draws('1 pair', 100), draws('1 pair', 100))
  assert.notDeepEqual(draws('1 pair', 4), draws('2 pair', 4))
  assert.deepEqual(draws('1 pair', 3), [1332504283, 4019521672, 2536496252])
})

test('a random draw reaches both of its bounds and nothing beyond', () => {
  const random = seededRandom('bounds')
  const seen = new Set(Array.from({ length: 500 }, () => drawBetween(random, [-2n, 2n])))
  assert.deepEqual(
    [...seen].sort((a, b) => Number(a - b)),
    [-2n, -1n, 0n, 1n, 2n],
  )
  assert.equal(drawBetween(random, [9n, 9n]), 9n)
})

test('a random choice takes each item about equally often', () => {
  const random = seededRandom('items')
  const counts = { a: 0, b: 0, c: 0 }
  for (let i = 0; i < 3000; i += 1) counts[drawOne(random, ['a', 'b', 'c'])] += 1
  for (const count of Object.values(counts)) assert.ok(count > 900 && count < 1100)
})
