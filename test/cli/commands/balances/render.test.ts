import assert from 'node:assert/strict'
import { test } from 'vitest'
import { renderBalances } from '../../../../src/cli/commands/balances/run.js'
import { marketHead } from '../../../../src/operations/document-parts.js'
import { context, market, rune, terminal } from '../../../render/documents.js'

const none = { resting: '0', claimable: '0', symbol: null, decimals: null }

test('the total of balances says how many coins have no price and are not in it', () => {
  const totalOf = (...unpriced: readonly string[]) => {
    const answer = {
      ...marketHead(market),
      address: market.router.address,
      fee_denom: rune,
      balances: [
        { denom: rune, amount: '1000', value_usd: '5.1', ...none },
        ...unpriced.map((denom) => ({ denom, amount: '1000', value_usd: null, ...none })),
      ],
      total_usd: '5.1',
      orders_unread: [],
    }
    return renderBalances(answer, context, terminal(80)).split('\n').at(-1)
  }
  assert.equal(totalOf(), '  Total       $5.10')
  assert.equal(totalOf('dust'), '  Total       $5.10   without 1 coin that has no price')
  assert.equal(totalOf('dust', 'x/new'), '  Total       $5.10   without 2 coins that have no price')
})
