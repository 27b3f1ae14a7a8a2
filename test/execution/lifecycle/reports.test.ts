import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { FillRecord, Intent, TxRecord } from '../../../src/execution/journal/intent.js'
import { orderReportOf, swapReportOf } from '../../../src/execution/lifecycle/reports.js'
import { intent as blank, tx } from '../script.js'

const btc = (amount: string) => ({ denom: 'btc-btc', amount })
const rune = (amount: string) => ({ denom: 'rune', amount })
const [leg] = blank.legs as [Intent['legs'][number]]
const verified = { events: true, balances: true, router: true }

/** A transaction of some legs that moved these coins. */
const included = (hash: string, legs: readonly number[], moved: Partial<FillRecord>): TxRecord => ({
  ...tx,
  hash,
  legs,
  state: 'included',
  code: 0,
  height: 125,
  fill: {
    spent: [],
    returned: [],
    received: [],
    fee: [],
    left_behind: [],
    router_grew: [],
    verified,
    gas_used: '1',
    gas_limit: '1',
    ...moved,
  },
})

/** Two legs; the first one's transaction expired, and a third one executed it after the second leg. */
const legs = [leg, { ...leg, funds: btc('60'), quoted: '6', min_return: '5', expected: '7' }]
const expired: TxRecord = { ...tx, hash: 'A', state: 'expired' }
const second = included('B', [1], {
  received: ['7'],
  spent: [btc('50')],
  returned: [btc('10')],
  left_behind: [rune('2')],
  router_grew: [rune('2')],
})
const first = included('C', [0], {
  received: ['12'],
  spent: [btc('90')],
  returned: [btc('10')],
  left_behind: [rune('1')],
  router_grew: [rune('1')],
})
const swap: Intent = {
  ...blank,
  mode: 'legs',
  quote_id: 'q_7f3a91c2',
  recipient: 'thor1other',
  decimals: [8, 6],
  legs,
  txs: [expired, second, first],
}

describe('the report of a swap in several transactions', () => {
  test('sums what they moved, and gives each leg what its own one paid', () => {
    const report = swapReportOf(swap)
    assert.deepEqual(
      report.legs.map(({ received, tx_hash }) => [received, tx_hash]),
      [
        ['12', 'C'],
        ['7', 'B'],
      ],
    )
    const { tx_hash: _, received: __, ...asked } = report.legs[1]!
    const { funds: input, pairs: ___, ...recorded } = legs[1]!
    assert.deepEqual(asked, { input, ...recorded })
    const { quote_id, mode, from, to } = report
    assert.deepEqual(
      [quote_id, mode, from, to],
      [swap.quote_id, 'legs', swap.address, 'thor1other'],
    )
    const { amount_in, spent, returned, min_return, quoted, expected, amount_out } = report
    assert.deepEqual(
      { amount_in, spent, returned, min_return, quoted, expected, amount_out },
      {
        amount_in: btc('160'),
        spent: [btc('140')],
        returned: [btc('20')],
        min_return: rune('14'),
        quoted: rune('16'),
        expected: rune('17'),
        amount_out: rune('19'),
      },
    )
    // 0.000019 of one for 0.0000014 of the other.
    assert.match(report.price ?? '', /^13\.5714/)
    assert.deepEqual([report.vs_quote, report.vs_quote_bps], ['3', 1_875])
    assert.deepEqual([report.left_behind, report.router_grew], [[rune('3')], [rune('3')]])
  })

  const failed: TxRecord = { ...tx, hash: 'C', legs: [0], state: 'included', code: 5, height: 126 }
  const none = { vs_quote: null, vs_quote_bps: null }
  const rows: readonly (readonly [string, object, object])[] = [
    [
      'of which one failed: no comparison with the whole quote, and no price',
      { txs: [expired, second, failed] },
      { ...none, price: null, amount_out: rune('7'), spent: [btc('50')], router_grew: [rune('2')] },
    ],
    [
      'of which none was executed: no amount',
      { txs: [failed] },
      { ...none, price: null, amount_out: null, spent: [], router_grew: null },
    ],
    [
      'of legs without a quote: no comparison',
      { legs: [leg, { ...leg, quoted: null }] },
      { ...none, quoted: null, amount_out: rune('19') },
    ],
    [
      'that were quoted at nothing: no comparison in bps',
      { legs: legs.map((each) => ({ ...each, quoted: '0' })) },
      { vs_quote: '19', vs_quote_bps: null },
    ],
    [
      'that paid what was quoted: no difference',
      { txs: [included('D', [0, 1], { received: ['10', '6'] })] },
      { vs_quote: '0', vs_quote_bps: 0 },
    ],
    [
      'of several tokens: sums of the first one alone',
      { legs: [leg, { ...leg, funds: rune('60'), output: 'btc-btc' }] },
      { amount_in: btc('100'), min_return: rune('9'), amount_out: rune('12') },
    ],
    [
      'of several tokens for one: sums of the first one alone',
      { legs: [leg, { ...leg, funds: rune('60') }] },
      { amount_in: btc('100'), min_return: rune('9'), amount_out: rune('12') },
    ],
    [
      'of one token for several: sums of the first one alone',
      { legs: [leg, { ...leg, output: 'eth-usdc' }] },
      { amount_in: btc('100'), min_return: rune('9'), amount_out: rune('12') },
    ],
    [
      'of which the balances of the router are unknown once: no growth',
      { txs: [second, included('C', [0], { router_grew: null })] },
      { router_grew: null },
    ],
    [
      'that spent nothing: no price',
      { txs: [second, first].map(({ hash, legs: at }) => included(hash, at, { received: ['1'] })) },
      { price: null },
    ],
    ['of unknown decimals: no price', { decimals: undefined }, { price: null }],
  ]
  for (const [title, change, expected] of rows)
    test(title, () => {
      const report = swapReportOf({ ...swap, ...change } as Intent)
      assert.deepEqual(
        Object.fromEntries(Object.keys(expected).map((name) => [name, report[name as 'price']])),
        expected,
      )
    })
})

test('the evidence is that of the outcome: none while the last transaction is open', () => {
  const of = (...txs: readonly Partial<TxRecord>[]) =>
    swapReportOf({ ...blank, txs: txs.map((each) => ({ ...tx, ...each })) }).evidence
  const replaced: Partial<TxRecord> = { hash: 'A', state: 'replaced', evidence: 'agreed' }
  for (const state of ['signed', 'sent', 'accepted', 'refused'] as const)
    assert.equal(of(replaced, { state }), null)
  assert.equal(of(replaced, { state: 'included', code: 0, evidence: 'block' }), 'block')
  assert.equal(of(replaced, { state: 'expired', evidence: 'one_node' }), 'one_node')
  assert.equal(of(), null)
})

test('the report of orders in several transactions gives each what its message paid', () => {
  const order = { pair: 'thor1pair', entries: [], funds: [], expected: null }
  const txs = [
    expired,
    included('B', [1, 2], { spent: [btc('50')], paid: [[rune('7')], [btc('20')]] }),
    included('C', [0], { spent: [rune('3')], paid: [[btc('40')]] }),
  ]
  const report = orderReportOf({ ...swap, legs: [], txs }, [order, order, order, order])
  assert.deepEqual(
    report.orders.map(({ paid, tx_hash }) => [paid, tx_hash]),
    [
      [[btc('40')], 'C'],
      [[rune('7')], 'B'],
      [[btc('20')], 'B'],
      [null, null],
    ],
  )
  assert.deepEqual([report.spent, report.received], [[], [btc('10'), rune('4')]])
})
