import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { SwapError } from '../../../src/engine/errors.js'
import { compileBook } from '../../../src/engine/market/book.js'
import type { Market } from '../../../src/engine/market/market.js'
import { decimal, ONE } from '../../../src/engine/math/decimal.js'
import { graphOf } from '../../../src/engine/routing/graph.js'
import type { Contracts } from '../../../src/operations/chain-port.js'
import {
  fixedDraft,
  orderPreview,
  planOrders,
} from '../../../src/operations/orders/order-preview.js'
import { smallMarket } from '../../support/small-market.js'

/** Two sellers of `a`, at 1 and at 2. */
const market: Market = smallMarket(
  {
    'a/b': {
      base: [
        { price: '1', total: '100' },
        { price: '2', total: '100' },
      ],
    },
  },
  { dialect: 'forward' },
)
const context = { openMarket: async () => ({ market, graph: graphOf(market) }) }

/** The same market, where a part of the book is unknown. */
const inexact = {
  openMarket: async () => {
    const book = market.books.get('a/b')!
    const books = new Map([['a/b', compileBook({ ...book.state, exact: false })]])
    const partlyKnown = { ...market, books }
    return { market: partlyKnown, graph: graphOf(partlyKnown) }
  },
}

describe('the document of an order preview', () => {
  test('has each level that is taken, what rests, and what the router pays for the same', async () => {
    const entries = [{ side: 'buy' as const, price: '2', target: '350' }]
    const {
      owner,
      entries: effects,
      router,
    } = await orderPreview(context, { pair: 'a/b', entries })
    assert.equal(owner, null)
    assert.deepEqual(effects, [
      {
        id: 'a/b/buy/2',
        side: 'buy',
        price: '2',
        oracle_bps: null,
        target: '350',
        offer_denom: 'b',
        receive_denom: 'a',
        claimed: { filled: '0', fee: '0', paid: '0' },
        taken: {
          offered: '300',
          gross: '200',
          fee: '0',
          received: '200',
          levels: [
            { rate: '1', offered: '100', received: '100' },
            { rate: '2', offered: '200', received: '100' },
          ],
        },
        added: '50',
        returned: '0',
        rests: '50',
      },
    ])
    assert.deepEqual(router, {
      input: { denom: 'b', amount: '300' },
      output: { denom: 'a', amount: '200' },
      received: '200',
      exact: true,
    })
  })

  test('has no router where no route takes what the entries take, and fails where the chain does', async () => {
    const buying = { pair: 'a/b', entries: [{ side: 'buy' as const, price: '2', target: '350' }] }
    const previewWhere = (simulations: Contracts['simulations']) =>
      orderPreview(
        { ...inexact, contracts: async () => ({ simulations, ownerOrders: async () => [] }) },
        buying,
      )
    const refused = async () => [{ kind: 'refused' as const, why: 'no' }]
    assert.equal((await previewWhere(refused)).router, null)
    const down = new SwapError('UPSTREAM_ERROR', 'the chain cannot be queried')
    await assert.rejects(
      previewWhere(() => Promise.reject(down)),
      down,
    )
  })
})

test('a price on a book with an empty side is compared with the mid prices of other books, if there are any', async () => {
  const at = (...prices: readonly string[]) => prices.map((price) => ({ price, total: '100' }))
  const books = {
    'a/b': { base: [], quote: at('1') },
    'a/usd': { base: at('6.1'), quote: at('5.9') },
    'b/usd': { base: at('2.1'), quote: at('1.9') },
  }
  const { 'b/usd': _, ...unpriced } = books
  const buying = (price: string, known: typeof unpriced = books) => {
    const priced = { ...smallMarket(known, { dialect: 'forward' }), usd: 'usd' }
    const context = { openMarket: async () => ({ market: priced, graph: graphOf(priced) }) }
    return orderPreview(context, {
      pair: 'a/b',
      max_cross_bps: 500,
      entries: [{ side: 'buy', price, target: '350' }],
    })
  }
  assert.deepEqual((await buying('3.15')).entries[0]!.rests, '350')
  assert.deepEqual((await buying('3.16', unpriced)).entries[0]!.rests, '350')
  await assert.rejects(buying('3.16'), {
    code: 'ORDER_REFUSED',
    why: /more than 5 % across the price by other books \(the other side is empty\), 3$/,
  })
})

test('coins that a request sends beyond what its entries need come back', async () => {
  const entries = [{ side: 'buy' as const, price: '1', target: '100' }]
  const funds = [{ denom: 'b', amount: '130' }]
  const answer = await orderPreview(context, { pair: 'a/b', entries, funds })
  assert.deepEqual(answer.funds, funds)
  assert.deepEqual(answer.paid, [
    { denom: 'a', amount: '100' },
    { denom: 'b', amount: '30' },
  ])
})

describe('an order that has to be filled', () => {
  const draftOf = (target: bigint, fillOrKill: boolean) => ({
    ...fixedDraft('a/b', [{ side: 'bid', price: { fixed: decimal(ONE) }, target }]),
    fillOrKill,
  })
  const planned = (target: bigint, fillOrKill = true) =>
    planOrders(context, undefined, [draftOf(target, fillOrKill)])

  test('is planned where the book takes all of it up to its price', async () => {
    const [order] = await planned(100n)
    assert.deepEqual(order!.plan.preview.paid, [{ denom: 'a', amount: 100n }])
  })

  test('is refused where a part of it would rest, which another order may do', async () => {
    await assert.rejects(planned(110n), {
      code: 'ORDER_REFUSED',
      why: 'the book takes 0.000001 b of 0.0000011 b up to this price',
      hint: /^offer less, /,
      members: { reason: 'not_filled', contract_text: null },
    })
    const [order] = await planned(110n, false)
    assert.equal(order!.plan.preview.entries[0]!.rests, 10n)
  })
})
