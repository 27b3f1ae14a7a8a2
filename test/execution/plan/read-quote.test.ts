import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { Call } from '../../../src/chain/tx/unsigned-tx.js'
import { requestedSwapOfCalls } from '../../../src/execution/plan/read-quote.js'
import { smallMarket } from '../../support/small-market.js'

const level = { price: '1', total: '100' }
const pairs = { 'a/usd': { quote: [level] }, 'b/usd': { base: [level] } }
const stages = {
  forward: [
    { address: 'a/usd', denom: 'usd' },
    { address: 'b/usd', denom: 'b' },
  ],
  stack: [
    { address: 'b/usd', denom: 'usd' },
    { address: 'a/usd', denom: 'a' },
  ],
} as const
const funds = [{ denom: 'a', amount: 50n }]

/** The swap of a call of a transaction, on a router of a dialect. */
function swapOf(dialect: 'forward' | 'stack', own: Partial<Call> & { stages?: object[] } = {}) {
  const swap = {
    stages: own.stages ?? stages[dialect],
    min_return: { denom: 'b', amount: '7' },
  }
  const call = { contract: 'router', message: JSON.stringify({ swap }), funds, ...own }
  return requestedSwapOfCalls(
    { calls: [call], timeoutHeight: 9n },
    smallMarket(pairs, { dialect }),
    'q_00000001',
  )
}

describe('the swap in a call of a transaction', () => {
  for (const dialect of ['forward', 'stack'] as const) {
    test(`has the pairs in their order of execution: ${dialect}`, () => {
      const { legs, isExternal, time, timeoutHeight } = swapOf(dialect)
      const leg = { pairs: ['a/usd', 'b/usd'], output: 'b', quoted: undefined, least: 7n }
      assert.deepEqual(legs, [{ funds: funds[0], ...leg }])
      assert.equal(isExternal, true)
      // It expires with the transaction, and not with the block in which it was read.
      assert.deepEqual([time, timeoutHeight], [undefined, 9n])
    })

    const [first, second] = stages[dialect]
    const elsewhere = /^they lead to (nowhere|usd|a), and min_return is in b$/
    const wrong: readonly (readonly [object[], RegExp])[] = [
      [[{ ...first, denom: 'x' }, second], /^stage [12] names x, and its pair trades usd$/],
      [[first, { ...second, denom: 'x' }], /^stage [12] names x, and its pair trades [ab]$/],
      [[second, first], elsewhere],
      [[first], elsewhere],
    ]
    for (const [stages, why] of wrong)
      test(`is refused with other stages: ${dialect} ${JSON.stringify(stages)}`, () => {
        const members = { contract: 'router' }
        assert.throws(() => swapOf(dialect, { stages }), { code: 'QUOTE_MISMATCH', why, members })
      })
  }

  const rows: readonly (readonly [string, Partial<Call>, RegExp])[] = [
    ['to another contract', { contract: 'other' }, /^other is not router$/],
    ['without a coin', { funds: [] }, /^it sends 0$/],
    ['with two coins', { funds: [...funds, { denom: 'b', amount: 1n }] }, /^it sends 2$/],
  ]
  for (const [what, own, why] of rows)
    test(`is refused ${what}`, () => {
      assert.throws(() => swapOf('forward', own), { code: 'QUOTE_MISMATCH', why })
    })

  test('is refused where the call is of orders, with the command that takes these', () => {
    const orders = { contract: 'usd/a', message: JSON.stringify({ order: [[], null] }) }
    assert.throws(() => swapOf('forward', orders), {
      code: 'INVALID_REQUEST',
      hint: /swap tx sign/,
    })
  })
})
