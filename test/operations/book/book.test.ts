import assert from 'node:assert/strict'
import { test } from 'vitest'
import { book, walk } from '../../../src/operations/book/book.js'
import { documentOf, marketOf, pairOf } from '../../support/markets.js'

for (const [sentence, amount, unsold] of [
  ['that fits', 60n, '0'],
  ['of which a part fits', 250n, '50'],
] as const)
  test(`an amount ${sentence} is walked through a pair without coins that the router holds`, async () => {
    const pair = pairOf(['p', 'a', 'b'], { bids: [['0.5', '100']] })
    const view = marketOf(documentOf([pair], { balances: { a: '7', b: '9' } }))
    const context = { openMarket: async () => view }
    const full = await book(context, { pair: 'p', levels: 10 })
    const { input, output, unsold: left } = await walk(context, full, { denom: 'a', amount })
    const sold = amount - BigInt(unsold)
    assert.deepEqual([input.amount, output.amount, left], [`${sold}`, `${sold / 2n}`, unsold])
  })

test('an amount walks to a level that the arbitrage step leaves', async () => {
  const orders = {
    asks: [['0.5', '1000']],
    bids: [
      ['0.6', '200'],
      ['0.4', '1000'],
    ],
  } as const
  const view = marketOf(documentOf([pairOf(['p', 'a', 'b'], orders)]))
  const context = { openMarket: async () => view }
  const full = await book(context, { pair: 'p', levels: 10 })
  const { output, rate } = await walk(context, full, { denom: 'a', amount: 100n })
  assert.deepEqual([output.amount, rate], ['40', '0.4'])
})
