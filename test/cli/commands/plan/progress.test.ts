import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { executionByOther, progressOf } from '../../../../src/cli/commands/plan/progress.js'
import type { Intent, TxRecord } from '../../../../src/execution/journal/intent.js'
import type { PlanDocument } from '../../../../src/operations/plan/plan-documents.js'

const due = '2026-11-20T00:00:00.000Z'
const plan = {
  id: 'p_1',
  chain_id: 'demo-1',
  input: { denom: 'rune', amount: '5' },
  output: 'usdc',
  slices: [
    { amount: '3', due },
    { amount: '2', due: '2026-11-20T01:00:00.000Z' },
  ],
} as unknown as PlanDocument

const included = (legs: readonly number[], code = 0) =>
  ({ hash: `${legs}`, state: 'included', code, legs, events: null }) as unknown as TxRecord
const intentOf = (txs: readonly TxRecord[], more: object = {}) =>
  ({
    id: 'x_1',
    address: 'demo1other',
    key: 'other',
    chain_id: 'demo-1',
    once: 'plan p_1 1',
    legs: ['1', '2'].map((amount) => ({ funds: { denom: 'rune', amount }, output: 'usdc' })),
    txs,
    ...more,
  }) as unknown as Intent

test('a slice of two legs is open until both are sold', () => {
  const [slice] = progressOf(plan, Date.parse(due), (key) =>
    key === 'plan p_1 1' ? [intentOf([included([0])])] : [],
  )
  assert.deepEqual([slice!.state, slice!.received, slice!.tx_hash], ['open', null, '0'])
})

test('a slice that was signed more than a minute before the file has it due is refused: it is another one', () => {
  const at = (created: string) => () =>
    progressOf(plan, Date.parse(due), (key) =>
      key === 'plan p_1 1' ? [intentOf([included([0])], { created })] : [],
    )
  assert.equal(at('2026-11-19T23:59:00.000Z')()[0]!.state, 'open')
  assert.throws(at('2026-11-19T23:58:59.999Z'), {
    code: 'INVALID_REQUEST',
    why: `the file has it due ${due}, and x_1 was signed 2026-11-19T23:58:59.999Z`,
  })
})

describe('an execution of a plan by another account', () => {
  const rows: readonly (readonly [sentence: string, intent: Intent, from: string | undefined])[] = [
    ['has the name of its key', intentOf([included([0, 1])]), 'other'],
    ['has its address without one', intentOf([included([0])], { key: null }), 'demo1other'],
    ['is not one of the account', intentOf([included([0])], { address: 'demo1own' }), undefined],
    ['is not one on another chain', intentOf([included([0])], { chain_id: 'main-1' }), undefined],
    ['is not one of another plan', intentOf([included([0])], { once: 'plan p_11 1' }), undefined],
    ['is not one without a plan', intentOf([included([0])], { once: null }), undefined],
    ['is not one that failed', intentOf([included([0, 1], 5)]), undefined],
  ]
  for (const [sentence, intent, from] of rows)
    test(sentence, () => {
      const journal = {
        keyed: (prefix: string) => (intent.once?.startsWith(prefix) ? [intent] : []),
      }
      const owner = { chainId: 'demo-1', address: 'demo1own' }
      assert.equal(executionByOther(plan, owner, journal)?.from, from)
    })
})
