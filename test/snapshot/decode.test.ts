import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { simulateBook } from '../../src/market/book.js'
import { isRefusal } from '../../src/market/refusal.js'
import { decodeSnapshot, InvalidSnapshot } from '../../src/snapshot/decode.js'
import { documentOf, type PairDocument, pairOf } from '../support/markets.js'

const bids = [
  ['2', '1000'],
  ['1', '500'],
] as const
const sound = pairOf(['sound', 'a', 'b'], { asks: [['3', '70']], bids })
const other = pairOf(['other', 'b', 'c'], { bids })
const whole = documentOf([sound, other])

/** The document with one value replaced; `undefined` takes the member away. */
function withValue(document: object, path: string, value: unknown): unknown {
  const copy = structuredClone(document)
  const keys = path.split('/')
  const last = keys.pop()!
  let at: Record<string, unknown> = copy as Record<string, unknown>
  for (const key of keys) at = at[key] as Record<string, unknown>
  if (value === undefined) delete at[last]
  else at[last] = value
  return copy
}

function refusalOf(json: unknown): InvalidSnapshot {
  try {
    decodeSnapshot(json, 'market.json')
  } catch (error) {
    if (error instanceof InvalidSnapshot) return error
    throw error
  }
  return assert.fail('the document was read')
}

const token = { denom: 'a', decimals: 8, symbol: 'A', name: 'A', chain: 'X', kind: 'native' }

describe('a document that is malformed outside its pairs is refused with the first fault', () => {
  const table: readonly (readonly [title: string, path: string, value: unknown, at?: string])[] = [
    ['no format', 'format', undefined],
    ['an older format', 'format', 'swap.snapshot/0'],
    ['a format of a number', 'format', 1],
    ['no network', 'network', undefined],
    ['an empty network', 'network', ''],
    ['no chain id', 'chain_id', null],
    ['no height', 'height', undefined],
    ['a height of text', 'height', '7'],
    ['half a height', 'height', 7.5],
    ['a negative height', 'height', -1],
    ['a height that JSON cannot hold', 'height', 2 ** 53],
    ['no time', 'time', undefined],
    ['a time of another zone', 'time', '2026-05-01T00:00:00+02:00'],
    ['a time without seconds', 'time', '2026-05-01T00:00Z'],
    ['a time of a number', 'time', 1_777_777_777],
    ['no tokens', 'tokens', undefined],
    ['tokens in an object', 'tokens', {}],
    ['a token of text', 'tokens/0', 'a'],
    ['a token without a denom', 'tokens/0/denom', undefined],
    ['a token twice', 'tokens/1/denom', 'a', '/tokens/1'],
    ['decimals of text', 'tokens/0/decimals', '8'],
    ['39 decimals', 'tokens/0/decimals', 39],
    ['a token of another kind', 'tokens/0/kind', 'wrapped'],
    ['a symbol that is empty', 'tokens/0/symbol', ''],
    ['a contract of a number', 'tokens/0/contract', 5],
    ['a reference token of a number', 'usd', 5],
    ['no router', 'router', undefined],
    ['no dialect', 'router/dialect', undefined],
    ['another dialect', 'router/dialect', 'auto'],
    ['a router fee of text', 'router/fee_bps', '10'],
    ['a router fee above all', 'router/fee_bps', 10_001],
    ['affiliates in a list', 'router/affiliates', []],
    ['an affiliate of text', 'router/affiliates', { 'a/b~c': 'x' }, '/router/affiliates/a~1b~0c'],
    [
      'an affiliate without a share',
      'router/affiliates',
      { x: { affiliate_fee_bps: 1 } },
      '/router/affiliates/x/referral_fee_share_bps',
    ],
    ['a router balance of a number', 'router/balances', { a: 5 }, '/router/balances/a'],
    ['arbs in an object', 'arbs', {}],
    ['an arb without an amount', 'arbs', [{ denom: 'a' }], '/arbs/0/amount'],
    ['no pairs', 'pairs', undefined],
    ['pairs in an object', 'pairs', {}],
    ['a pair of text', 'pairs/1', 'x', '/pairs/1'],
    ['a pair of null', 'pairs/1', null, '/pairs/1'],
    ['a pair without an address', 'pairs/1/address', undefined],
    ['a pair twice', 'pairs/1/address', 'sound'],
  ]

  for (const [title, path, value, at] of table)
    test(title, () => {
      const error = refusalOf(withValue(whole, path, value))
      const pointer = at ?? `/${path}`
      assert.deepEqual(
        [error.code, error.members],
        ['INVALID_SNAPSHOT', { path: 'market.json', pointer }],
      )
      assert.ok(error.why?.startsWith(`${pointer} `), error.why)
    })

  for (const json of [null, undefined, [], 'text', 5, true])
    test(`a document of ${JSON.stringify(json)}`, () =>
      assert.deepEqual(refusalOf(json).members, { path: 'market.json', pointer: '' }))

  test('a fault is told in one short line, however long the value', () => {
    const { why } = refusalOf(withValue(whole, 'network', Array(1e5).fill('x'.repeat(99))))
    assert.ok(why && why.length < 120 && !why.includes('\n'), why)
  })
})

