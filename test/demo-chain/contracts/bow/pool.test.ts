import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import {
  bowContract,
  bowGenesis,
  lpDenom,
} from '../../../../src/demo-chain/contracts/bow/bow-contract.js'
import type { BowState } from '../../../../src/demo-chain/contracts/bow/pool.js'
import { balanceOf } from '../../../../src/demo-chain/modules/bank.js'
import type { Coin } from '../../../../src/demo-chain/modules/contract.js'
import type { Reader } from '../../../../src/demo-chain/store/state.js'
import type { XykMaker } from '../../../../src/engine/market/pair.js'
import { xykLadder } from '../../../../src/engine/market/venues/xyk.js'
import { formatDecimal, parseDecimal } from '../../../../src/engine/math/decimal.js'
import {
  execute,
  holdings,
  smartQuery,
  valuesOf,
  type World,
} from '../../../support/contract-world.js'
import { longTest } from '../../../support/long.js'
import { coin, config, poolWorld } from './pools.js'

const wire = ({ denom, amount }: Coin) => ({ denom, amount: `${amount}` })
const swap = (asked: Coin, more: object = {}) => ({ swap: { min_return: wire(asked), ...more } })

type Quote = { readonly price: string; readonly size: string; readonly data: string } | null

const quote = (world: World, offered: string, data: string | null = null): Quote =>
  smartQuery(world, 'bow', {
    quote: { min_price: null, offer_denom: offered, ask_denom: offered === 'x' ? 'y' : 'x', data },
  }) as Quote

const strategy = (world: World, state: Reader = world.start) =>
  smartQuery(world, 'bow', { strategy: {} }, state)

describe('the quotes of a BOW pool', () => {
  const world = poolWorld(config(), { x: 1_000_001_000n, y: 2_000_002_000n, shares: 9n })

  test('continue from the data that each one returns', () => {
    const first = quote(world, 'x')
    assert.deepEqual(first, {
      price: '1.998000001999998',
      size: '1998002',
      data: Buffer.from(
        '{"x":"1001001001","y":"1998003997","k":"2000004000999000997","shares":"9"}',
      ).toString('base64'),
    })
    const second = quote(world, 'x', first?.data)
    assert.equal(second?.price, '1.994009995994009995')
    assert.equal(second?.size, '1996006')
  })

  test('are exchanged for an offer in the other denom', () => {
    const turned = poolWorld(config(), { x: 1_000_000_000n, y: 2_000_000_000n, shares: 0n })
    const first = quote(turned, 'y')
    assert.deepEqual([first?.price, first?.size], ['0.4994995', '998999'])
    const second = quote(turned, 'y', first?.data)
    assert.deepEqual([second?.price, second?.size], ['0.498501998001998001', '998001'])
  })

  test('are null where a level would be too small, and in an empty pool', () => {
    assert.equal(quote(poolWorld(config(), { x: 1000n, y: 2000n, shares: 0n }), 'x'), null)
    assert.equal(quote(poolWorld(config(), { x: 0n, y: 0n, shares: 0n }), 'x'), null)
  })

  longTest('are the ladder that a router computes for the same pool', () => {
    const amounts = fc.bigInt(10n ** 6n, 10n ** 14n)
    fc.assert(
      fc.property(amounts, amounts, fc.constantFrom('x', 'y'), (x, y, offered) => {
        const poolConfig = config({ step: parseDecimal('0.03')!, fee: parseDecimal('0.002')! })
        const here = poolWorld(poolConfig, { x, y, shares: 1n })
        const maker: XykMaker = {
          ...poolConfig,
          kind: 'xyk',
          address: 'bow',
          reserveX: x,
          reserveY: y,
        }
        let data: string | null = null
        for (const level of xykLadder(maker, offered)) {
          const answer = quote(here, offered, data)
          assert.deepEqual(
            [answer?.price, answer?.size],
            [formatDecimal(level.price), `${level.size}`],
          )
          data = answer?.data ?? null
        }
        assert.equal(quote(here, offered, data), null)
      }),
      { numRuns: 30 },
    )
  })

  test('require the members that the real contract requires', () => {
    assert.throws(
      () => smartQuery(world, 'bow', { quote: {} }),
      /Error parsing into type rujira_rs::interfaces::bow::interface::QueryMsg: missing field `offer_denom`: query wasm contract failed$/,
    )
  })
})

