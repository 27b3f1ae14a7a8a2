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
const paying = (received: string, balances = true): TxRecord => ({
  ...tx,
  state: 'included',
  code: 0,
  height: 125,
  fill: {
    spent: [],
    returned: [],
    received: [received],
    fee: [],
    left_behind: [],
    router_grew: null,
    gas_used: '1',
    gas_limit: '1',
    verified: { ...verified, balances },
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

  test('that paid too little by events which the balances contradict does not blame the router', () => {
    const { error } = resultOf({ intent: { ...blank, txs: [paying('0', false)] }, at: 0 }, {
      kind: 'settled',
    } as TxOutcome)
    assert.equal(error?.code, 'BELOW_MINIMUM')
    assert.match(error.message, /events that contradict the balances/)
    assert.doesNotMatch(error.hint as string, /router/)
  })

  test('that paid too little is an error with what was moved, also where legs are left', () => {
    const legs = [leg, leg]
    const intent: Intent = { ...blank, mode: 'legs', legs, txs: [paying('8')] }
    const { error, report } = resultOf({ intent, at: 0 }, { kind: 'settled' } as TxOutcome)
    assert.equal(error?.code, 'BELOW_MINIMUM')
    assert.match(error.hint as string, /do not trade through this router any more/)
    assert.ok('legs' in report)
    assert.deepEqual(error.members, {
      id: blank.id,
      state: 'partial',
      evidence: null,
      timeout_height: tx.timeout_height,
      legs: report.legs,
      left_behind: [],
      tx_hash: tx.hash,
      min_return: '9',
      received: '8',
      funds: 'moved',
      amount_out: report.amount_out,
    })
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

  test('of which a part was executed when the next leg could not be signed: its cause and what is left', () => {
    const cause = new SwapError('QUOTE_EXPIRED', 'a cause', { why: 'the market moved' })
    const intent: Intent = { ...blank, mode: 'legs', legs: [leg, leg], txs: [paying('9')] }
    const { error } = stoppedBy(intent, cause)
    assert.equal(error?.message, 'some of the legs were executed, and then it stopped')
    assert.equal(error?.why, 'a cause; the market moved')
    assert.deepEqual(
      [error?.members['cause'], error?.members['tx_hash']],
      ['QUOTE_EXPIRED', tx.hash],
    )
  })

  test('whose next leg could not be signed: the hint of an error of the key comes first', () => {
    const intent: Intent = { ...blank, mode: 'legs', legs: [leg, leg], txs: [paying('9')] }
    const hintAfter = (code: 'KEYFILE_NOT_FOUND' | 'QUOTE_EXPIRED') =>
      stoppedBy(intent, new SwapError(code, 'a cause', { hint: 'name a key' })).error?.hint
    const resume = `then continue: swap tx resume ${blank.id}`
    assert.equal(hintAfter('KEYFILE_NOT_FOUND'), `name a key; ${resume}`)
    assert.equal(hintAfter('QUOTE_EXPIRED'), `check the remaining legs; ${resume}`)
  })

  const refusal = { code: 32, codespace: 'sdk', log: 'wrong sequence' }
  const none = { code: null, codespace: null, log: 'the reason' }
  const failures: readonly (readonly [Partial<TxRecord>, string, RegExp, RegExp, string])[] = [
    [
      { ...none, state: 'expired', evidence: 'agreed' },
      'TX_FAILED',
      /in no block/,
      /the reason \(confirmed by two nodes\)$/,
      'untouched',
    ],
    [{ ...none, state: 'replaced' }, 'TX_FAILED', /took its place/, /^the reason$/, 'untouched'],
    [
      { ...none, state: 'abandoned' },
      'UPSTREAM_ERROR',
      /^it was given up, and nothing was sent$/,
      /^the reason$/,
      'untouched',
    ],
    [
      { ...refusal, state: 'expired' },
      'TX_FAILED',
      /expects another sequence of this account$/,
      /^wrong sequence \(sdk 32\)$/,
      'untouched',
    ],
    [
      { ...refusal, state: 'abandoned' },
      'TX_FAILED',
      /expects another sequence of this account$/,
      /^wrong sequence \(sdk 32\)$/,
      'untouched',
    ],
    [
      { state: 'included', height: 125, code: 5, codespace: 'sdk', log: 'poor' },
      'TX_FAILED',
      /./,
      /^poor \(sdk 5\)/,
      'fee_only',
    ],
  ]
  for (const [own, code, message, why, funds] of failures)
    test(`with a transaction that is ${own.state} with code ${own.code}: ${code}, funds ${funds}`, () => {
      const intent: Intent = { ...blank, txs: [{ ...tx, ...own }] }
      const { error } = resultOf({ intent, at: 0 }, { kind: 'settled' } as TxOutcome)
      assert.equal(error?.code, code)
      assert.match(error?.message ?? '', message)
      assert.match(error?.why ?? '', why)
      assert.deepEqual([error?.members['funds'], error?.members['tx_hash']], [funds, tx.hash])
    })

  test('of an unknown outcome is never one to send again, refused or not', () => {
    const rows = [
      [
        { ...tx, state: 'accepted' },
        'sent, or perhaps sent, and not certain: do NOT send it again',
      ],
      [{ ...tx, ...refusal, state: 'refused' }, /: refused, which is not proof yet$/],
    ] as const
    for (const [record, message] of rows) {
      const intent: Intent = { ...blank, txs: [record] }
      const outcome = { kind: 'unknown', why: 'no node answers' } as TxOutcome
      const { error } = resultOf({ intent, at: 0 }, outcome)
      assert.equal(error?.code, 'OUTCOME_UNKNOWN')
      assert.match(error?.message ?? '', new RegExp(message))
      assert.equal(error?.members['funds'], 'unknown')
    }
  })
})
