import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { DemoPair, DemoPool } from '../../../src/demo-chain/market/document.js'
import { divFloor, mulFloor, ONE } from '../../../src/engine/math/decimal.js'
import { decimalOf, findPair, markets, priceOf } from './markets.js'

const USDC = 'eth-usdc-0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'

/** Directed cycles of three pairs, each once from its alphabetically first denom. */
function triangles(pairs: readonly DemoPair[]): readonly (readonly [string, string, string])[] {
  const linked = (a: string, b: string) =>
    pairs.some(({ base, quote }) => isPair(base, quote, a, b))
  const denoms = [...new Set(pairs.flatMap(({ base, quote }) => [base, quote]))].sort()
  return denoms.flatMap((a) =>
    denoms.flatMap((b) =>
      denoms
        .filter((c) => a < b && a < c && linked(a, b) && linked(b, c) && linked(c, a))
        .map((c) => [a, b, c] as const),
    ),
  )
}

const isPair = (base: string, quote: string, a: string, b: string): boolean =>
  (base === a && quote === b) || (base === b && quote === a)

/** The output in `to` of one unit of `from` as a fraction; `undefined` where no order rests. */
type Quote = (pair: DemoPair, selling: boolean) => readonly [bigint, bigint] | undefined

const top: Quote = ({ pools }, selling) => {
  const pool = selling ? pools.quote[0] : pools.base[0]
  if (pool === undefined) return undefined
  return selling ? [priceOf(pool), ONE] : [ONE, priceOf(pool)]
}

const middle: Quote = ({ pools }, selling) => {
  const prices = [pools.base[0], pools.quote[0]].flatMap((pool) => pool ?? []).map(priceOf)
  const mid = prices.reduce((a, b) => a + b, 0n) / BigInt(prices.length)
  return selling ? [mid, ONE] : [ONE, mid]
}

/** The return of a cycle in millionths of its input, before fees. */
function product(pairs: readonly DemoPair[], cycle: readonly string[], quote: Quote): number {
  let numerator = 1_000_000n
  let denominator = 1n
  cycle.forEach((from, i) => {
    const to = cycle[(i + 1) % cycle.length] ?? ''
    const pair = pairs.find((one) => isPair(one.base, one.quote, from, to))
    const [n, d] = (pair && quote(pair, pair.base === from)) ?? [0n, 1n]
    numerator *= n
    denominator *= d
  })
  return Number(numerator / denominator)
}

/** Three taker fees of 0.15 % and the router's 0.10 %. */
const afterFees = (millionths: number): number => millionths * 0.9985 ** 3 * 0.999

test('of 37 triangles of the demo market one is profitable after fees, in one direction only', () => {
  for (const { pairs } of markets) {
    const open = pairs.filter((pair) => pair.status === 'open')
    const cycles = triangles(open)
    assert.equal(cycles.length, 2 * 37)
    const paying = cycles.filter((cycle) => afterFees(product(open, cycle, top)) > 1_000_000)
    assert.deepEqual(paying, [['btc-btc', USDC, 'rune']])
    const earned = afterFees(product(open, paying[0] ?? [], top)) / 10_000 - 100
    assert.ok(earned > 0.2 && earned < 0.8, `${earned} %`)
  }
})

test('no other triangle of the demo market is off by 1 %', () => {
  for (const { pairs } of markets) {
    const open = pairs.filter((pair) => pair.status === 'open')
    const off = triangles(open).filter(
      (cycle) => Math.abs(product(open, cycle, middle) - 1_000_000) >= 10_000,
    )
    const unordered = new Set(off.map((cycle) => cycle.toSorted().join(' ')))
    assert.deepEqual([...unordered], [`btc-btc ${USDC} rune`])
  }
})

/** The output of an offer from resting orders alone, less the taker fee; all of it must be sold. */
function sell(pools: readonly DemoPool[], offer: bigint, selling: boolean): bigint {
  let left = offer
  let bought = 0n
  for (const pool of pools) {
    const price = decimalOf(pool.price)
    const cost = selling ? divFloor(BigInt(pool.total), price) : mulFloor(BigInt(pool.total), price)
    const paid = left < cost ? left : cost
    bought += selling ? mulFloor(paid, price) : divFloor(paid, price)
    left -= paid
  }
  assert.equal(left, 0n)
  return (bought * 9985n) / 10_000n
}

test('the profitable triangle of the demo market earns on 500 dollars and loses on 20,000', () => {
  for (const document of markets) {
    const dollarsBack = (offer: bigint): bigint => {
      const runes = sell(findPair(document, 'rune', document.usd).pools.base, offer, false)
      const coins = sell(findPair(document, 'rune', 'btc-btc').pools.quote, runes, true)
      const back = sell(findPair(document, 'btc-btc', document.usd).pools.quote, coins, true)
      return (back * 999n) / 1000n
    }
    assert.ok(dollarsBack(500n * 10n ** 8n) > 501n * 10n ** 8n)
    assert.ok(dollarsBack(20_000n * 10n ** 8n) < 20_000n * 10n ** 8n)
  }
})
