import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { holdings, smartQuery } from '../../../support/contract-world.js'
import {
  at,
  buy,
  coin,
  DENOMS,
  entry,
  orderOf,
  PAIR,
  pairWorld,
  place,
  shares,
} from './pair-world.js'

const [BTC, USDC] = DENOMS

const owners = ['a', 'b', 'c']

/** Three orders of 100, 1000 and 500 at 1000. */
const shared = () =>
  pairWorld({
    orders: [100n, 1000n, 500n].map((offer, index) => ({
      owner: owners[index] ?? '',
      side: 'base' as const,
      price: at('1000'),
      offer,
    })),
  })

describe('the orders of one price share a payment', () => {
  test('in full', () => {
    const world = shared()
    const { state } = buy(world, world.start, 1_600_000n)
    assert.deepEqual(holdings(state, 'taker'), { [BTC]: '1600' })
    assert.deepEqual(shares(world, state, owners), ['0 100000', '0 1000000', '0 500000'])
  })

  test('in part, rounded down, and then the rest', () => {
    const world = shared()
    const first = buy(world, world.start, 1_000_000n)
    assert.deepEqual(shares(world, first.state, owners), ['37 62500', '375 625000', '187 312500'])
    const second = buy(world, first.state, 1_600_000n)
    assert.deepEqual(holdings(second.state, 'taker'), { [BTC]: '1600', [USDC]: '1000000' })
    assert.deepEqual(shares(world, second.state, owners), ['0 100000', '0 1000000', '0 500000'])
    const claimed = place(world, second.state, 'b', [entry('base', '1000', null)])
    assert.deepEqual(holdings(claimed.state, 'b'), { [USDC]: '1000000' })
    assert.throws(() => orderOf(world, claimed.state, 'b', 'base', '1000'), /^\S+: NotFound: query/)
  })

  test('from their placement on', () => {
    const world = shared()
    const first = buy(world, world.start, 1_000_000n)
    const joined = place(world, first.state, 'd', [entry('base', '1000', 600n)], [coin(600n, BTC)])
    assert.deepEqual(shares(world, joined.state, ['d']), ['600 0'])
    const second = buy(world, joined.state, 600_000n)
    assert.deepEqual(shares(world, second.state, ['c', 'd']), ['93 406250', '300 300000'])
  })

  test('also after the pool was drained and filled again', () => {
    const world = shared()
    const drained = buy(world, world.start, 1_600_000n)
    const again = place(world, drained.state, 'd', [entry('base', '1000', 10n)], [coin(10n, BTC)])
    const half = buy(world, again.state, 5_000n)
    assert.deepEqual(shares(world, half.state, ['a', 'd']), ['0 100000', '5 5000'])
  })

  test('and the rounding error stays in the book without an owner', () => {
    const world = shared()
    let { state } = buy(world, world.start, 1_000_000n)
    for (const owner of owners)
      ({ state } = place(world, state, owner, [entry('base', '1000', 0n)]))
    assert.deepEqual(smartQuery(world, PAIR, { book: {} }, state), {
      base: [{ price: '1000', total: '1' }],
      quote: [],
    })
  })
})

describe('the orders that a recorded node with FIN 1.0 filled', () => {
  /**
   * Buys of these sizes from one order, the last of which drains it, and the amount then owed to its owner.
   */
  const owed = (price: string, offer: bigint, buys: readonly bigint[]) => {
    const world = pairWorld({
      version: '1.0',
      orders: [{ owner: 'a', side: 'base', price: at(price), offer }],
    })
    let { start: state } = world
    for (const amount of buys) state = buy(world, state, amount).state
    return shares(world, state, ['a'], price)
  }

  test('are owed all that was paid after two steps', () => {
    const buys = [960_497_965_914n, 2_861_091_061n]
    assert.deepEqual(owed('0.510781', 1_886_051_080_550n, buys), ['0 963359056975'])
  })

  test('lose an atomic to rounding after four steps', () => {
    const buys = [77_910_218_894n, 77_665_903_978n, 778_701_603_580n, 187_403_373_746n]
    assert.deepEqual(owed('0.509764', 2_200_392_927_308n, buys), ['0 1121681100197'])
  })
})
