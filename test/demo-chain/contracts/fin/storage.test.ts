import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { finContract } from '../../../../src/demo-chain/contracts/fin/fin-contract.js'
import {
  finGenesis,
  type GenesisOrder,
} from '../../../../src/demo-chain/contracts/fin/fin-genesis.js'
import type { OrderPrice } from '../../../../src/demo-chain/contracts/fin/price.js'
import { orderKey, placeOf, poolKey } from '../../../../src/demo-chain/contracts/fin/storage.js'
import type { Reader } from '../../../../src/demo-chain/store/state.js'
import { execute, smartQuery } from '../../../support/contract-world.js'
import { must } from '../../../support/matching.js'
import { readJson } from '../../../support/vectors.js'
import { at, coin, DENOMS, entry, PAIR, pairWorld } from './pair-world.js'

const { models } = readJson<{ models: [key: string, value: string][] }>('fin_storage.json')
const [BTC, USDC] = DENOMS

const hexOf = (key: string): string => Buffer.from(key, 'latin1').toString('hex')

/** Storage as a node lists it: keys in hex in byte order, values as text. */
const listed = (entries: Iterable<readonly [string, unknown]>): (readonly string[])[] =>
  [...entries]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => [
      hexOf(key),
      Buffer.from(finContract('1.1').raw?.(key, value) ?? []).toString(),
    ])

const stored = (state: Reader) =>
  listed([...state.keys(`wasm/${PAIR}`)].map((key) => [key, state.get(`wasm/${PAIR}`, key)]))

describe('the storage of a pair', () => {
  const OWNER = 'thor16vxtmyqcwjlq57z6znrhsud06y6ajt76h9hvgm'

  /** The resting orders in a listing of storage. */
  const ordersOf = (): GenesisOrder[] =>
    models.flatMap(([hex, value]) => {
      const key = Buffer.from(hex, 'hex').toString('latin1')
      if (!key.startsWith('\0\x06orders')) return []
      const [time, offer] = JSON.parse(value) as [string, string]
      return { owner: OWNER, ...placeOf(OWNER, key), offer: BigInt(offer), time: BigInt(time) }
    })

  test('equals the recorded one, byte by byte, for a pair with the recorded orders', () => {
    const config = JSON.parse(models.find(([key]) => key === hexOf('config'))?.[1] ?? '')
    const orders = ordersOf()
    assert.equal(orders.length, 40)
    const entries = finGenesis(
      {
        denoms: config.denoms,
        tick: config.tick,
        feeTaker: must(config.fee_taker),
        feeMaker: must(config.fee_maker),
        feeAddress: config.fee_address,
        makers: config.market_makers.contracts,
        oracles: null,
        version: '1.1',
      },
      orders,
    )
    assert.deepEqual(listed(entries), models)
  })

  test('is the same when the orders are placed one by one', () => {
    const prices: OrderPrice[] = [at('1000'), at('999.5'), { oracle: -15 }, { oracle: 21 }]
    const oracle = ['1200', '1'] as const
    const orders = prices.map((price) => ({ owner: 'a', side: 'base' as const, price, offer: 7n }))
    const empty = pairWorld({ oracle })
    const placed = execute(
      empty,
      empty.start,
      PAIR,
      {
        order: [
          prices.map((price) =>
            entry(
              'base',
              'oracle' in price ? price.oracle : price.fixed === must('1000') ? '1000' : '999.5',
              7n,
            ),
          ),
          null,
        ],
      },
      [coin(28n, BTC)],
      'a',
    )
    const { time } = empty.machine
    const begun = pairWorld({ oracle, orders: orders.map((order) => ({ ...order, time })) })
    assert.deepEqual(stored(placed.state), stored(begun.start))
  })

  test('has prices in keys as 16 bytes of atomics, or 2 bytes of the deviation plus 2^15', () => {
    assert.equal(
      hexOf(poolKey({ side: 'base', price: at('78564') })),
      '00096269642d706f6f6c7300010000010000000000000010a2f68576169d100000',
    )
    assert.equal(
      hexOf(poolKey({ side: 'quote', price: { oracle: -15 } })),
      '00096269642d706f6f6c730001010001017ff1',
    )
    assert.equal(
      hexOf(orderKey('a', { side: 'quote', price: { oracle: 21 } })),
      '00066f726465727300016100010180' + '15',
    )
    assert.deepEqual(placeOf('a', orderKey('a', { side: 'quote', price: { oracle: 21 } })), {
      side: 'quote',
      price: { oracle: 21 },
    })
  })

  test('keeps a drained pool, in its next epoch, outside the list of non-empty ones', () => {
    const world = pairWorld({
      orders: [{ owner: 'a', side: 'base', price: at('1000'), offer: 7n }],
    })
    const { state } = execute(world, world.start, PAIR, { swap: {} }, [coin(7000n, USDC)])
    const pools = stored(state).filter(([key]) => key?.includes('706f6f6c'))
    assert.deepEqual(pools, [
      [
        hexOf(poolKey({ side: 'base', price: at('1000') })),
        '{"total":"0","sum":["0",0],"product":["1",0],"epoch":1}',
      ],
      [
        '000d6269642d706f6f6c2d73756d730016000100000100000000000000003635c9adc5dea0000000000000',
        '["1",-3]',
      ],
    ])
    assert.deepEqual(smartQuery(world, PAIR, { order: ['a', 'base', { fixed: '1000' }] }, state), {
      owner: 'a',
      side: 'base',
      price: { fixed: '1000' },
      rate: '1000',
      updated_at: '0',
      offer: '7',
      remaining: '0',
      filled: '7000',
    })
  })
})
