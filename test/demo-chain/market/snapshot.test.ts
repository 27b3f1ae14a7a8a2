import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { DemoDocument, DemoPair, DemoPool } from '../../../src/demo-chain/market/document.js'
import { assetFacts } from '../../../src/demo-chain/market/pair-facts.js'
import { demoSnapshot } from '../../../src/demo-chain/market/snapshot.js'
import {
  type Decimal,
  mulFloor,
  ONE,
  parseDecimal,
  parseUint128,
} from '../../../src/engine/math/decimal.js'
import { fitsTick } from '../../../src/engine/math/tick.js'
import { decodeBech32 } from './bech32.js'
import { mainnetAddresses } from './mainnet-addresses.js'
import { decimalOf, findPair, markets, priceOf } from './markets.js'

const market = demoSnapshot(1)
const priceUsd = (denom: string): bigint =>
  decimalOf(assetFacts.find((asset) => asset.denom === denom)?.priceUsd ?? '')
const dollars = (denom: string, atomics: bigint): number =>
  Number((atomics * priceUsd(denom)) / ONE / 10n ** 6n) / 100
const sum = (pools: readonly DemoPool[]): bigint =>
  pools.reduce((total, pool) => total + BigInt(pool.total), 0n)
const isReadable = (pair: DemoPair): boolean =>
  [pair.fee_taker, pair.fee_maker, ...[...pair.pools.base, ...pair.pools.quote].map((p) => p.price)]
    .map(parseDecimal)
    .every((value) => value !== undefined)
const trading = (document: DemoDocument): readonly DemoPair[] =>
  document.pairs.filter((pair) => pair.status === 'open' && isReadable(pair))

test('the demo market is determined by its seed', () => {
  assert.equal(JSON.stringify(demoSnapshot(7)), JSON.stringify(demoSnapshot(7)))
  const documents = new Set(markets.map((document) => JSON.stringify(document)))
  assert.equal(documents.size, markets.length)
})

test('the demo market survives JSON unchanged: it holds plain data only', () => {
  assert.deepEqual(JSON.parse(JSON.stringify(market)), market)
})

test('the demo market has 57 open pairs, a halted one, and one malformed open pair', () => {
  for (const { pairs } of markets) {
    assert.equal(pairs.length, 58)
    const halted = pairs.filter((pair) => pair.status !== 'open')
    assert.deepEqual(
      halted.map((pair) => [pair.base.slice(0, 10), pair.quote, pair.status, pair.reason]),
      [['base-cbbtc', 'btc-btc', 'halted', 'retired, no longer trades']],
    )
    const malformed = pairs.filter((pair) => !isReadable(pair))
    assert.deepEqual(
      malformed.map((pair) => [pair.base.slice(0, 9), pair.quote.slice(0, 8), pair.fee_taker]),
      [['avax-usdt', 'eth-usdt', 'unreadable']],
    )
  }
})

test('the demo market lists every traded denom once as a token, and no other', () => {
  const traded = new Set(market.pairs.flatMap(({ base, quote }) => [base, quote]))
  const listed = market.tokens.map((token) => token.denom)
  assert.equal(listed.length, 33)
  assert.deepEqual(new Set(listed), traded)
  assert.ok(listed.includes(market.usd))
})

test('a token of the demo market has its usual symbol, its chain, kind and contract', () => {
  const row = (denom: string) => {
    const token = market.tokens.find((one) => one.denom.startsWith(denom))
    return [token?.symbol, token?.chain, token?.kind, token?.contract, token?.decimals]
  }
  assert.deepEqual(row('rune'), ['RUNE', 'THOR', 'native', null, 8])
  assert.deepEqual(row('thor.xusk'), ['xUSK', 'THOR', 'native', null, 8])
  assert.deepEqual(row('x/brune'), ['bRUNE', 'THOR', 'factory', null, 8])
  assert.deepEqual(row('base-eth'), ['ETH', 'BASE', 'secured', null, 8])
  const cbbtc = '0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf'
  assert.deepEqual(row('base-cbbtc'), ['cbBTC', 'BASE', 'secured', cbbtc, 8])
  const tether = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
  assert.deepEqual(row('tron-usdt'), ['USDT', 'TRON', 'secured', tether, 8])
  assert.equal(market.tokens.filter((token) => token.symbol === 'USDC').length, 4)
})

test("pair addresses of the demo market are mainnet's 32 bytes under the prefix demo", () => {
  assert.equal(mainnetAddresses.length, market.pairs.length)
  market.pairs.forEach((pair, i) => {
    const real = decodeBech32(mainnetAddresses[i] ?? '')
    assert.deepEqual(decodeBech32(pair.address), { prefix: 'demo', bytes: real.bytes })
    assert.equal(real.prefix, 'thor')
    assert.equal(real.bytes.length, 32)
  })
})

test('makers and router of the demo market have distinct addresses of 32 bytes', () => {
  const makers = market.pairs.flatMap((pair) => pair.makers.map((maker) => maker.address))
  const all = [...makers, market.router.address]
  for (const address of all) {
    const { prefix, bytes } = decodeBech32(address)
    assert.deepEqual([prefix, bytes.length], ['demo', 32])
  }
  const pairs = market.pairs.map((pair) => pair.address)
  assert.equal(new Set([...all, ...pairs]).size, 15 + 1 + 58)
})

