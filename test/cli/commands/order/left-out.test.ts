import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'vitest'
import type { OrdersAnswer } from '../../../../src/operations/orders/order-operations.js'
import { runSwap } from '../../../support/cli.js'
import { network, problem } from '../execute/stage.js'
import { orderCalls, USDC } from './calls.js'

const net = await network()
const { order, signed, listed } = orderCalls(net)

/** Offers 45 USDC for RUNE, and 0.01 BTC for USDC. */
async function place(): Promise<void> {
  await signed('buy', '100', 'rune', 'usdc', '--price', '0.45')
  await signed('sell', '0.01', 'btc', 'usdc', '--price', '200000')
}

await place()
/** Of RUNE/USDC, whose orders are tested, and of BTC/USDC, which stays readable. */
const sides = (await listed()).orders.toSorted((a, b) => (a.side < b.side ? -1 : 1))
const [pair = '', other = ''] = sides.map((each) => each.pair)
afterEach(() => net.heal())

const fail = (kind: 'bad-book' | 'pair-fails') => net.board.add({ kind, pair }, net.real.height)

describe('orders on a pair whose book is malformed', () => {
  const placesOf = ({ orders }: OrdersAnswer) => orders.map(({ id }) => id).sort()

  test('are listed, counted in balances and shown by the name of the pair', async () => {
    const before = placesOf(await listed())
    fail('bad-book')
    const now = await listed()
    assert.ok(now.excluded.some(({ address }) => address === pair))
    assert.deepEqual(placesOf(now), before)
    assert.deepEqual(now.unread, [])
    const { balances, orders_unread } = JSON.parse(
      (await net.run('balances', 'demo', '--json')).stdout,
    )
    const usdc = balances.find(({ denom }: { denom: string }) => denom === USDC)
    assert.deepEqual([usdc.resting, orders_unread], ['4500000000', []])
    const shown = await order('show', 'rune/usdc/buy/0.45')
    assert.equal(JSON.parse(shown.stdout).id, `${pair}/buy/0.45`)
  })

  test('are cancelled by their id, and what is paid is as previewed', async () => {
    fail('bad-book')
    const { orders, received, status } = await signed('cancel', `${pair}/buy/0.45`)
    assert.equal(status, 'confirmed')
    assert.deepEqual(received, [{ denom: USDC, amount: '4500000000' }])
    assert.deepEqual(orders[0]?.paid, orders[0]?.expected)
    net.heal()
    await signed('buy', '100', 'rune', 'usdc', '--price', '0.45')
  })

  test('are cancelled with all others, and new ones are refused', async () => {
    fail('bad-book')
    const { orders } = await signed('cancel', '--all')
    assert.deepEqual(orders.map((each) => each.pair).sort(), [pair, other].sort())
    const refused = problem(await order('buy', '1', 'rune', 'usdc', '--price', '0.4', '--yes'))
    assert.equal(refused.code, 'NOT_FOUND')
    net.heal()
    assert.deepEqual((await listed()).orders, [])
    await place()
  })
})

describe('orders on a pair that answers no query', () => {
  test('are named as unread by lists and balances, with a note where these have no place for it', async () => {
    fail('pair-fails')
    const { orders, unread } = await listed()
    assert.deepEqual([orders.map((each) => each.pair), unread.length], [[other], 1])
    assert.equal(unread[0]?.address, pair)
    const { orders_unread } = JSON.parse((await net.run('balances', 'demo', '--json')).stdout)
    assert.deepEqual(orders_unread, unread)
    for (const call of [
      ['order', 'list', '--from', 'demo'],
      ['balances', 'demo', '-q'],
    ])
      assert.match((await net.run(...call)).stderr, /note: the orders on 1 pair could not be read/)
  })

  test('are an error of a list without other orders, but in its document', async () => {
    fail('pair-fails')
    const list = ['order', 'list', pair, '--from', 'demo']
    for (const flags of [[], ['-q'], ['-qq'], ['--csv'], ['-o', 'human']]) {
      const { status, stdout, stderr } = await net.run(...list, ...flags)
      assert.deepEqual([status, stdout], [4, ''], flags.join(' '))
      assert.match(stderr, /error: the orders on 1 pair could not be read/i)
    }
    assert.equal((await net.run(...list, '--json')).status, 0)
  })

  test('leave the conditions of --watch unknown', async () => {
    fail('pair-fails')
    const list = ['order', 'list', '--from', 'demo', '--watch', '--until', 'orders<=1']
    assert.equal((await net.run(...list, '--count', '1', '-qq')).status, 5)
    net.heal()
  })

  test('are not shown, cancelled or claimed by their id, and that says why', async () => {
    fail('pair-fails')
    for (const call of [['show'], ['cancel', '--yes'], ['claim', '--yes']]) {
      const [verb = '', ...flags] = call
      const ended = await order(verb, 'rune/usdc/buy/0.45', ...flags)
      assert.deepEqual([ended.status, problem(ended).code], [4, 'UPSTREAM_INVALID_DATA'], verb)
      const { detail, unread } = problem(ended)
      assert.match(`${detail}`, /the orders on 1 pair could not be read; .*config/)
      assert.equal((unread as OrdersAnswer['unread'])[0]?.address, pair)
    }
  })

  test('make cancelling all a failure after the others are cancelled, and never a list without orders', async () => {
    fail('pair-fails')
    const first = await order('cancel', '--all', '--yes')
    const { code, state, unread, orders } = problem(first)
    assert.deepEqual([first.status, code, state], [12, 'PARTIALLY_EXECUTED', 'confirmed'])
    assert.deepEqual(
      [unread, orders].map((list) => (list as object[]).length),
      [1, 1],
    )
    const again = await order('cancel', '--all', '--yes')
    assert.deepEqual([again.status, problem(again).code], [4, 'UPSTREAM_INVALID_DATA'])
    assert.match(`${problem(again)['detail']}`, /the orders on 1 pair could not be read/)
    net.heal()
    assert.deepEqual(
      (await listed()).orders.map((each) => each.pair),
      [pair],
    )
  })
})

describe('orders on retired pairs', () => {
  test('are not reported as unread unless the pair is named', async () => {
    const list = async (...args: readonly string[]): Promise<OrdersAnswer> => {
      const { stdout, stderr } = await runSwap([
        'order',
        'list',
        ...args,
        '--from',
        'demo',
        '--json',
      ])
      assert.notEqual(stdout, '', stderr)
      return JSON.parse(stdout)
    }
    const { excluded, unread } = await list()
    assert.equal(excluded.length, 2)
    assert.deepEqual(unread, [])
    for (const { address } of excluded)
      assert.deepEqual(
        (await list(address)).unread.map((each) => each.address),
        [address],
      )
  })
})
