import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { demo } from '../../../src/chain/networks/demo.js'
import { decodeSignBytes, signBytesOf } from '../../../src/chain/tx/decode-sign-doc.js'
import type { Draft } from '../../../src/chain/tx/unsigned-tx.js'
import type { Coin } from '../../../src/engine/market/token.js'
import { parseDecimal } from '../../../src/engine/math/decimal.js'
import { orderMessage } from '../../../src/engine/orders/order-message.js'
import {
  differences,
  type ExpectedTx,
  expectedOrders,
  expectedSwaps,
} from '../../../src/execution/plan/compare.js'
import { type Plan, planOf } from '../../../src/execution/plan/plan.js'
import { decodedCalls, totalsOf } from '../../../src/execution/plan/signing-view.js'
import { graph, market } from '../../support/demo-market.js'
import { accountNamed, btc, orderOf, rune, usdc, usualTerms } from '../stage.js'

const account = await accountNamed('demo')
const order = await orderOf(market, account, usualTerms, 2n * 10n ** 13n)
const plan: Plan = await planOf({ market, graph }, order)
const legs = plan.legs.map((_, i) => i)
const accountState = { height: 500, accountNumber: 107n, sequence: 12n }
const publicKey = account.publicKey!
const expectedTx: ExpectedTx = {
  chainId: demo.chainId,
  calls: expectedSwaps(plan, legs, account.address),
  address: account.address,
  publicKey,
  accountState,
  memo: '',
  deadlineBlocks: 20,
  maxGas: 9_000_000n,
  maxFee: [{ denom: rune, amount: 0n }],
}

/** What the builder makes of the plan. */
const built: Draft = {
  chainId: demo.chainId,
  accountNumber: accountState.accountNumber,
  sequence: accountState.sequence,
  sender: account.address,
  publicKey,
  calls: plan.legs.map(({ message, funds }) => ({
    contract: plan.contract,
    message: JSON.stringify(message),
    funds: [funds],
  })),
  memo: '',
  timeoutHeight: 520n,
  fee: [{ denom: rune, amount: 0n }],
  gasLimit: 9_000_000n,
}

const decoded = (draft: Draft): readonly string[] =>
  differences(expectedTx, decodeSignBytes(signBytesOf(draft), draft.publicKey))

type Swap = {
  stages: { address: string; denom: string }[]
  min_return: { denom: string; amount: string }
  recipient?: string
  affiliate_code?: string
}

/** The builder with a fault in one of its messages. */
const inMessage = (at: number, change: (swap: Swap) => unknown): Draft => ({
  ...built,
  calls: built.calls.map((call, i) => {
    if (i !== at) return call
    const message = JSON.parse(call.message) as { swap: Swap }
    const changed = change(message.swap)
    return { ...call, message: JSON.stringify(changed ?? message) }
  }),
})

const inCall = (at: number, change: Partial<Draft['calls'][number]>): Draft => ({
  ...built,
  calls: built.calls.map((call, i) => (i === at ? { ...call, ...change } : call)),
})

const other = 'demo1w8a9x6cdtgmhpt4vlnm05ehq4vsqq6kfq2kh5x'
const last = legs.length - 1
const funds = built.calls[0]!.funds[0]!

