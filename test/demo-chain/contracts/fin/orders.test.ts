import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { ChainEvent, Coin } from '../../../../src/demo-chain/modules/contract.js'
import { execute, holdings, smartQuery, valuesOf } from '../../../support/contract-world.js'
import { must } from '../../../support/matching.js'
import {
  at,
  buy,
  coin,
  DENOMS,
  entry,
  FEES,
  orderOf,
  PAIR,
  pairWorld,
  place,
  pool,
  shares,
} from './pair-world.js'

const [BTC, USDC] = DENOMS

/** Types of a contract's own events, with their attributes besides owner, side and price. */
const ownEvents = (events: readonly ChainEvent[]) =>
  events
    .filter(({ type }) => type.startsWith('wasm-'))
    .map((event) =>
      [
        event.type.replace('wasm-rujira-fin/', ''),
        ...['offer', 'amount', 'bid'].flatMap((key) => valuesOf(event, key)),
      ].join(' '),
    )

/** The first order message of `a` to a pair. */
const placed = (
  world: ReturnType<typeof pairWorld>,
  entries: readonly unknown[],
  funds: readonly Coin[],
) => place(world, world.start, 'a', entries, funds)

describe('the order message of an owner', () => {
  test('first claims; the maker fee is rounded up and paid to the fee address', () => {
    const world = pairWorld({
      feeMaker: must('0.00075'),
      orders: [{ owner: 'a', side: 'base', price: at('1000'), offer: 100n }],
    })
    const { state } = buy(world, world.start, 40_001n)
    const claimed = place(world, state, 'a', [entry('base', '1000', null)])
    assert.equal(orderOf(world, claimed.state, 'a', 'base', '1000').offer, '100')
    const more = place(world, state, 'a', [entry('base', '1000', 80n)], [coin(25n, BTC)])
    assert.deepEqual(ownEvents(more.events), ['order.withdraw 40001', 'order.increase 20'])
    assert.deepEqual(holdings(more.state, 'a'), { [BTC]: '5', [USDC]: '39970' })
    assert.deepEqual(holdings(more.state, FEES), { [USDC]: '31' })
    assert.deepEqual(shares(world, more.state, ['a']), ['80 0'])
    const less = place(world, more.state, 'a', [entry('base', '1000', 30n)])
    assert.deepEqual(ownEvents(less.events), ['order.retract 50'])
    const none = place(world, less.state, 'a', [entry('base', '1000', 0n)])
    assert.deepEqual(holdings(none.state, 'a'), { [BTC]: '85', [USDC]: '39970' })
    assert.throws(() => orderOf(world, none.state, 'a', 'base', '1000'), /NotFound/)
  })

  test('is refused with the required funds if they do not cover the orders', () => {
    const world = pairWorld()
    assert.throws(
      () => placed(world, [entry('base', '1000', 30n)], [coin(29n, BTC), coin(1n, USDC)]),
      /^\S+: InsufficientFunds required 30btc got 29btc,1usdc: execute wasm contract failed$/,
    )
  })

  test('needs a price that fits the tick and is above zero', () => {
    const world = pairWorld()
    for (const price of ['1000.0001', '0'])
      assert.throws(
        () => placed(world, [entry('base', price, 1n)], [coin(1n, BTC)]),
        new RegExp(`Invalid Price ${price} for Tick 6: execute wasm contract failed$`),
      )
  })

  test('aborts for an oracle order without an oracle', () => {
    const world = pairWorld()
    assert.throws(
      () => placed(world, [entry('base', -15, 1n)], [coin(1n, BTC)]),
      /panicked: No price to adjust for Premium/,
    )
  })

  test('aborts where an oracle price of zero is a divisor, as does what reaches it', () => {
    const world = pairWorld({ oracle: ['100100', '1.001'] })
    const zero = /panicked: attempt to divide by zero: wasmvm error/
    assert.throws(() => placed(world, [entry('base', -10_000, 1n)], [coin(1n, BTC)]), zero)
    const bid = placed(world, [entry('quote', -10_000, 1n)], [coin(1n, USDC)])
    const simulate = { simulate: { denom: BTC, amount: '5' } }
    assert.throws(() => smartQuery(world, PAIR, simulate, bid.state), zero)
  })
})

