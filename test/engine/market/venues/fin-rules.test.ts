import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { compileBook, executeBook, quoteBook } from '../../../../src/engine/market/book.js'
import { isRefusal } from '../../../../src/engine/market/refusal.js'
import { type FinRules, finRules } from '../../../../src/engine/market/venues/fin-rules.js'
import { pairOf, pool, quotedMaker, stateWith } from '../../../support/books.js'
import { readJson } from '../../../support/vectors.js'

const known = { drainKnown: true, makerDrainKnown: true } as const
const FIN_1_0: FinRules = {
  tolerance: 'none',
  drain: 'ceil',
  idleMakers: 'left alone',
  newOrders: 'rest',
  ...known,
}
const FIN_1_1: FinRules = {
  tolerance: 'atom',
  drain: 'floor',
  idleMakers: 'fail',
  newOrders: 'take',
  ...known,
}
const FIN_2_1_6: FinRules = {
  tolerance: 'unknown',
  drain: 'ceil',
  drainKnown: true,
  makerDrainKnown: false,
  idleMakers: 'fail',
  newOrders: 'take',
}
const CAUTIOUS: FinRules = { ...FIN_2_1_6, drainKnown: false }

const table: readonly (readonly [string | undefined, FinRules])[] = [
  ['0.9.9', CAUTIOUS],
  ['1.0', FIN_1_0],
  ['1.0.0', FIN_1_0],
  ['1.0.9999', FIN_1_0],
  ['1.1.0', FIN_1_1],
  ['v1.1.0', FIN_1_1],
  ['1.1', FIN_1_1],
  ['1.3.2', FIN_1_1],
  ['2.0.3', FIN_1_1],
  ['2.0.3-rc1', FIN_1_1],
  ['2.0.4', CAUTIOUS],
  ['2.1.5', CAUTIOUS],
  ['2.1.6', FIN_2_1_6],
  ['2.1.6+build', FIN_2_1_6],
  ['10.0.0', FIN_2_1_6],
  ['1', CAUTIOUS],
  ['', CAUTIOUS],
  ['latest', CAUTIOUS],
  ['1.1.0.0', CAUTIOUS],
  [' 1.1.0', CAUTIOUS],
  [undefined, CAUTIOUS],
]

describe('the rules of a FIN version', () => {
  for (const [version, rules] of table)
    test(`of ${version ?? 'no version'}: ${rules.drain}, tolerance ${rules.tolerance}`, () =>
      assert.deepEqual(finRules(version), rules))
})

type Recorded = {
  readonly setup: { readonly quote_bids: readonly { price: string; total: string }[] }
  readonly results: readonly {
    readonly rujira_fin: readonly string[]
    readonly rest: string
    readonly consumed: string
    readonly returned: string
  }[]
  readonly partial: { readonly offer: string; readonly returned: string }
}

describe('a swap that drains four recorded bids', () => {
  const { setup, results, partial } = readJson<Recorded>('limit_rounding.json')
  const bid = setup.quote_bids.map(({ price, total }) => pool(price, BigInt(total)))
  const sold = (version: string, amount: bigint) => {
    const book = compileBook(stateWith({ pair: pairOf({ version }), bid }))
    const done = executeBook(book, { denom: 'base', amount })
    assert.ok(!isRefusal(done))
    return [`${done.unsold}`, `${done.sold}`, `${done.bought}`]
  }
  for (const { rujira_fin: versions, rest, consumed, returned } of results)
    for (const version of versions)
      test(`with FIN ${version} takes ${consumed} of 10,000,000,000 and returns ${rest}`, () =>
        assert.deepEqual(sold(version, 10_000_000_000n), [rest, consumed, returned]))
  for (const version of ['1.0.0', '1.3.2', '2.0.3', '2.1.6'])
    test(`with FIN ${version} pays ${partial.returned} for a part of the first bid`, () =>
      assert.equal(sold(version, BigInt(partial.offer))[2], partial.returned))
})

describe('exactness by FIN version', () => {
  const bid = [pool('0.99', 1000n), pool('0.5', 1000n)]
  const makers = [quotedMaker('maker', { bid: [['0.8', 100n]] })]
  const exact = (version: string, amount: bigint) => {
    const book = compileBook(stateWith({ pair: pairOf({ version }), bid, makers }))
    const [fill, done] = [quoteBook, executeBook].map((swap) =>
      swap(book, { denom: 'base', amount }),
    )
    assert.ok(fill && done && !isRefusal(fill) && !isRefusal(done))
    assert.equal(fill.exact, done.exact)
    return fill.exact
  }
  const rows: readonly (readonly [string, bigint, readonly [boolean, boolean, boolean]])[] = [
    ['part of an order', 500n, [true, true, true]],
    ['an order and part of a maker', 1100n, [true, true, false]],
    ['an order, a maker and part of an order', 1500n, [true, false, false]],
  ]
  for (const [title, amount, [fin11, fin216, unknown]] of rows)
    test(`of ${title}: ${fin11} with FIN 1.1, ${fin216} with 2.1.6, ${unknown} with an unknown version`, () => {
      assert.equal(exact('1.1.0', amount), fin11)
      assert.equal(exact('2.1.6', amount), fin216)
      assert.equal(exact('2.0.4', amount), unknown)
    })
  test('is false for an offer that ends an atomic short of a drain where the tolerance is unknown', () => {
    const near = (version: string) => {
      const state = stateWith({ pair: pairOf({ version }), bid: [pool('3', 1000n)] })
      const fill = quoteBook(compileBook(state), { denom: 'base', amount: 333n })
      return !isRefusal(fill) && fill.exact
    }
    assert.deepEqual(
      [near('1.0.0'), near('1.1.0'), near('2.1.6'), near('2.0.4')],
      [true, true, false, false],
    )
  })
})