const faults: readonly (readonly [string, Draft])[] = [
  ['another chain', { ...built, chainId: 'demo-2' }],
  ['another account number', { ...built, accountNumber: 108n }],
  ['a sequence too high', { ...built, sequence: 13n }],
  ['a sequence too low', { ...built, sequence: 11n }],
  ['another sender', { ...built, sender: other }],
  [
    'another key',
    { ...built, publicKey: Uint8Array.from(publicKey, (b, i) => (i === 32 ? b ^ 1 : b)) },
  ],
  ['a memo', { ...built, memo: 'hello' }],
  ['no timeout', { ...built, timeoutHeight: 0n }],
  ['a later timeout', { ...built, timeoutHeight: 521n }],
  ['an earlier timeout', { ...built, timeoutHeight: 501n }],
  ['more gas', { ...built, gasLimit: 9_000_001n }],
  ['no gas', { ...built, gasLimit: 0n }],
  ['a fee', { ...built, fee: [{ denom: rune, amount: 1n }] }],
  ['a fee in another coin', { ...built, fee: [{ denom: usdc, amount: 0n }] }],
  ['a fee in two coins', { ...built, fee: [...built.fee, { denom: usdc, amount: 0n }] }],
  ['a fee twice', { ...built, fee: [...built.fee, ...built.fee] }],
  ['a message less', { ...built, calls: built.calls.slice(1) }],
  ['a message twice', { ...built, calls: [...built.calls, built.calls[0]!] }],
  ['messages in another order', { ...built, calls: [...built.calls].reverse() }],
  ['another contract', inCall(0, { contract: plan.legs[0]!.pairs[0]! })],
  ['another contract for the last leg', inCall(last, { contract: other })],
  ['an atomic more sent', inCall(0, { funds: [{ ...funds, amount: funds.amount + 1n }] })],
  ['an atomic less sent', inCall(0, { funds: [{ ...funds, amount: funds.amount - 1n }] })],
  ['the whole input with one leg', inCall(0, { funds: [{ ...funds, amount: 2n * 10n ** 13n }] })],
  ['another coin sent', inCall(0, { funds: [{ ...funds, denom: btc }] })],
  ['a second coin sent', inCall(0, { funds: [funds, { denom: usdc, amount: 1n }] })],
  ['no coin sent', inCall(last, { funds: [] })],
  [
    'an atomic less demanded',
    inMessage(0, (swap) => {
      swap.min_return.amount = `${BigInt(swap.min_return.amount) - 1n}`
    }),
  ],
  [
    'nothing demanded',
    inMessage(last, (swap) => {
      swap.min_return.amount = '1'
    }),
  ],
  [
    'another coin demanded',
    inMessage(0, (swap) => {
      swap.min_return.denom = btc
    }),
  ],
  [
    'another account paid',
    inMessage(0, (swap) => {
      swap.recipient = other
    }),
  ],
  [
    'an affiliate',
    inMessage(0, (swap) => {
      swap.affiliate_code = 'acme'
    }),
  ],
  [
    'another pair',
    inMessage(0, (swap) => {
      swap.stages[0]!.address =
        plan.legs[last]!.pairs.at(-1)! === swap.stages[0]!.address
          ? other
          : plan.legs[last]!.pairs.at(-1)!
    }),
  ],
  [
    'a stage less',
    inMessage(last, (swap) => {
      swap.stages.pop()
    }),
  ],
  [
    'a stage with another coin',
    inMessage(0, (swap) => {
      swap.stages[0]!.denom = btc
    }),
  ],
  ['a member beside the swap', inMessage(0, (swap) => ({ swap, callback: {} }))],
  ['another message of the contract', inMessage(0, () => ({ withdraw: {} }))],
  [
    'a member twice, of which contracts take the other one',
    {
      ...built,
      calls: built.calls.map((call, i) =>
        i === 0
          ? {
              ...call,
              message: call.message.replace('{"swap":{', `{"swap":{"recipient":"${other}",`),
            }
          : call,
      ),
    },
  ],
]