describe('a swap with a BOW pool', () => {
  const state = { x: 200_000_000n, y: 200_000_000_000n, shares: 6_324_555_320n }
  const world = poolWorld(config(), state)

  test('pays the amount asked for, in one step of the whole offer', () => {
    const done = execute(world, world.start, 'bow', swap(coin(99_899, 'x')), [
      coin(100_000_000, 'y'),
    ])
    assert.deepEqual(holdings(done.state, 'sender'), { x: '99899' })
    assert.deepEqual(strategy(world, done.state), {
      xyk: [
        { x: 'x', y: 'y', step: '0.001', min_quote: '10000', fee: '0' },
        {
          x: '199900050',
          y: '200100000000',
          k: `${199_900_050n * 200_100_000_000n}`,
          shares: '6324555320',
        },
      ],
    })
    assert.equal(balanceOf(done.state, 'bow', 'x'), 200_000_000n - 99_899n)
    const event = done.events.find(({ type }) => type === 'wasm-rujira-bow/swap')
    assert.deepEqual(event?.attributes, [
      { key: '_contract_address', value: 'bow' },
      { key: 'offer', value: '100000000y' },
      { key: 'ask', value: '99899x' },
      { key: 'fee', value: '0x' },
      { key: 'surplus', value: '51x' },
    ])
  })

  test('keeps fee and surplus outside the reserves', () => {
    const poolConfig = config({ fee: parseDecimal('0.2')! })
    const small = poolWorld(poolConfig, { x: 1000n, y: 2000n, shares: 1414n })
    const cases = [
      [coin(50, 'x'), coin(76, 'y'), '19y', '0y'],
      [coin(100, 'y'), coin(35, 'x'), '9x', '3x'],
    ] as const
    for (const [offer, asked, fee, surplus] of cases) {
      const { events } = execute(small, small.start, 'bow', swap(asked), [offer])
      const event = events.find(({ type }) => type === 'wasm-rujira-bow/swap')!
      assert.deepEqual([valuesOf(event, 'fee')[0], valuesOf(event, 'surplus')[0]], [fee, surplus])
    }
    assert.throws(
      () => execute(small, small.start, 'bow', swap(coin(96, 'y')), [coin(50, 'x')]),
      /^ChainFailure: InsufficientReturn expected 96y got 76y: execute wasm contract failed$/,
    )
    assert.throws(
      () => execute(small, small.start, 'bow', swap(coin(48, 'x')), [coin(100, 'y')]),
      /InsufficientReturn expected 48x got 38x/,
    )
  })

  test('changes the reserves as in a test of the original', () => {
    for (const [x, y, nextX, nextY, out] of [
      [10_000n, 20_000n, '10100', '19802', 198],
      [20_000n, 10_000n, '20100', '9951', 49],
    ] as const) {
      const here = poolWorld(config(), { x, y, shares: 1n })
      const done = execute(here, here.start, 'bow', swap(coin(out, 'y')), [coin(100, 'x')])
      const answer = strategy(here, done.state) as { readonly xyk: readonly [object, BowState] }
      assert.deepEqual([answer.xyk[1].x, answer.xyk[1].y], [nextX, nextY])
    }
  })

  test('pays the given recipient, with a callback where one is given', () => {
    const done = execute(world, world.start, 'bow', swap(coin(1000, 'x'), { to: 'other' }), [
      coin(100_000_000, 'y'),
    ])
    assert.deepEqual(holdings(done.state, 'other'), { x: '1000' })
    const callback = Buffer.from('{}').toString('base64')
    assert.throws(
      () =>
        execute(world, world.start, 'bow', swap(coin(1000, 'x'), { to: 'nobody', callback }), [
          coin(100_000_000, 'y'),
        ]),
      /address nobody: no such contract/,
    )
    assert.throws(
      () =>
        execute(world, world.start, 'bow', swap(coin(1000, 'x'), { to: '!' }), [
          coin(100_000_000, 'y'),
        ]),
      /Generic error: addr_validate errored: decoding bech32 failed/,
    )
  })

  test('takes one coin of the pool, and pays no zero amount', () => {
    const run = (asked: Coin, funds: readonly Coin[]) => () =>
      execute(world, world.start, 'bow', swap(asked), funds)
    assert.throws(run(coin(1, 'x'), []), /No funds sent/)
    assert.throws(
      run(coin(1, 'x'), [coin(1, 'x'), coin(1, 'y')]),
      /Sent more than one denomination/,
    )
    assert.throws(run(coin(1, 'x'), [coin(5, 'z')]), /InvalidPair/)
    assert.throws(run(coin(1, lpDenom(config())), [coin(5, 'x')]), /InvalidPair/)
    assert.throws(run(coin(0, 'x'), [coin(5, 'y')]), /^ChainFailure: : invalid coins$/)
  })

  test('emits no event in version 1.0', () => {
    const old = poolWorld(config(), state, '1.0')
    const done = execute(old, old.start, 'bow', swap(coin(99_899, 'x')), [coin(100_000_000, 'y')])
    assert.deepEqual(
      done.events.map(({ type }) => type).filter((type) => type.startsWith('wasm')),
      [],
    )
  })
})

test('a BOW pool keeps what the real one keeps', () => {
  const { storage } = bowGenesis(config(), { x: 5n, y: 7n, shares: 6n })
  const raw = storage.map(([key, value]) => [
    key,
    Buffer.from(bowContract('1.1').raw?.(key, value) ?? []).toString(),
  ])
  assert.deepEqual(raw, [
    ['contract_info', '{"contract":"rujira-bow","version":"1.1.0"}'],
    [
      'config',
      '{"strategy":{"xyk":{"x":"x","y":"y","step":"0.001","min_quote":"10000","fee":"0"}}}',
    ],
    ['strategy-xyk', '["5","7","6"]'],
  ])
})
