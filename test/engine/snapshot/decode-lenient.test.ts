import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { simulateBook } from '../../../src/engine/market/book.js'
import { isRefusal } from '../../../src/engine/market/refusal.js'
import { decodeSnapshot } from '../../../src/engine/snapshot/decode.js'
import type { PairDocument } from '../../support/markets.js'
import { other, validPair, whole } from './two-pairs.js'

describe('a snapshot document that is unusual but valid', () => {
  const read = (members: object, router: object = {}) => {
    const pair = { ...validPair, ...members } as PairDocument
    const document = JSON.parse(JSON.stringify({ ...whole, ...router, pairs: [pair, other] }))
    const market = decodeSnapshot(document, 'x')
    assert.deepEqual(market.excluded, [])
    return market
  }
  const simulated = (members: object) => {
    const offer = { denom: 'a', amount: 400n }
    const fill = simulateBook(read(members).books.get('sound')!, offer)
    return isRefusal(fill) ? fill.refused : fill.bought
  }

  test('may have a crossed book, which the arbitrage step of an execution uncrosses', () => {
    const market = read({
      pools: { base: [{ price: '1', total: '70' }], quote: [{ price: '2', total: '50' }] },
    })
    const arbitrage = market.books.get('sound')!.afterArbitrage()
    assert.ok(!isRefusal(arbitrage) && arbitrage.changed)
  })

  test('may have a side of 10,000 levels, all of which are read', () => {
    const base = Array.from({ length: 10_000 }, (_, i) => ({ price: `${i + 1}`, total: '1' }))
    const { books } = read({ pools: { base, quote: [] } })
    const fill = simulateBook(books.get('sound')!, { denom: 'b', amount: 10n ** 9n })
    assert.ok(!isRefusal(fill) && fill.groups === 10_000 && fill.bought === 10_000n)
  })

  test('may have members unknown to this version, at any depth', () => {
    let deep: unknown = []
    for (let i = 0; i < 2_000; i += 1) deep = [deep]
    const market = read({ deep, future: { a: [1] } }, { deep, extra: 1, __proto__: null })
    assert.equal(market.books.size, 2)
  })

  test('may have members named like those of a prototype', () => {
    const text = JSON.stringify(whole).replace(
      '"dialect"',
      '"__proto__":{"fee_bps":9999},"constructor":1,"dialect"',
    )
    const market = decodeSnapshot(JSON.parse(text), 'x')
    assert.equal(market.router.feeBps, 0n)
    assert.equal(market.router.affiliates.get('__proto__'), undefined)
  })

  test('may have an affiliate and a balance named __proto__', () => {
    const text = JSON.stringify({
      ...whole,
      router: {
        ...(whole['router'] as object),
        affiliates: { X: { affiliate_fee_bps: 1, referral_fee_share_bps: 2 } },
        balances: { Y: '5' },
      },
    })
    const market = decodeSnapshot(
      JSON.parse(text.replace('"X"', '"__proto__"').replace('"Y"', '"__proto__"')),
      'x',
    )
    assert.equal(market.router.affiliates.get('__proto__')?.affiliateFeeBps, 1n)
    assert.equal(market.router.balances.get('__proto__'), 5n)
  })

  test('may have no FIN version, which is treated like an unknown version', () => {
    for (const fin_version of [undefined, null, '0.9.0', '2.0.4', 'x'])
      assert.equal(read({ fin_version }).books.get('sound')!.state.pair.rules.drainKnown, false)
  })

  test('may have an empty pool, which is dropped', () => {
    const quote = [
      { price: '2', total: '0' },
      { price: '1', total: '500' },
    ]
    assert.equal(simulated({ pools: { base: [], quote } }), 400n)
  })

  test('may have oracle pools beside fixed ones, at equal prices included', () => {
    const quote = [
      { price: '2', total: '300' },
      { price: '2', total: '300', bps: -5 },
      { price: '2', total: '100', bps: -6 },
    ]
    assert.equal(simulated({ oracles: ['x', 'y'], pools: { base: [], quote } }), 700n)
  })

  test('may list makers in any order; they quote in the order of their addresses', () => {
    const { books } = read({ makers: [{ address: 'm2' }, { address: 'm10' }, { address: 'm1' }] })
    assert.deepEqual(
      books.get('sound')!.state.makers.map((maker) => maker.address),
      ['m1', 'm10', 'm2'],
    )
  })

  test('may have a pair that is not open, which is excluded with its status and reason', () => {
    const pairs = [
      { address: 'p', status: 'halted', reason: 'upgrade' },
      { address: 'q', status: 'unreadable' },
    ]
    const market = decodeSnapshot({ ...whole, pairs: [...whole.pairs, ...pairs] }, 'x')
    assert.deepEqual(market.excluded, [
      { address: 'p', status: 'halted', reason: 'halted: upgrade' },
      { address: 'q', status: 'unreadable', reason: 'unreadable: no reason given' },
    ])
  })

  test('may have a maker whose levels are not in the usual order', () => {
    const book = {
      base: [],
      quote: [
        { price: '1', total: '5' },
        { price: '2', total: '7' },
      ],
    }
    const levels = {
      base: [],
      quote: [
        { price: '1', size: '5' },
        { price: '2', size: '7' },
      ],
    }
    const members = { pools: undefined, book, makers: [{ address: 'm', levels }] }
    assert.equal(read(members).books.size, 2)
  })

  test('may have a halted pair with an empty reason', () => {
    const pair = { address: 'r', status: 'halted', reason: '' }
    const market = decodeSnapshot({ ...whole, pairs: [pair] }, 'x')
    assert.match(market.excluded[0]!.reason, /^halted/)
  })

  test('may not have resting orders in another order than the contract keeps them', () => {
    const book = {
      base: [],
      quote: [
        { price: '1', total: '5' },
        { price: '2', total: '7' },
      ],
    }
    const silent = { address: 'm', levels: { base: [], quote: [] } }
    const pair = { ...validPair, pools: undefined, book, makers: [silent] }
    const document = JSON.parse(JSON.stringify({ ...whole, pairs: [pair, other] }))
    assert.deepEqual([...decodeSnapshot(document, 'x').books.keys()], ['other'])
  })

  test('may have a level of a maker that holds nothing, which the book omits', () => {
    const levels = {
      base: [],
      quote: [
        { price: '2', size: '0' },
        { price: '1', size: '5' },
      ],
    }
    const book = {
      base: [],
      quote: [
        { price: '2', total: '0' },
        { price: '1', total: '8' },
      ],
    }
    const { books } = read({ pools: undefined, book, makers: [{ address: 'm', levels }] })
    assert.deepEqual(
      books.get('sound')!.state.bids.fixed.map(({ total }) => total),
      [3n],
    )
  })

  test('has its token list even without any pair', () => {
    const market = decodeSnapshot({ ...whole, pairs: [] }, 'x')
    assert.deepEqual([[...market.tokens.keys()], market.books.size], [['a', 'b', 'c'], 0])
  })
})