describe('the comparison of signed bytes with the plan', () => {
  test('accepts a correct builder', () => assert.deepEqual(decoded(built), []))

  test('accepts a correct builder of Amino JSON, and only in the planned sign mode', () => {
    const amino = { ...built, isAmino: true }
    const bytes = signBytesOf(amino)
    const found = differences({ ...expectedTx, isAmino: true }, decodeSignBytes(bytes, publicKey))
    assert.deepEqual(found, [])
    assert.deepEqual(decoded(amino), ['the sign mode is amino', ...decoded(amino).slice(1)])
    const direct = decodeSignBytes(signBytesOf(built), publicKey)
    assert.match(differences({ ...expectedTx, isAmino: true }, direct)[0]!, /sign mode is direct/)
  })

  test('is tested with more than thirty wrong builders', () => assert.ok(faults.length >= 30))

  for (const [what, draft] of faults)
    test(`detects ${what} in the bytes, in either sign mode`, () => {
      assert.ok(decoded(draft).length > 0)
      const bytes = signBytesOf({ ...draft, isAmino: true })
      const amino = decodeSignBytes(bytes, draft.publicKey)
      assert.ok(differences({ ...expectedTx, isAmino: true }, amino).length > 0)
    })
})

test('of two coins each is compared: those of a message have to be equal, those of a fee are at most', () => {
  const coins = (first: bigint, second: bigint) => [
    { denom: rune, amount: first },
    { denom: usdc, amount: second },
  ]
  const call = expectedTx.calls[0]!
  const differs = (funds: readonly Coin[], fee: readonly Coin[]) =>
    differences(
      { ...expectedTx, calls: [{ ...call, funds: coins(5n, 7n) }], maxFee: coins(2n, 3n) },
      { ...built, calls: [{ ...call, funds }], fee },
    ).length > 0
  assert.equal(differs(coins(5n, 7n), coins(2n, 3n)), false)
  assert.equal(differs(coins(5n, 7n), coins(0n, 3n)), false)
  for (const funds of [coins(5n, 6n), coins(4n, 7n), coins(5n, 7n).reverse()])
    assert.equal(differs(funds, coins(2n, 3n)), true)
  for (const fee of [coins(2n, 4n), coins(3n, 3n)]) assert.equal(differs(coins(5n, 7n), fee), true)
})

test('a requested recipient has to be in every message, and is shown as decoded from it', async () => {
  const to = 'demo1wyt49zf66drw7lgt60ylgsuhs5tl62ancs33lx'
  const task = { ...order, terms: { ...usualTerms, to } }
  const paid = await planOf({ market, graph }, task)
  const theirs = { ...expectedTx, calls: expectedSwaps(paid, legs, account.address) }
  const without = differences(theirs, decodeSignBytes(signBytesOf(built), publicKey))
  assert.equal(without.length, legs.length)
  const shown = decodedCalls({
    calls: expectedSwaps({ ...paid, affiliate: 'code' }, legs, account.address),
  })
  const { contract } = paid
  assert.deepEqual(
    shown,
    paid.legs.map(({ funds, output, least }, i) => ({
      contract,
      funds,
      least: { denom: output, amount: least },
      stages: shown[i]!.stages,
      recipient: to,
      affiliate: 'code',
    })),
  )
  const least = shown.reduce((sum, call) => sum + call.least.amount, 0n)
  assert.ok(legs.length > 1 && shown.every(({ stages }) => stages.length > 0))
  assert.equal(totalsOf(paid).least, least)
})

test('a requested affiliate has to be in every message', () => {
  for (const { message } of expectedSwaps({ ...plan, affiliate: 'code' }, legs, account.address))
    assert.equal(JSON.parse(message).swap.affiliate_code, 'code')
})

test('order messages are expected in the words of the contract', () => {
  const prices = ['0.5', '0.000000000000000001', '12', '1.25', '100'].map((price) => ({
    fixed: parseDecimal(price)!,
  }))
  const entries = [...prices, { bps: -15 }].flatMap((price) => [
    { side: 'ask' as const, price, target: 7n },
    { side: 'bid' as const, price, target: 0n },
    { side: 'bid' as const, price, target: undefined },
  ])
  const planned = { pair: { address: 'pair' }, plan: { entries, preview: { funds: [funds] } } }
  assert.deepEqual(expectedOrders([planned as never]), [
    { contract: 'pair', message: JSON.stringify(orderMessage(entries)), funds: [funds] },
  ])
})
