import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { SwapError } from '../../../src/engine/errors.js'
import type { Intent, TxRecord } from '../../../src/execution/journal/intent.js'
import { resultOf, stoppedBy } from '../../../src/execution/lifecycle/result.js'
import type { TxOutcome } from '../../../src/execution/lifecycle/track.js'
import { intent as blank, tx } from '../script.js'

const [leg] = blank.legs as [Intent['legs'][number]]
const verified = { events: true, balances: true, router: true }

/** An included transaction that paid this amount. */
const paying = (received: string): TxRecord => ({
  ...{ ...tx, state: 'included', code: 0, height: 125 },
  fill: {
    ...{ spent: [], returned: [], received: [received], fee: [], left_behind: [] },
    ...{ router_grew: null, verified, gas_used: '1', gas_limit: '1' },
  },
})

const errorOf = (intent: Intent, kind: 'settled' | 'accepted' = 'settled') =>
  resultOf({ intent, at: intent.txs.length - 1 }, { kind } as TxOutcome).error?.code

describe('the result of an intent', () => {
  const rows = [
    ['10', '9', undefined],
    ['9', '9', undefined],
    ['8', '9', 'BELOW_MINIMUM'],
    ['9', '10', 'BELOW_MINIMUM'],
  ] as const
  for (const [received, min_return, code] of rows)
    test(`with ${received} received of at least ${min_return}: ${code ?? 'no error'}`, () => {
      const legs = [{ ...leg, min_return }]
      assert.equal(errorOf({ ...blank, legs, txs: [paying(received)] }), code)
    })

  test('with legs left: an error once its last transaction is final', () => {
    const intent: Intent = { ...blank, mode: 'legs', legs: [leg, leg] }
    const accepted: TxRecord = { ...tx, state: 'accepted' }
    assert.equal(errorOf({ ...intent, txs: [accepted] }, 'accepted'), undefined)
    assert.equal(errorOf({ ...intent, txs: [paying('9')] }), 'PARTIALLY_EXECUTED')
  })

  test('whose next leg cannot be signed: the cause, if no leg was executed', () => {
    const cause = new SwapError('QUOTE_EXPIRED', 'a cause')
    const failed: TxRecord = { ...paying('0'), code: 5 }
    assert.throws(() => stoppedBy({ ...blank, txs: [failed] }, cause), cause)
  })
})
