import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { decimal } from '../../src/engine/math/decimal.js'
import { execute } from '../../src/execution/execute.js'
import { newIntentId } from '../../src/execution/journal/journal.js'
import { slippageFlag, stage } from './stage.js'

/** An amount that is best sold in two legs. */
const AMOUNT = 2n * 10n ** 13n

/** Prices of a unit of gas in atomics of RUNE: a swap costs cents, and thousands of RUNE. */
const usual = decimal(25n * 10n ** 15n)
const absurd = decimal(10n ** 23n)

/** Swaps in two transactions that a person confirms once, where the node asks for a gas price in each of them. */
async function swapped(prices: { readonly first: typeof usual; readonly later: typeof usual }) {
  const at = await stage({ gasPrice: 1n })
  const task = await at.order({ mode: 'legs', unattended: false, ...slippageFlag(100) }, AMOUNT)
  assert.equal(task.requested.legs.length, 2)
  const gasPrice = async () => (at.executed().length === 0 ? prices.first : prices.later)
  const session = at.session({ chain: { ...at.chain, gasPrice } })
  const result = await execute(session, task, newIntentId)
  return { ...result, executed: at.executed().length, confirmed: at.views.length }
}

describe('the fee of a transaction that follows a confirmed one', () => {
  test('is paid where it is small', async () => {
    const { error, executed, confirmed } = await swapped({ first: usual, later: usual })
    assert.deepEqual([error, executed, confirmed], [undefined, 2, 1])
  })

  test('is paid where it is no greater than the confirmed one', async () => {
    const { error, executed, report } = await swapped({ first: absurd, later: usual })
    assert.deepEqual([error, executed, report.status], [undefined, 2, 'confirmed'])
  })

  test('is not paid where the node asks for more once the first one is confirmed', async () => {
    const { error, executed, report } = await swapped({ first: usual, later: absurd })
    assert.equal(error?.code, 'PARTIALLY_EXECUTED')
    assert.match(error?.why ?? '', /fee/)
    assert.equal(executed, 1)
    assert.equal(report.legs[1]?.received, null)
  })
})
