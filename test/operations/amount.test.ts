import assert from 'node:assert/strict'
import { Check } from 'typebox/schema'
import { describe, test } from 'vitest'
import { rational } from '../../src/engine/math/rational.js'
import { formatCoin, readAmount, sellLess, typedToken } from '../../src/operations/amount.js'
import { OrderPreviewRequest } from '../../src/operations/orders/order-preview-documents.js'
import { readSlippage, readSplitStep } from '../../src/operations/request-values.js'
import { RouteRequest, readRouteRequest } from '../../src/operations/route/route-request.js'
import { validate } from '../../src/operations/validate.js'
import { atomicsWorth, byWorth, dollarsText } from '../../src/operations/worth.js'
import { smallMarket } from '../support/small-market.js'

/** One dollar for `a`; `dust` has no price. */
const sides = {
  base: [{ price: '1.1', total: '1000000000000' }],
  quote: [{ price: '0.9', total: '1000000000000' }],
}
const market = {
  ...smallMarket({ 'a/usd': sides, 'dust/a': {} }, { dialect: 'forward' }),
  usd: 'usd',
}

describe('a value of a request', () => {
  test('is an amount from 1 to 2^128 - 1, or one that JSON holds exactly', () => {
    assert.equal(readAmount(9_007_199_254_740_991, ''), 9_007_199_254_740_991n)
    assert.equal(readAmount(`${2n ** 128n - 1n}`, ''), 2n ** 128n - 1n)
    for (const value of ['0', 0, 9_007_199_254_740_992, `${2n ** 128n}`, '-1', '1.0'])
      assert.throws(() => readAmount(value, ''), { code: 'INVALID_AMOUNT' })
  })

  test('has a schema that admits the same texts and numbers, and is refused as an amount otherwise', () => {
    const requestOf = (amount: unknown) => ({
      input: { denom: 'a', amount },
      output: { denom: 'usd' },
    })
    for (const value of [1, 9_007_199_254_740_991, '1', `${2n ** 128n - 1n}`])
      assert.ok(Check(RouteRequest, readRouteRequest(requestOf(value))))
    for (const value of ['0', 0, -1, '-1', '01', '', '1.0', 1.5, `1${'0'.repeat(39)}`]) {
      assert.ok(!Check(RouteRequest, requestOf(value)), `${value}`)
      assert.throws(() => readRouteRequest(requestOf(value)), { code: 'INVALID_AMOUNT' })
    }
  })

  test('is 0 as the target of an order, as text or as a number', () => {
    for (const target of ['0', 0]) {
      const request = { owner: 'o', pair: 'p', entries: [{ side: 'buy', price: '1', target }] }
      assert.equal(validate(OrderPreviewRequest, request, {}), request)
    }
  })

  test('is a split step from 1 to 10, and a slippage from 0 to 9999', () => {
    assert.deepEqual([1, 10].map(readSplitStep), [1, 10])
    for (const value of [0, 11, 1.5, '5', undefined])
      assert.throws(() => readSplitStep(value), { code: 'INVALID_SPLIT_STEP' })
    assert.deepEqual([0, 9999].map(readSlippage), [0, 9999])
    for (const value of [-1, 10_000])
      assert.throws(() => readSlippage(value), { code: 'INVALID_SLIPPAGE' })
  })
})

describe('the hint for an amount that is too large', () => {
  test('does not tell to sell an amount of which more than half is lost', () => {
    const hint = (paid: bigint) =>
      sellLess(market, { denom: 'a', amount: 100n }, { denom: 'usd', amount: paid }).cli
    assert.match(hint(49n), /most of that would be lost: swap max a usd/)
    assert.doesNotMatch(hint(50n), /lost/)
  })
  test('names no command and no member of a request to a client of the service', () => {
    const { http } = sellLess(market, { denom: 'a', amount: 100n }, { denom: 'usd', amount: 49n })
    assert.equal(http, 'sell 0.000001 a or less; most of that would be lost: sell much less')
  })
  test('names a token by its denom in a command where its symbol would be one as well', () => {
    const named = { ...market.tokens.get('a')!, symbol: 'a$(reboot)' }
    const renamed = { ...market, tokens: new Map([...market.tokens, ['a', named]]) }
    const { cli } = sellLess(renamed, { denom: 'a', amount: 100n }, { denom: 'usd', amount: 1n })
    assert.match(cli, /^sell 0\.000001 a\$\(reboot\) or less; .*: swap max a usd --max-impact/)
  })
})

test('a token is typed by its unique name in lower case, or by its denom as it is', () => {
  const token = { ...market.tokens.get('a')!, symbol: 'A' }
  const tokens = new Map([
    ['a', token],
    ['ibc/AB', { ...token, symbol: 'B' }],
    ['ibc/CD', { ...token, symbol: 'B' }],
  ])
  const typed = ['a', 'ibc/AB', 'ibc/CD'].map((denom) => typedToken({ tokens }, denom))
  assert.deepEqual(typed, ['a', 'ibc/AB', 'ibc/CD'])
})

describe('dollars', () => {
  test('buy so many atomics of a token, rounded down', () => {
    assert.equal(atomicsWorth(market, '1.5', 'a'), 150_000_000n)
    assert.equal(atomicsWorth(market, '0.000000019', 'a'), 1n)
    assert.equal(atomicsWorth(market, '1', 'dust'), undefined)
  })

  test('are written with their sign, and compared', () => {
    const [low, high] = [rational(-1n, 2n), rational(1n, 3n)]
    assert.deepEqual([low, high, undefined].map(dollarsText), [
      '-0.5',
      '0.333333333333333333',
      null,
    ])
    assert.deepEqual([low, high, low].toSorted(byWorth), [high, low, low])
    assert.deepEqual([byWorth(undefined, low), byWorth(low, undefined)], [1, -1])
  })
})

test('a coin in a sentence has every digit of its amount', () => {
  const token = { ...market.tokens.get('a')!, symbol: 'ETH', decimals: 18 }
  const tokens = new Map([['a', token]])
  const text = (amount: bigint) => formatCoin({ tokens }, 'a', amount)
  assert.equal(text(12_000_000_000_000_000_001n), '12.000000000000000001 ETH')
  assert.equal(text(10n ** 38n - 1n), `${'9'.repeat(20)}.${'9'.repeat(18)} ETH`)
})

test('a coin is named by its chain as well where another token has its symbol', () => {
  const token = (symbol: string, chain: string) => ({ symbol, chain, decimals: 8 })
  const tokens = new Map([
    ['a', token('USDC', 'ETH')],
    ['b', token('USDC', 'BASE')],
    ['c', token('USD\u0421', 'BASE')],
  ])
  const names = ['a', 'b', 'c'].map((denom) =>
    formatCoin({ tokens } as never, denom as never, 10n ** 8n),
  )
  assert.deepEqual(names, ['1 USDC.eth', '1 USDC.base', '1 c'])
})
