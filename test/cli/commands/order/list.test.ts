import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { ordersCsv, renderOrders } from '../../../../src/cli/commands/order/render.js'
import { snapshot } from '../../../../src/operations/book/snapshot-summary.js'
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
