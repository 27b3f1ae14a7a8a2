import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { decodeSnapshot } from '../../../src/engine/snapshot/decode.js'
import type { PairDocument } from '../../support/markets.js'
import { bids, other, validPair, whole } from './two-pairs.js'

describe('a malformed pair is excluded with its first fault while the other pairs are read', () => {
  const level = (price: unknown, total: unknown) => ({ price, total })
  const book = (base: unknown, quote: unknown) => ({ base, quote })
  const xyk = (config: object, state: object = {}) => [
    {
      address: 'm',
      strategy: {
        xyk: [
          { x: 'a', y: 'b', step: '0.01', min_quote: '1', fee: '0', ...config },
          { x: '1000', y: '2000', ...state },
        ],
      },
    },
  ]
  const oracleBids = (...distances: readonly number[]) => ({
    oracles: ['x', 'y'],
    pools: book(
      [],
      distances.map((bps) => ({ ...level('1', '5'), bps })),
    ),
  })
  const table: readonly (readonly [title: string, members: object, at: string])[] = [
    ['no status', { status: undefined }, 'status'],
    ['no base', { base: undefined }, 'base'],
    ['base and quote alike', { quote: 'a' }, 'quote'],
    ['a base that is no token', { base: 'zzz' }, 'base'],
    ['a quote that is no token', { quote: '__proto__' }, 'quote'],
    ['a tick of 0', { tick: 0 }, 'tick'],
    ['a tick of 39', { tick: 39 }, 'tick'],
    ['a tick of text', { tick: '6' }, 'tick'],
    ['a taker fee of 1', { fee_taker: '1' }, 'fee_taker'],
    ['a taker fee of a number', { fee_taker: 0.0015 }, 'fee_taker'],
    ['a negative taker fee', { fee_taker: '-0.1' }, 'fee_taker'],
    ['no maker fee', { fee_maker: undefined }, 'fee_maker'],
    ['a version of a number', { fin_version: 1.1 }, 'fin_version'],
    ['one oracle', { oracles: ['x'] }, 'oracles'],
    ['three oracles', { oracles: ['x', 'y', 'z'] }, 'oracles'],
    ['ranges in an object', { ranges: {} }, 'ranges'],
    ['half of its balances', { balances: { base: '1' } }, 'balances/quote'],
    ['neither book nor pools', { pools: undefined }, 'book'],
    ['pools of one side', { pools: { base: [] } }, 'pools/quote'],
    ['a negative price', { pools: book([], [level('-1', '5')]) }, 'pools/quote/0/price'],
    ['a price of NaN', { pools: book([], [level('NaN', '5')]) }, 'pools/quote/0/price'],
    ['a price of a number', { pools: book([], [level(1.5, '5')]) }, 'pools/quote/0/price'],
    [
      'a price of 19 decimals',
      { pools: book([], [level('1.0000000000000000001', '5')]) },
      'pools/quote/0/price',
    ],
    ['a price of zero', { pools: book([], [level('0', '5')]) }, 'pools/quote/0/price'],
    [
      'a price without an inverse',
      { pools: book([level('1000000000000000001', '5')], []) },
      'pools/base/0/price',
    ],
    [
      'a price above 128 bits',
      { pools: book([level('9'.repeat(21), '5')], []) },
      'pools/base/0/price',
    ],
    ['a price with an exponent', { pools: book([level('1e3', '5')], []) }, 'pools/base/0/price'],
    ['a total of a number', { pools: book([level('1', 5)], []) }, 'pools/base/0/total'],
    ['a total of 2^128', { pools: book([level('1', `${2n ** 128n}`)], []) }, 'pools/base/0/total'],
    ['a total with a leading zero', { pools: book([level('1', '05')], []) }, 'pools/base/0/total'],
    [
      'asks that are not sorted',
      { pools: book([level('2', '5'), level('1', '5')], []) },
      'pools/base/1/price',
    ],
    [
      'bids that are not sorted',
      { pools: book([], [level('1', '5'), level('2', '5')]) },
      'pools/quote/1/price',
    ],
    [
      'two pools of one price',
      { pools: book([level('1', '5'), level('1', '5')], []) },
      'pools/base/1/price',
    ],
    [
      'a sum of one part',
      { pools: book([{ ...level('1', '5'), sum: ['1'] }], []) },
      'pools/base/0/sum',
    ],
    [
      'a product of 2^256',
      { pools: book([{ ...level('1', '5'), product: [`${2n ** 256n}`, 0] }], []) },
      'pools/base/0/product/0',
    ],
    [
      'a distance of text',
      { pools: book([{ ...level('1', '5'), bps: '5' }], []) },
      'pools/base/0/bps',
    ],
    ['a distance that leaves no price', oracleBids(-10_000), 'pools/quote/0/bps'],
    ['an oracle pool without oracles', { ...oracleBids(-5), oracles: null }, 'pools'],
    ['two pools of one distance', oracleBids(-5, -5), 'pools/quote/1/price'],
    ['distances that are not sorted', oracleBids(-6, -5), 'pools/quote/1/price'],
    [
      'a book that is not sorted',
      { pools: undefined, book: book([level('2', '5'), level('1', '5')], []) },
      'book/base/1/price',
    ],
    ['a book that says nothing of a side', { pools: undefined, book: { base: [] } }, 'book/quote'],
    [
      'a book that is truncated before its first level',
      { pools: undefined, book: { ...book([], []), truncated: { base: false, quote: true } } },
      'book/quote',
    ],
    [
      'a book of another height than its pools',
      {
        book: book(
          [level('3', '71')],
          bids.map(([p, t]) => level(p, t)),
        ),
      },
      'book/base',
    ],
    [
      'a book with a level that its pools lack',
      {
        book: book(
          [level('3', '70'), level('4', '1')],
          bids.map(([p, t]) => level(p, t)),
        ),
      },
      'book/base',
    ],
    [
      'a book without a level of its pools',
      { book: book([level('3', '70')], [level('2', '1000')]) },
      'book/quote',
    ],
    [
      'a book that lacks what a maker quotes',
      { pools: undefined, book: book([], []), makers: xyk({ step: '0.5' }) },
      'book/base',
    ],
    ['makers in an object', { makers: {} }, 'makers'],
    ['a maker without an address', { makers: [{}] }, 'makers/0/address'],
    ['a maker twice', { makers: [{ address: 'm' }, { address: 'n' }, { address: 'm' }] }, 'makers'],
    [
      'a strategy of another kind',
      { makers: [{ address: 'm', strategy: { curve: [] } }] },
      'makers/0/strategy/xyk',
    ],
    [
      'a strategy without a state',
      { makers: [{ address: 'm', strategy: { xyk: [{}] } }] },
      'makers/0/strategy/xyk',
    ],
    ['a maker fee of 1', { makers: xyk({ fee: '1' }) }, 'makers/0/strategy/xyk/0/fee'],
    ['a step of a number', { makers: xyk({ step: 0.01 }) }, 'makers/0/strategy/xyk/0/step'],
    ['a reserve of a number', { makers: xyk({}, { x: 1000 }) }, 'makers/0/strategy/xyk/1/x'],
    [
      'quotes of one side',
      { makers: [{ address: 'm', levels: { base: [] } }] },
      'makers/0/levels/quote',
    ],
    [
      'a quote at zero',
      { makers: [{ address: 'm', levels: { base: [{ price: '0', size: '1' }], quote: [] } }] },
      'makers/0/levels/base/0/price',
    ],
  ]

  for (const [title, members, at] of table)
    test(`with ${title}`, () => {
      const invalidPair = { ...validPair, ...members } as PairDocument
      const document = JSON.parse(JSON.stringify({ ...whole, pairs: [invalidPair, other] }))
      const market = decodeSnapshot(document, 'x')
      assert.deepEqual([...market.books.keys()], ['other'])
      assert.equal(market.excluded.length, 1)
      const { address, reason } = market.excluded[0]!
      assert.equal(address, 'sound')
      assert.match(reason, new RegExp(`^quarantined: /pairs/0/${at} `), reason)
    })
})