test('prices of the demo market fit the tick, run best first, and the sides never cross', () => {
  for (const { pairs } of markets)
    for (const { pools, tick } of pairs) {
      const asks = pools.base.map(priceOf)
      const bids = pools.quote.map(priceOf)
      for (const price of [...asks, ...bids]) assert.ok(fitsTick(price as Decimal, tick))
      asks.forEach((price, i) => {
        assert.ok(i === 0 || price > (asks[i - 1] ?? price))
      })
      bids.forEach((price, i) => {
        assert.ok(i === 0 || price < (bids[i - 1] ?? price))
      })
      assert.ok(asks.length === 0 || (asks[0] ?? 0n) > (bids[0] ?? 0n))
    }
})

test('spreads of the demo market are 4 to 80 bps', () => {
  for (const { pairs } of markets)
    for (const { pools, address } of pairs) {
      const [ask, bid] = [pools.base[0], pools.quote[0]]
      if (ask === undefined || bid === undefined) continue
      const bps = Number(((priceOf(ask) - priceOf(bid)) * 100_000n) / priceOf(bid)) / 10
      assert.ok(bps >= 4 && bps <= 81, `${address} ${bps}`)
    }
})

test('one open pair of the demo market has one empty side, and every other side has 3 to 25 levels', () => {
  for (const { pairs } of markets) {
    const sides = pairs.flatMap(({ pools }) => [pools.base, pools.quote])
    assert.equal(sides.filter((side) => side.length === 0).length, 1)
    for (const side of sides) {
      assert.ok(side.length === 0 || (side.length >= 3 && side.length <= 25))
      for (const pool of side) assert.ok((parseUint128(pool.total) ?? 0n) > 0n)
    }
    assert.deepEqual(findPair({ ...market, pairs }, 'thor.lqdy', 'eth-eth').pools.base, [])
  }
})

test('hubs of the demo market hold hundreds of thousands of dollars, dollar pairs a few thousand', () => {
  for (const document of markets) {
    for (const [base, quote] of [
      ['btc-btc', document.usd],
      ['eth-eth', document.usd],
      ['rune', document.usd],
      ['rune', 'btc-btc'],
    ] as const) {
      const { pools } = findPair(document, base, quote)
      assert.ok(dollars(base, sum(pools.base)) > 170_000)
      assert.ok(dollars(quote, sum(pools.quote)) > 170_000)
    }
    for (const { base, quote, pools } of document.pairs)
      if (/-usd/.test(base) && /-usd/.test(quote)) {
        assert.ok(dollars(base, sum(pools.base)) < 12_000)
        assert.ok(dollars(quote, sum(pools.quote)) > 1_500)
      }
  }
})

test('a pair of the demo market holds more of both its denoms than its orders pay', () => {
  for (const { pairs } of markets)
    for (const { pools, balances } of pairs) {
      assert.ok(BigInt(balances.base) > sum(pools.base))
      assert.ok(BigInt(balances.quote) > sum(pools.quote))
    }
})

/** The first level of a constant-product maker that is paid into `x`: output per input. */
function firstLevel(x: bigint, y: bigint, config: { step: string; fee: string }): bigint {
  const amount = mulFloor(x, decimalOf(config.step))
  const out = y - (x * y + x + amount - 1n) / (x + amount)
  assert.ok(amount >= 10_000n && out >= 10_000n)
  return ((out - mulFloor(out, decimalOf(config.fee)) - 1n) * ONE) / amount
}

test('makers of the demo market have a complete state, and their first levels do not cross the resting orders', () => {
  for (const { pairs } of markets) {
    assert.equal(pairs.flatMap((pair) => pair.makers).length, 15)
    for (const { makers, pools, base, quote } of pairs)
      for (const { strategy } of makers) {
        const [config, state] = strategy.xyk
        assert.deepEqual([config.x, config.y], [base, quote])
        const [x, y, shares] = [BigInt(state.x), BigInt(state.y), BigInt(state.shares)]
        assert.equal(BigInt(state.k), x * y)
        assert.ok(shares ** 2n <= x * y && (shares + 1n) ** 2n > x * y)
        const bid = firstLevel(x, y, config)
        const ask = (ONE * ONE) / firstLevel(y, x, config)
        assert.ok(bid < ask)
        for (const pool of pools.base.slice(0, 1)) assert.ok(bid < priceOf(pool))
        for (const pool of pools.quote.slice(0, 1)) assert.ok(ask > priceOf(pool))
      }
  }
})

test('seven denoms of the demo market are scanned for arbitrage, each with 5 to 10 dollars', () => {
  assert.equal(market.arbs.length, 7)
  assert.equal(new Set(market.arbs.map((arb) => arb.denom)).size, 7)
  for (const { denom, amount } of market.arbs) {
    const worth = dollars(denom, BigInt(amount))
    assert.ok(worth >= 5 && worth <= 10, `${denom} ${worth}`)
  }
})

test("every token of the demo market except the halted pair's can be bought with and sold for dollars", () => {
  for (const document of markets)
    for (const backwards of [false, true]) {
      const reached = new Set([document.usd])
      for (let size = 0; size < reached.size; ) {
        size = reached.size
        for (const { base, quote, pools } of trading(document)) {
          const [buying, selling] = [pools.base.length > 0, pools.quote.length > 0]
          if (reached.has(quote) && (backwards ? selling : buying)) reached.add(base)
          if (reached.has(base) && (backwards ? buying : selling)) reached.add(quote)
        }
      }
      const lost = document.tokens.filter((token) => !reached.has(token.denom))
      assert.deepEqual(
        lost.map((token) => token.symbol),
        ['cbBTC'],
      )
    }
})
