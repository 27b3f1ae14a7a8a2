import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { coinsIn, decodeTxResult, deterministicPart } from '../../../src/chain/tx/result.js'
import { rootCursor } from '../../../src/engine/snapshot/json-cursor.js'

const event = (type: string, attributes: Readonly<Record<string, string>>) => ({
  type,
  attributes: Object.entries(attributes).map(([key, value]) => ({ key, value })),
})
const sequenceEvent = event('tx', { acc_seq: 'demo1/7' })
const feeEvent = event('tx', { fee: '5rune' })
const resultOf = (own: object) => decodeTxResult(rootCursor({ gas_wanted: '1', ...own }), 9)

describe('the result of a transaction in a block', () => {
  const used = [
    [0, [feeEvent], true],
    [5, [feeEvent, sequenceEvent], true],
    [5, [feeEvent], false],
    [11, [], false],
  ] as const
  test.each(used)(
    'with code %d and events %j has used its sequence: %j',
    (code, events, expected) => {
      assert.equal(resultOf({ code, events }).usedSequence, expected)
    },
  )

  test('has the sequences of its signers, and none that a contract names', () => {
    const events = [feeEvent, sequenceEvent, event('wasm', { acc_seq: 'demo2/7' })]
    assert.deepEqual(resultOf({ events }).sequences, ['demo1/7'])
  })

  test('without members has those of a success that moved nothing', () => {
    assert.deepEqual(decodeTxResult(rootCursor({}), 9), {
      height: 9,
      code: 0,
      codespace: '',
      log: '',
      reason: 'other',
      gasWanted: 0n,
      gasUsed: 0n,
      usedSequence: true,
      sequences: [],
      movements: [],
    })
  })

  test('has every movement of coins, with its message, and no other event', () => {
    const events = [
      event('coin_spent', { spender: 'demo1', amount: '5rune' }),
      event('coin_received', { receiver: 'demo2', amount: '7usd,2rune', msg_index: '1' }),
      event('transfer', { sender: 'demo1', recipient: 'demo2', amount: '9rune' }),
    ]
    const [rune, usd] = ['rune', 'usd']
    assert.deepEqual(resultOf({ events }).movements, [
      {
        kind: 'spent',
        account: 'demo1',
        message: undefined,
        coins: [{ denom: rune, amount: 5n }],
      },
      {
        kind: 'received',
        account: 'demo2',
        message: 1,
        coins: [
          { denom: usd, amount: 7n },
          { denom: rune, amount: 2n },
        ],
      },
    ])
  })

  for (const [code, gas] of [
    [2 ** 32, '1'],
    [-1, '1'],
    [0, 'x1'],
    [0, '1x'],
    [0, '1.5'],
    [0, '123456789012345678901'],
  ] as const)
    test(`is malformed with code ${code} and gas of ${gas}`, () => {
      const node = rootCursor({ code, gas_wanted: gas, gas_used: '1' })
      for (const read of [() => decodeTxResult(node, 9), () => deterministicPart(node)])
        assert.throws(read, { name: 'MalformedDocument' })
    })

  test('may have a code below 2^32 and no limit of gas', () => {
    const node = rootCursor({ code: 2 ** 32 - 1, gas_wanted: '-1', gas_used: '12' })
    const { code, gasWanted, gasUsed } = decodeTxResult(node, 9)
    assert.deepEqual([code, gasWanted, gasUsed], [2 ** 32 - 1, -1n, 12n])
    const part = deterministicPart(node)
    assert.deepEqual([part.code, part.gasWanted, part.gasUsed], [code, gasWanted, gasUsed])
  })
})

test('the coins of an event are those with a whole amount and a denom', () => {
  const text = '5rune,x7usd,12,,3btc-btc,999999999999999999999999999999999999999999rune,-1rune'
  assert.deepEqual(coinsIn(text), [
    { denom: 'rune', amount: 5n },
    { denom: 'btc-btc', amount: 3n },
  ])
})
