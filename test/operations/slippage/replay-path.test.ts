import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { Router } from '../../../src/engine/market/market.js'
import { payouts } from '../../../src/operations/slippage/replay-path.js'
import { smallMarket } from '../../support/small-market.js'

const market = smallMarket(
  { 'a/b': { quote: [{ price: '1', total: '1000' }] } },
  { dialect: 'forward' },
)
const input = { denom: 'a', amount: 100n }

test('the payout of a path follows the fee and the balances of the router, on unchanged books', () => {
  const paid = payouts({ pairs: ['a/b'], input })
  const paidOn = (router: Partial<Router>) =>
    paid({ ...market, router: { ...market.router, ...router } })
  assert.equal(paidOn({}), 100n)
  assert.equal(paidOn({ feeBps: 500n }), 95n)
  assert.equal(paidOn({}), 100n)
  assert.equal(paidOn({ balances: new Map([['b', 7n]]) }), 107n)
})

test('the payout of a path follows each of its books', () => {
  const level = (price: string) => ({ quote: [{ price, total: '1000' }] })
  const two = (first: string, second: string) =>
    smallMarket({ 'a/b': level(first), 'b/c': level(second) }, { dialect: 'forward' })
  const [before, after] = [two('1', '1'), two('0.9', '0.5')]
  const paid = payouts({ pairs: ['a/b', 'b/c'], input })
  const paidOn = (...changed: readonly string[]) => {
    const books = new Map(before.books)
    for (const pair of changed) books.set(pair, after.books.get(pair)!)
    return paid({ ...before, books })
  }
  assert.deepEqual([paidOn(), paidOn('b/c'), paidOn('a/b'), paidOn()], [100n, 50n, 90n, 100n])
})

test('a path over a pair that is not in the market pays nothing', () => {
  for (const pairs of [['a/b', 'b/c'], ['b/c', 'a/b'], []])
    assert.equal(payouts({ pairs, input })(market), undefined)
})
