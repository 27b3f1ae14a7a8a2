import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import {
  type Intent,
  isDone,
  isOpen,
  legsLeft,
  type OrderRecord,
  type TxRecord,
} from '../../../src/execution/journal/intent.js'
import { intent as blank, tx } from '../script.js'

const done: TxRecord = { ...tx, state: 'included', code: 0 }
const withTxs = (...txs: readonly TxRecord[]): Intent => ({ ...blank, txs })

describe('an intent', () => {
  test('is open while one of its transactions is', () => {
    const sent: TxRecord = { ...tx, state: 'sent' }
    const intents = [withTxs(done, done), withTxs(done, sent), withTxs(sent, done), withTxs()]
    assert.deepEqual(intents.map(isOpen), [false, true, true, false])
  })

  test('of orders has those left that no transaction has executed', () => {
    const orders = [1, 2, 3].map((i) => ({ pair: `thor1pair${i}` })) as unknown as OrderRecord[]
    assert.deepEqual(legsLeft({ ...withTxs({ ...done, legs: [1] }), legs: [], orders }), [0, 2])
  })

  test('has executed what a block includes with code 0', () => {
    assert.deepEqual(
      [done, { ...done, code: 5 }, { ...done, state: 'expired' as const }].map(isDone),
      [true, false, false],
    )
  })
})
