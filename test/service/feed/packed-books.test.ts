import assert from 'node:assert/strict'
import { test } from 'vitest'
import { graphOf } from '../../../src/engine/routing/graph.js'
import { encodeSnapshot } from '../../../src/engine/snapshot/encode.js'
import { route } from '../../../src/operations/route/route.js'
import { packedMarket } from '../../../src/service/feed/recent-markets.js'
import { market } from '../../support/demo-market.js'

const request = { input: { denom: 'btc-btc', amount: '1000000' }, output: { denom: 'rune' } }

test('a packed market is the market, and packing it again changes nothing', async () => {
  const packed = packedMarket(market)
  assert.deepEqual(encodeSnapshot(packed), encodeSnapshot(market))
  assert.deepEqual([...packed.books.keys()], [...market.books.keys()])
  const answered = await Promise.all(
    [market, packed].map((each) =>
      route({ openMarket: async () => ({ market: each, graph: graphOf(each) }) }, request),
    ),
  )
  assert.deepEqual(answered[1], answered[0])
  assert.equal(packedMarket(packed), packed)
})

test('books that two packed markets share are the same objects in both', () => {
  const [one, two] = [packedMarket(market), packedMarket({ ...market, height: market.height + 1 })]
  for (const [address, book] of one.books) assert.equal(two.books.get(address), book)
})
