import assert from 'node:assert/strict'
import {
  QueryAllContractStateResponse,
  QuerySmartContractStateResponse,
} from 'cosmjs-types/cosmwasm/wasm/v1/query'
import { describe, test } from 'vitest'
import { readPools } from '../../../src/chain/market/storage.js'
import { decodeBook, decodeConfig, decodeVersion } from '../../../src/chain/queries/pair.js'
import { decodePool, isFresh, placeOf } from '../../../src/chain/queries/pool-storage.js'
import { fromJson } from '../../../src/chain/queries/wire.js'
import { formatDecimal } from '../../../src/engine/math/decimal.js'
import { rootCursor } from '../../../src/engine/snapshot/json-cursor.js'
import { readJson } from '../../support/vectors.js'
import { type Entry, scripted } from '../market/scripted.js'

const exchanges = readJson<Record<string, { readonly response: unknown }>>('node_exchanges.json')

/** A recorded answer. */
function answerOf<T>(name: string): T {
  const exchange = exchanges[name]
  assert.ok(exchange, name)
  return exchange.response as T
}

/** The value of a recorded `abci_query`. */
function abciValue(name: string): Uint8Array {
  const { result } = answerOf<{ result: { response: { code: number; value: string } } }>(name)
  assert.equal(result.response.code, 0)
  return Buffer.from(result.response.value, 'base64')
}

const pageOf = (name: string) => QueryAllContractStateResponse.decode(abciValue(name))

const jsonOf = (name: string) =>
  fromJson(QuerySmartContractStateResponse.decode(abciValue(name)).data)

describe('recorded answers of a node', () => {
  test('have the pools of the recorded book in their pages of storage', async () => {
    const { asks, bids } = decodeBook(30)(jsonOf('rpc_abci_book30_beside'))
    const names = [
      'rpc_all_contract_state_pools',
      'rpc_all_contract_state_bid_pools',
      'rpc_all_contract_state_bid_pools_next',
    ]
    const entries = new Map(
      names
        .flatMap((name) => pageOf(name).models)
        .map((model): [string, Entry] => [Buffer.from(model.key).toString('hex'), model]),
    )
    const stored = [...entries.values()].sort((a, b) => Buffer.compare(a.key, b.key))
    const pools = await readPools(scripted({ storage: () => stored }), 'pair')
    assert.equal(pools.length, 40)
    const levelsByPair = new Map(
      [
        ...asks.map((level) => ['base', level] as const),
        ...bids.map((level) => ['quote', level] as const),
      ].map(([side, { rate, total }]) => [`${side} ${formatDecimal(rate)}`, total]),
    )
    let matched = 0
    for (const { side, price, total } of pools) {
      assert.ok('fixed' in price)
      const level = levelsByPair.get(`${side} ${formatDecimal(price.fixed)}`)
      if (level === undefined) continue
      // A maker may have the same price.
      assert.ok(level >= total)
      matched += level === total ? 1 : 0
    }
    assert.ok(matched >= 20, `${matched} pools are levels of the book`)
  })

  test('have the key of the next page in each page', () => {
    const page = pageOf('rpc_all_contract_state_bid_pools')
    assert.equal(page.models.length, 25)
    const next = pageOf('rpc_all_contract_state_bid_pools_next')
    assert.deepEqual(page.pagination?.nextKey, next.models[0]?.key)
  })

  test('have stored pools that are read as written', () => {
    for (const { key, value } of pageOf('rpc_all_contract_state_bid_pools').models) {
      const { side } = placeOf('bid-pools', key)
      const pool = decodePool(fromJson(value))
      assert.ok(side === 'base' || side === 'quote')
      assert.ok(pool.total > 0n)
      assert.equal(isFresh(pool), pool.sum.mantissa === 0n)
    }
  })

  test('have configurations and versions', () => {
    const config = decodeConfig(jsonOf('rpc_abci_query_smart_config'))
    assert.equal(config.base, 'btc-btc')
    assert.equal(config.tick, 6)
    assert.equal(formatDecimal(config.takerFee), '0.0015')
    assert.equal(config.makers.length, 1)
    const { data } = answerOf<{ data: string }>('rest_raw_contract_info')
    assert.equal(decodeVersion(fromJson(Buffer.from(data, 'base64'))), '1.0.0')
  })
})

describe('a configuration of any version', () => {
  const plain = {
    denoms: ['a', 'b'],
    tick: 6,
    fee_taker: '0.0015',
    fee_maker: '0.00075',
    fee_address: 'x',
  }
  const decodeWith = (more: object) => decodeConfig(rootCursor({ ...plain, ...more }))

  test('has no maker, one, or several in the order of their addresses', () => {
    assert.deepEqual(decodeWith({ market_maker: 'm' }).makers, ['m'])
    assert.deepEqual(decodeWith({ market_maker: null }).makers, [])
    assert.deepEqual(decodeWith({}).makers, [])
    assert.deepEqual(decodeWith({ market_makers: ['n', 'm', 'n'] }).makers, ['m', 'n'])
  })

  test('has oracles as texts, as objects, or none', () => {
    assert.equal(decodeWith({ oracles: null }).oracles, null)
    assert.deepEqual(decodeWith({ oracles: ['BTC.BTC', 'ETH.USDC'] }).oracles, [
      'BTC.BTC',
      'ETH.USDC',
    ])
    const assets = [
      { chain: 'BTC', symbol: 'BTC' },
      { chain: 'ETH', symbol: 'USDC' },
    ]
    assert.deepEqual(decodeWith({ oracles: assets }).oracles, assets)
  })

  test('may have unknown members', () => {
    const later = { range_delta: '0.05', fee_range: '0.00025', range_min: '1', fee_amm: {} }
    assert.deepEqual(decodeWith(later), decodeWith({}))
  })

  test('must have the required members', () => {
    for (const malformed of [
      { denoms: ['a'] },
      { denoms: ['a', 'a'] },
      { denoms: 'ab' },
      { tick: 0 },
      { tick: '6' },
      { fee_taker: '1' },
      { fee_taker: 0.0015 },
      { fee_taker: '1e-3' },
      { fee_maker: undefined },
      { market_maker: 7 },
      { market_makers: [1] },
      { oracles: ['one'] },
    ])
      assert.throws(() => decodeWith(malformed), { name: 'MalformedDocument' })
  })
})
