import assert from 'node:assert/strict'
import type { DemoDocument, DemoPair, DemoPool } from '../../../src/demo-chain/market/document.js'
import { demoSnapshot } from '../../../src/demo-chain/market/snapshot.js'
import { type Decimal, parseDecimal } from '../../../src/engine/math/decimal.js'

/** Markets of several seeds: a property must hold for all. */
export const markets: readonly DemoDocument[] = [0, 1, 2, 3, 42, 20_260_501, 2 ** 40].map(
  demoSnapshot,
)

/** A decimal of the document; fails on a malformed one. */
export const decimalOf = (text: string): Decimal => {
  const value = parseDecimal(text)
  assert.ok(value !== undefined, text)
  return value
}

/** Quote per base, 18 digits. */
export const priceOf = (pool: DemoPool): bigint => decimalOf(pool.price)

/** The pair of these two denoms, which must exist. */
export const findPair = (document: DemoDocument, base: string, quote: string): DemoPair => {
  const pair = document.pairs.find((one) => one.base === base && one.quote === quote)
  assert.ok(pair)
  return pair
}