describe('a new order that crosses the other side', () => {
  const pools = [pool('base', '1000', 10n), pool('base', '1001', 10n), pool('base', '1003', 10n)]

  test('takes it up to its own price under 1.1, pays the fee and rests with the remainder', () => {
    const world = pairWorld({ feeTaker: must('0.0015'), pools })
    const done = placed(world, [entry('quote', '1001', 50_000n)], [coin(50_000n, USDC)])
    assert.deepEqual(ownEvents(done.events), [
      'trade 10000 10',
      'trade 10010 10',
      'order.create 29990',
    ])
    assert.deepEqual(holdings(done.state, 'a'), { [BTC]: '19' })
    assert.deepEqual(holdings(done.state, FEES), {})
  })

  test('is immediate-or-cancel if it is cancelled in the same message', () => {
    const world = pairWorld({ pools })
    const done = placed(
      world,
      [entry('quote', '1001', 50_000n), entry('quote', '1001', 0n)],
      [coin(50_000n, USDC)],
    )
    assert.deepEqual(holdings(done.state, 'a'), { [BTC]: '20', [USDC]: '29990' })
    assert.deepEqual(smartQuery(world, PAIR, { book: {} }, done.state), {
      base: [{ price: '1003', total: '10' }],
      quote: [],
    })
  })

  test('is matched by the arbitrage step afterwards under 1.0, which keeps the spread', () => {
    const world = pairWorld({ version: '1.0', pools })
    const done = placed(world, [entry('quote', '1250', 12_500n)], [coin(12_500n, USDC)])
    assert.deepEqual(ownEvents(done.events), ['order.create 12500'])
    assert.deepEqual(holdings(done.state, 'a'), {})
    assert.deepEqual(orderOf(world, done.state, 'a', 'quote', '1250').filled, '10')
    assert.deepEqual(holdings(done.state, FEES), { [USDC]: '2500' })
  })

  test('takes one after the other with several orders in one message', () => {
    const oracle = ['100100', '1.001'] as const
    const world = pairWorld({ oracle })
    const done = placed(
      world,
      [
        entry('base', 0, 1_000_000n),
        entry('base', '100000', 1_000_000n),
        entry('base', '93317', 1_000_000n),
        entry('base', '93219', 2_100_000n),
        entry('base', '91219', 5_100_000n),
        entry('quote', 1, 1_000_000n),
        entry('quote', '100010', 1_250_000n),
        entry('quote', '87900', 5_100_000n),
      ],
      [coin(10_200_000n, BTC), coin(7_350_000n, USDC)],
    )
    assert.deepEqual(smartQuery(world, PAIR, { book: {} }, done.state), {
      base: [
        { price: '91219', total: '5099977' },
        { price: '93219', total: '2100000' },
        { price: '93317', total: '1000000' },
        { price: '100000', total: '2000000' },
      ],
      quote: [{ price: '87900', total: '5100000' }],
    })
  })
})

describe('the messages of a node’s recorded orders', () => {
  /** Types of all events, the contract's own with their attributes in order. */
  const shape = (events: readonly ChainEvent[]) =>
    events.map(({ type, attributes }) =>
      type.startsWith('wasm-') ? `${type} ${attributes.map(({ key }) => key).join()}` : type,
    )
  const transfer = ['coin_spent', 'coin_received', 'transfer']

  test('of 1.0 place, and then run the arbitrage step without coins', () => {
    const world = pairWorld({ version: '1.0' })
    const entries = [entry('quote', '0.4', 1000n), entry('base', '0.7', 1000n)]
    const { state, events } = placed(world, entries, [coin(1000n, BTC), coin(1000n, USDC)])
    const created = 'wasm-rujira-fin/order.create _contract_address,owner,side,price,offer'
    assert.deepEqual(shape(events), [...transfer, 'execute', created, created, 'execute'])
    const retracted = place(world, state, 'a', [entry('quote', '0.4', 0n)])
    assert.deepEqual(shape(retracted.events), [
      'execute',
      'wasm-rujira-fin/order.retract _contract_address,owner,side,price,amount',
      ...transfer,
      'execute',
    ])
  })

  test('of 1.1 run the arbitrage step first and carry the coins along', () => {
    const world = pairWorld()
    const { events } = placed(world, [entry('quote', '0.05', 1000n)], [coin(1000n, USDC)])
    const call = [...transfer, 'execute']
    assert.deepEqual(shape(events), [
      ...call,
      ...call,
      ...call,
      'wasm-rujira-fin/order.create _contract_address,offer,owner,price,side',
    ])
  })

  test('include inner messages that only the pair itself may send', () => {
    const world = pairWorld()
    for (const message of [{ do_swap: ['a', {}] }, { do_order: ['a', [[], null]] }])
      assert.throws(
        () => execute(world, world.start, PAIR, message, [coin(1n, BTC)]),
        /^\S+: Unauthorized: execute wasm contract failed$/,
      )
  })
})
