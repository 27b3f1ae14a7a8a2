import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { eventOf } from '../../../../src/demo-chain/modules/contract.js'
import {
  parseQuery,
  QuerySyntaxError,
  searchBlocks,
  searchTxs,
  someEventMeets,
  tagsMeet,
  tagsOf,
} from '../../../../src/demo-chain/node/search/search.js'
import { chainOf, grow, majorPairs } from '../../../support/chain.js'

const faultOf = (text: string): string => {
  try {
    parseQuery(text)
  } catch (error) {
    if (error instanceof QuerySyntaxError) return error.message
    throw error
  }
  return 'no fault'
}

describe('a search query', () => {
  test('is a list of conditions joined by AND', () => {
    assert.deepEqual(parseQuery("tm.event='Tx' AND a.b >= 5 AND c.d = 'x y'"), [
      { key: 'tm.event', operator: '=', argument: 'Tx' },
      { key: 'a.b', operator: '>=', argument: '5' },
      { key: 'c.d', operator: '=', argument: 'x y' },
    ])
  })

  const faults: readonly (readonly [string, number])[] = [
    ['', 0],
    ['   ', 0],
    ['message.sender=', 0],
    ['foo bar', 0],
    ['foo', 0],
    ["wasm-a/b.c='x'", 0],
    ["'x'='y'", 0],
    ['a=b', 0],
    ["a<'b'", 0],
    ["a CONTAINS 'b'", 0],
    ['a EXISTS', 0],
    ["a='b' OR c='d'", 0],
    ["a='b' AND", 9],
    ["a='b", 0],
    ['a!=5', 0],
    ['a>1.5', 0],
    ['a='.padEnd(200, '1'), 0],
    ['AND=5', 0],
  ]
  for (const [text, at] of faults)
    test(`${JSON.stringify(text)} is refused at character ${at}`, () => {
      assert.equal(faultOf(text), `no condition at character ${at}`)
    })

  test('of any text is read or refused', () => {
    const piece = fc.constantFrom(
      "'",
      '=',
      '<',
      '>',
      ' ',
      'AND',
      'TIME ',
      'a.b',
      '5',
      '.',
      '/',
      'é',
      '2026-05-01',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece).map((all) => all.join('')),
        ),
        (text) => {
          assert.equal(typeof faultOf(text), 'string')
        },
      ),
      { numRuns: 500 },
    )
  })
})

describe('search conditions', () => {
  const event = eventOf('transfer', ['sender', 'a'], ['amount', '8rune'], ['size', '09'])
  const other = eventOf(
    'transfer',
    ['sender', 'b'],
    ['amount', '9rune'],
    ['at', '2026-05-01T12:00:00.5Z'],
  )
  const tags = tagsOf([event, other], [['tm.event', 'Tx']])

  const cases: readonly (readonly [query: string, subscribed: boolean, indexed: boolean])[] = [
    ["transfer.sender='a'", true, true],
    ["transfer.sender='c'", false, false],
    ["transfer.sender='a' AND transfer.amount='8rune'", true, true],
    // A subscription evaluates all events together, the index each event separately.
    ["transfer.sender='a' AND transfer.amount='9rune'", true, false],
    ['transfer.amount=8', false, false],
    ['transfer.amount>7', false, false],
    ['transfer.size=9', false, false],
    ['transfer.size=09', true, true],
    ['transfer.size>8', true, true],
    ['transfer.size<=9', true, true],
    ['transfer.size<10', true, true],
    ['transfer.size<9', false, false],
    ["tm.event='Tx'", true, false],
  ]
  for (const [query, subscribed, indexed] of cases)
    test(`${query} is ${subscribed} for a subscription and ${indexed} in the index`, () => {
      const conditions = parseQuery(query)
      assert.equal(tagsMeet(tags, conditions), subscribed)
      assert.equal(someEventMeets([event, other], conditions), indexed)
    })
})

describe('the transaction index', () => {
  const chain = chainOf({ keep: 12 }, majorPairs)
  grow(chain, 12)
  const everything = searchTxs(chain, 'tx.height>0')

  test('finds every kept transaction once, oldest first', () => {
    const hashes = []
    for (let height = chain.earliest; height <= chain.height; height++)
      for (const tx of chain.block(height)?.txs ?? []) hashes.push(tx.hash)
    assert.ok(hashes.length > 10)
    assert.deepEqual(
      everything.map(({ tx }) => tx.hash),
      hashes,
    )
  })

  test('finds what a scan of every event finds', () => {
    for (const { tx } of everything.slice(0, 4))
      for (const { type, attributes } of tx.result.events.slice(0, 8))
        for (const { key, value } of attributes) {
          if (!/^[\w.-]+$/.test(`${type}.${key}`) || value.includes("'")) continue
          const query = `${type}.${key}='${value}'`
          const wanted = everything.filter((each) =>
            each.tx.result.events.some(
              (event) =>
                event.type === type &&
                event.attributes.some((own) => own.key === key && own.value === value),
            ),
          )
          assert.deepEqual(
            searchTxs(chain, query).map(({ tx: { hash } }) => hash),
            wanted.map(({ tx: { hash } }) => hash),
            query,
          )
        }
  })

  test('respects a range of heights', () => {
    const middle = chain.height - 6
    const found = (query: string) => searchTxs(chain, query).map(({ block }) => block.header.height)
    assert.ok(found(`tx.height>${middle}`).every((height) => height > middle))
    assert.ok(found(`tx.height=${middle}`).every((height) => height === middle))
    assert.ok(
      found(`tx.height>=${middle} AND tx.height<${middle + 3} AND message.module='wasm'`).every(
        (height) => height >= middle && height < middle + 3,
      ),
    )
    assert.deepEqual(found(`tx.height=${middle} AND tx.height>${middle}`), [])
  })

  test('finds a hash in either case and ignores the other conditions', () => {
    const { tx } = everything[3] ?? { tx: { hash: '' } }
    for (const hash of [tx.hash, tx.hash.toLowerCase()])
      assert.equal(searchTxs(chain, `tx.hash='${hash}' AND a.b='c'`)[0]?.tx.hash, tx.hash)
    assert.deepEqual(searchTxs(chain, "tx.hash='xy'"), [])
  })

  test('finds blocks by their height', () => {
    assert.deepEqual(
      searchBlocks(chain, `block.height>${chain.height - 3}`).map(({ header }) => header.height),
      [chain.height - 2, chain.height - 1, chain.height],
    )
    assert.deepEqual(searchBlocks(chain, "mint.amount='1'"), [])
  })
})
