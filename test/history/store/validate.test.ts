import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { decimal } from '../../../src/engine/math/decimal.js'
import type {
  IndexedBlock,
  IndexedOrder,
  IndexedSwap,
} from '../../../src/history/store/history-store.js'
import { validate } from '../../../src/history/store/validate.js'
import { syntheticChain } from '../../support/synthetic-blocks.js'

const base = syntheticChain(1).block(6)
const [swap] = base.swaps as readonly [IndexedSwap]
const order: IndexedOrder = {
  ...swap,
  pair: 'thor1pair',
  owner: 'thor1owner',
  action: 'place',
  side: 'ask',
  price: { bps: 0 },
  offerDenom: 'rune',
  receiveDenom: 'usd',
  sold: 1n,
  added: 1n,
  returned: 1n,
  received: 1n,
  fee: 1n,
}

/** Why rows are quarantined. */
const flaws = (rows: Partial<IndexedBlock>): readonly string[] =>
  validate({ ...base, swaps: [], orders: [], quarantined: [], ...rows }).quarantined.map(
    ({ reason }) => reason,
  )
const swapFlaws = (own: Partial<IndexedSwap>) => flaws({ swaps: [{ ...swap, ...own }] })
const orderFlaws = (own: Partial<IndexedOrder>) => flaws({ orders: [{ ...order, ...own }] })

const swapTexts: readonly (readonly [string, (text: string) => Partial<IndexedSwap>])[] = [
  ['sender', (sender) => ({ sender })],
  ['recipient', (recipient) => ({ recipient })],
  ['affiliate code', (code) => ({ affiliate: { code, address: 'thor1affiliate' } })],
  ['affiliate address', (address) => ({ affiliate: { code: 'x', address } })],
  ['input denom', (denom) => ({ input: { ...swap.input, denom } })],
  ['output denom', (denom) => ({ output: { ...swap.output, denom } })],
]
const swapAmounts: readonly (readonly [string, (amount: bigint) => Partial<IndexedSwap>])[] = [
  ['input amount', (amount) => ({ input: { ...swap.input, amount } })],
  ['output amount', (amount) => ({ output: { ...swap.output, amount } })],
  ['protocol fee', (protocol) => ({ fees: { ...swap.fees, protocol } })],
  ['referral fee', (referral) => ({ fees: { ...swap.fees, referral } })],
  ['affiliate fee', (affiliate) => ({ fees: { ...swap.fees, affiliate } })],
]
const orderTexts = [
  ['pair', 'pair'],
  ['owner', 'owner'],
  ['offered denom', 'offerDenom'],
  ['received denom', 'receiveDenom'],
] as const
const orderAmounts = ['sold', 'added', 'returned', 'received', 'fee'] as const

const rows = [
  ...swapTexts.map(([name, own]) => [name, (text: string) => swapFlaws(own(text))] as const),
  ...orderTexts.map(
    ([name, member]) => [name, (text: string) => orderFlaws({ [member]: text })] as const,
  ),
]
const amounts = [
  ...swapAmounts.map(([name, own]) => [name, (amount: bigint) => swapFlaws(own(amount))] as const),
  ...orderAmounts.map(
    (name) => [name, (amount: bigint) => orderFlaws({ [name]: amount })] as const,
  ),
]

describe('a row for the tables', () => {
  test.each(rows)('has a %s of at most 512 bytes of text', (name, of) => {
    assert.deepEqual(of('ü'.repeat(256)), [])
    assert.deepEqual(of(`${'ü'.repeat(256)}x`), [`The ${name} is over 512 bytes`])
    for (const text of ['a\0b', '\ud800']) assert.deepEqual(of(text), [`The ${name} is not text`])
  })

  test.each(amounts)('has an amount of 128 bits as its %s', (name, of) => {
    for (const amount of [0n, 2n ** 128n - 1n]) assert.deepEqual(of(amount), [])
    for (const amount of [-1n, 2n ** 128n])
      assert.deepEqual(of(amount), [`The ${name} is not an amount: ${amount}`])
  })

  test('has a volume of at most 48 digits', () => {
    assert.deepEqual(swapFlaws({ volumeUsd: undefined }), [])
    for (const volume of [0n, 10n ** 48n - 1n])
      assert.deepEqual(swapFlaws({ volumeUsd: decimal(volume) }), [])
    for (const volume of [-1n, 10n ** 48n])
      assert.deepEqual(swapFlaws({ volumeUsd: decimal(volume) }), [
        'The volume is out of all bounds',
      ])
  })

  test('has a key of its own', () => {
    const next = { ...swap, eventIndex: swap.eventIndex + 1 }
    assert.deepEqual(flaws({ swaps: [swap, next], orders: [order] }), [])
    const key = `${swap.txIndex} ${swap.msgIndex} ${swap.eventIndex}`
    assert.deepEqual(flaws({ swaps: [swap, next, swap] }), [`Another leg has the key ${key}`])
    assert.deepEqual(flaws({ orders: [order, order] }), [
      `Another change of an order has the key ${key}`,
    ])
  })
})
