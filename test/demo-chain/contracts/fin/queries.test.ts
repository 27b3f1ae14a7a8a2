import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { callerContract } from '../../../../src/demo-chain/contracts/codes.js'
import { queryContract } from '../../../../src/demo-chain/modules/dispatch.js'
import { Gas, NO_LIMIT } from '../../../../src/demo-chain/modules/gas.js'
import { execute, holdings, smartQuery, valuesOf } from '../../../support/contract-world.js'
import { must } from '../../../support/matching.js'
import { at, coin, DENOMS, PAIR, pairWorld, pool } from './pair-world.js'

const [BTC, USDC] = DENOMS

const text = (world: ReturnType<typeof pairWorld>, message: string): string =>
  queryContract(world.machine, world.start, new Gas(NO_LIMIT), PAIR, message)

describe('the config query of a pair', () => {
  const maker = { address: 'mm', x: 1n << 30n, y: 1n << 40n }
  const fees = { feeTaker: must('0.0015'), feeMaker: must('0.00075') }

  test('has the members of each version in the order of the real one', () => {
    assert.equal(
      text(pairWorld({ ...fees, version: '1.0', makers: [maker] }), '{"config":{}}'),
      '{"denoms":["btc","usdc"],"oracles":null,"market_maker":"mm","tick":6,"fee_taker":"0.0015","fee_maker":"0.00075","fee_address":"fees"}',
    )
    assert.equal(
      text(
        pairWorld({ ...fees, oracle: ['1', '1'], makers: [maker, { ...maker, address: 'ma' }] }),
        '{"config":{}}',
      ),
      '{"denoms":["btc","usdc"],"oracles":[{"chain":"BTC","symbol":"BTC"},{"chain":"ETH","symbol":"USDC"}],"market_makers":["ma","mm"],"tick":6,"fee_taker":"0.0015","fee_maker":"0.00075","fee_address":"fees"}',
    )
  })

  test('fails like every query when the oracle does not answer, while executions work', () => {
    const world = pairWorld({ oracle: ['1', '1'], pools: [pool('base', '1000', 10n)] })
    const withoutOracle = { ...world, machine: { ...world.machine, oracle: () => undefined } }
    for (const query of [{ config: {} }, { book: {} }])
      assert.throws(() => smartQuery(withoutOracle, PAIR, query), /GRPC query error/)
    const swap = { swap: {} }
    assert.ok(execute(withoutOracle, withoutOracle.start, PAIR, swap, [coin(10_000n, USDC)]))
  })
})

describe('the book query of a pair', () => {
  const pools = Array.from({ length: 300 }, (_, i) => pool('base', `${1000 + i}`, BigInt(i + 1)))
  const book = (query: object) =>
    smartQuery(pairWorld({ pools }), PAIR, { book: query }) as {
      readonly base: readonly { readonly price: string }[]
      readonly quote: readonly unknown[]
    }

  test('has a hundred levels a side by default, and at most 255', () => {
    assert.equal(book({}).base.length, 100)
    assert.equal(book({ limit: null, offset: null }).base.length, 100)
    assert.equal(book({ limit: 255, offset: 255 }).base.length, 45)
    assert.deepEqual(book({ limit: 0 }), { base: [], quote: [] })
    assert.deepEqual(
      book({ limit: 2, offset: 3 }).base.map(({ price }) => price),
      ['1003', '1004'],
    )
  })

  test('refuses 256 with the text of the recorded node', () => {
    assert.throws(() => book({ limit: 256 }), {
      message:
        'Error parsing into type rujira_rs::interfaces::fin::query::QueryMsg: Invalid number.: query wasm contract failed',
    })
  })

  test('adds up fixed orders, oracle orders and makers of one rate in one level', () => {
    const world = pairWorld({
      tick: 3,
      oracle: ['1000', '1'],
      pools: [pool('quote', '997', 100n), pool('quote', -30, 50n)],
      makers: [{ address: 'mm', x: 200_000_000n, y: 200_000_000_000n }],
    })
    const { quote } = smartQuery(world, PAIR, { book: { limit: 2 } }) as { quote: unknown }
    assert.deepEqual(quote, [
      { price: '999', total: '199800198' },
      { price: '997', total: `${199_600_598 + 150}` },
    ])
  })
})

describe('the simulate query of a pair', () => {
  test('returns zero for zero, and refuses another denom', () => {
    const world = pairWorld({ pools: [pool('base', '1000', 10n)] })
    assert.equal(
      text(world, '{"simulate":{"denom":"usdc","amount":"0"}}'),
      '{"returned":"0","fee":"0"}',
    )
    assert.throws(() => smartQuery(world, PAIR, { simulate: { denom: 'nope', amount: '1' } }), {
      message: 'Generic error: invalid denom: query wasm contract failed',
    })
  })

  test('is refused under an unknown name with the names that exist', () => {
    assert.throws(() => smartQuery(pairWorld(), PAIR, { nope: {} }), {
      message:
        'Error parsing into type rujira_rs::interfaces::fin::query::QueryMsg: unknown variant `nope`, expected one of `config`, `simulate`, `order`, `orders`, `book`: query wasm contract failed',
    })
  })
})