describe('a pair that is malformed is left out whole with the first fault, the others stay', () => {
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
    [
      'a book that is not sorted',
      { pools: undefined, book: book([level('2', '5'), level('1', '5')], []) },
      'book/base/1/price',
    ],
    ['a book that says nothing of a side', { pools: undefined, book: { base: [] } }, 'book/quote'],
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
    test(title, () => {
      const broken = { ...sound, ...members } as PairDocument
      const document = JSON.parse(JSON.stringify({ ...whole, pairs: [broken, other] }))
      const market = decodeSnapshot(document, 'x')
      assert.deepEqual([...market.books.keys()], ['other'])
      assert.equal(market.excluded.length, 1)
      const { address, reason } = market.excluded[0]!
      assert.equal(address, 'sound')
      assert.match(reason, new RegExp(`^quarantined: /pairs/0/${at} `), reason)
    })
})

describe('what is read although it looks odd', () => {
  const read = (members: object, router: object = {}) => {
    const pair = { ...sound, ...members } as PairDocument
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

  test('a crossed book: the arbitrage step of an execution uncrosses it', () => {
    const market = read({
      pools: { base: [{ price: '1', total: '70' }], quote: [{ price: '2', total: '50' }] },
    })
    const settled = market.books.get('sound')!.settled()
    assert.ok(!isRefusal(settled) && settled.changed)
  })

  test('a side of 10,000 levels, to its end', () => {
    const base = Array.from({ length: 10_000 }, (_, i) => ({ price: `${i + 1}`, total: '1' }))
    const { books } = read({ pools: { base, quote: [] } })
    const fill = simulateBook(books.get('sound')!, { denom: 'b', amount: 10n ** 9n })
    assert.ok(!isRefusal(fill) && fill.groups === 10_000 && fill.bought === 10_000n)
  })

  test('members that this version does not know, however deep', () => {
    let deep: unknown = []
    for (let i = 0; i < 2_000; i += 1) deep = [deep]
    const market = read({ deep, future: { a: [1] } }, { deep, extra: 1, __proto__: null })
    assert.equal(market.books.size, 2)
  })

  test('members named like those of a prototype', () => {
    const text = JSON.stringify(whole).replace(
      '"dialect"',
      '"__proto__":{"fee_bps":9999},"constructor":1,"dialect"',
    )
    const market = decodeSnapshot(JSON.parse(text), 'x')
    assert.equal(market.router.feeBps, 0n)
    assert.equal(market.router.affiliates.get('__proto__'), undefined)
  })

  test('an affiliate and a balance named __proto__, as names like any other', () => {
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

  test('no version, which is the cautious one, and an unknown version', () => {
    for (const fin_version of [undefined, null, '9.9.9', 'x'])
      assert.equal(read({ fin_version }).books.get('sound')!.state.pair.rules.drainKnown, false)
  })

  test('an empty pool, which is none', () => {
    const quote = [
      { price: '2', total: '0' },
      { price: '1', total: '500' },
    ]
    assert.equal(simulated({ pools: { base: [], quote } }), 400n)
  })

  test('oracle pools beside fixed ones, equal prices included', () => {
    const quote = [
      { price: '2', total: '300' },
      { price: '2', total: '300', bps: -5 },
      { price: '2', total: '100', bps: -5 },
    ]
    assert.equal(simulated({ pools: { base: [], quote } }), 700n)
  })

  test('makers in any order, asked in the order of their addresses', () => {
    const { books } = read({ makers: [{ address: 'm2' }, { address: 'm10' }, { address: 'm1' }] })
    assert.deepEqual(
      books.get('sound')!.state.makers.map((maker) => maker.address),
      ['m1', 'm10', 'm2'],
    )
  })

  test('a pair that is not open is left out with its status and reason', () => {
    const pairs = [
      { address: 'p', status: 'halted', reason: 'upgrade' },
      { address: 'q', status: 'unreadable' },
      { address: 'r', status: 'halted', reason: '' },
    ]
    const market = decodeSnapshot({ ...whole, pairs: [...whole.pairs, ...pairs] }, 'x')
    assert.deepEqual(market.excluded, [
      { address: 'p', reason: 'halted: upgrade' },
      { address: 'q', reason: 'unreadable: no reason given' },
      { address: 'r', reason: 'halted: no reason given' },
    ])
  })

  test('the levels of a maker that quotes in another order than it should', () => {
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

  test('but no resting orders in another order than the contract keeps them', () => {
    const book = {
      base: [],
      quote: [
        { price: '1', total: '5' },
        { price: '2', total: '7' },
      ],
    }
    const silent = { address: 'm', levels: { base: [], quote: [] } }
    const pair = { ...sound, pools: undefined, book, makers: [silent] }
    const document = JSON.parse(JSON.stringify({ ...whole, pairs: [pair, other] }))
    assert.deepEqual([...decodeSnapshot(document, 'x').books.keys()], ['other'])
  })

  test('a level of a maker that holds nothing, which the book shows as nothing', () => {
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

  test('the token list of a document without any pair', () => {
    const market = decodeSnapshot({ ...whole, tokens: [token], pairs: [] }, 'x')
    assert.deepEqual([[...market.tokens.keys()], market.books.size], [['a'], 0])
  })
})
