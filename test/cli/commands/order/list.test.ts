import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { ordersCsv, renderOrder, renderOrders } from '../../../../src/cli/commands/order/render.js'
import { snapshot } from '../../../../src/operations/book/snapshot-summary.js'
import type { OrderDocument } from '../../../../src/operations/orders/order-documents.js'
import { app, context, rune, terminal, usdc } from '../../../render/documents.js'

const [pair] = [...context.pairs!].find(([, { base, quote }]) => base === rune && quote === usdc)!
const answer = {
  ...(await snapshot(app)),
  owner: '',
  orders: [
    {
      id: `${pair}/sell/0.5`,
      side: 'sell' as const,
      price: '0.5',
      oracle_bps: null,
      pair,
      rate: '0.5',
      status: 'open' as const,
      offer_denom: rune,
      receive_denom: usdc,
      offered: '100',
      remaining: '100',
      filled: '0',
      claimable: '0',
      updated_at: null,
    },
  ],
  resting: [],
  claimable: [],
  unread: [],
}
const namingWith = (changes: { readonly symbol?: string; readonly decimals?: number }) => ({
  ...context,
  tokens: new Map([...context.tokens, [rune, { ...context.tokens.get(rune)!, ...changes }]]),
})

describe('a list of orders', () => {
  test('has prices of whole tokens where those of the ids are not', () => {
    const shown = (decimals: number) =>
      renderOrders(answer, namingWith({ decimals }), terminal(80)).replaceAll(/ +/g, ' ')
    assert.doesNotMatch(shown(8), /PRICE/)
    assert.match(shown(6), / ORDER PRICE .*\n rune\/usdc\/sell\/0\.5 0\.005 USDC open /)
  })

  test('has no formula as CSV where the symbol of a token is one', () => {
    const [, row = ''] = ordersCsv(answer, namingWith({ symbol: '=1+1' })).split('\r\n')
    assert.equal(row.split(',')[1], "'=1+1/usdc")
  })
})

describe('an order', () => {
  const linesOf = (change: Partial<OrderDocument>) =>
    renderOrder({ ...answer, ...answer.orders[0]!, ...change }, context, terminal(80)).split('\n')

  test('has its amounts in the tokens that it gives and receives', () => {
    const filled = { filled: '20000000', claimable: '19970000' }
    const bought = { side: 'buy', offer_denom: usdc, receive_denom: rune, remaining: '50' } as const
    assert.deepEqual(
      linesOf({ ...bought, ...filled, updated_at: '2026-05-01T12:00:00Z' }).slice(2),
      [
        '  Status      open',
        '  Price       0.5 USDC per RUNE',
        '  Offered     0.000001 USDC',
        '  Rests       0.0000005 USDC',
        '  Filled      0.2 RUNE not claimed yet; a claim pays 0.1997 RUNE',
        '  Owner       ',
        '  Changed     2026-05-01 12:00:00 UTC',
      ],
    )
  })

  test.each([
    ['0.5', -150, '0.5 USDC per RUNE now: the oracle price -150 bps'],
    ['0.5', 300, '0.5 USDC per RUNE now: the oracle price +300 bps'],
    [null, 300, 'unknown now: the oracle price +300 bps'],
  ])('of the rate %s at the oracle price with %i bps names both', (rate, oracle_bps, expected) =>
    assert.equal(linesOf({ rate, oracle_bps })[3], `  Price       ${expected}`),
  )
})