describe('the orders query of a pair', () => {
  const orders = [
    ...['1003', '1001', '1002'].map((price) => ({
      owner: 'a',
      side: 'base' as const,
      price: at(price),
      offer: 5n,
    })),
    { owner: 'a', side: 'quote' as const, price: at('900'), offer: 5n },
    { owner: 'a', side: 'quote' as const, price: { oracle: -2000 }, offer: 5n },
    { owner: 'a', side: 'quote' as const, price: at('901'), offer: 5n },
    { owner: 'ab', side: 'base' as const, price: at('1001'), offer: 5n },
  ]
  const world = pairWorld({ oracle: ['1000', '1'], orders })
  const rates = (query: object) =>
    (
      smartQuery(world, PAIR, { orders: { owner: 'a', ...query } }) as {
        orders: { rate: string }[]
      }
    ).orders.map(({ rate }) => rate)

  test('is in the order of storage, of one side base ascending and quote descending', () => {
    assert.deepEqual(rates({}), ['1001', '1002', '1003', '900', '901', '800'])
    assert.deepEqual(rates({ side: 'base' }), ['1001', '1002', '1003'])
    assert.deepEqual(rates({ side: 'quote' }), ['800', '901', '900'])
    assert.deepEqual(rates({ side: null, offset: 1, limit: 2 }), ['1002', '1003'])
  })

  test('returns at most 31 orders, ten by default', () => {
    const many = pairWorld({
      orders: Array.from({ length: 40 }, (_, i) => ({
        owner: 'a',
        side: 'base' as const,
        price: at(`${1000 + i}`),
        offer: 5n,
      })),
    })
    const count = (query: object) =>
      (smartQuery(many, PAIR, { orders: { owner: 'a', ...query } }) as { orders: unknown[] }).orders
        .length
    assert.deepEqual([count({}), count({ limit: 31 }), count({ limit: 200 })], [10, 31, 31])
  })

  test('does not find an unknown order', () => {
    assert.throws(() => smartQuery(world, PAIR, { order: ['a', 'base', { fixed: '7' }] }), {
      message: 'NotFound: query wasm contract failed',
    })
  })
})

describe('a swap message of a pair', () => {
  const pools = [pool('base', '1000', 10n)]
  const swap = (version: '1.0' | '1.1', body: object, funds = [coin(10_000n, USDC)]) => {
    const world = pairWorld({ version, pools })
    return execute(world, world.start, PAIR, { swap: body }, funds)
  }

  test('enforces a minimum return in 1.0, and ignores all protection in 1.1', () => {
    assert.throws(() => swap('1.0', { min_return: '11' }), {
      message: 'InsufficientReturn expected 11 got 10: execute wasm contract failed',
    })
    assert.ok(swap('1.0', { min_return: '10', bogus: 1 }))
    for (const body of [
      { min_return: '12x' },
      { exact_return: '11' },
      { price: '1' },
      { yolo: {} },
    ])
      assert.ok(swap('1.1', body))
  })

  test('has exactly one coin of the pair', () => {
    for (const [funds, why] of [
      [[], 'No funds sent'],
      [[coin(1n, BTC), coin(1n, USDC)], 'Sent more than one denomination'],
      [[coin(1n, 'rune')], 'Generic error: invalid denom'],
    ] as const)
      assert.throws(() => swap('1.1', {}, [...funds]), {
        message: `${why}: execute wasm contract failed`,
      })
  })

  test('may name another recipient, which must be an address', () => {
    assert.throws(() => swap('1.1', { to: '!nobody' }), {
      message:
        'Generic error: addr_validate errored: decoding bech32 failed: execute wasm contract failed',
    })
    assert.throws(() => swap('1.1', { to: 5 }), /data did not match any variant of untagged enum/)
  })

  test('calls the recipient back with its payout on request', () => {
    const world = pairWorld({ pools, others: { friend: callerContract } })
    const swap = { to: 'friend', callback: 'e30=' }
    const { state, events } = execute(world, world.start, PAIR, { swap }, [coin(12_000n, USDC)])
    assert.deepEqual(holdings(state, 'friend'), { [BTC]: '10', [USDC]: '2000' })
    assert.ok(
      events.some(
        (event) => event.type === 'execute' && valuesOf(event, '_contract_address')[0] === 'friend',
      ),
    )
    const unknownContract = { to: 'nobody', callback: 'e30=' }
    assert.throws(
      () => execute(world, world.start, PAIR, { swap: unknownContract }, [coin(12_000n, USDC)]),
      /address nobody: no such contract/,
    )
  })
})
