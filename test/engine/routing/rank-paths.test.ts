import assert from 'node:assert/strict'
import { test } from 'vitest'
import { type Limits, type PathQuery, queryOf } from '../../../src/engine/routing/query.js'
import { type RankedPath, rankPaths } from '../../../src/engine/routing/rank-paths.js'
import { documentOf, marketOf, type PairDocument, pairOf } from '../../support/markets.js'

/** A search from `a` to `z`. */
function search(pairs: readonly PairDocument[], limits: Partial<Limits> = {}): PathQuery {
  const { graph } = marketOf(documentOf(pairs))
  const open = { maxHops: 4, via: [], exclude: [], affiliate: undefined }
  return queryOf(graph, 'a', 'z', { ...open, ...limits })
}

const pathText = ({ edges, output }: RankedPath): string =>
  `${edges.map((edge) => edge.book.state.pair.address).join(' ')} pays ${output}`

const ranking = (query: PathQuery, amount: bigint, count = 9): readonly string[] =>
  rankPaths(query, amount, count).found.map(pathText)

const best = (query: PathQuery, amount: bigint): string | undefined => {
  const [found] = rankPaths(query, amount, 1).found
  return found && pathText(found)
}

/** A pair that accepts at most so much, at one price. */
const oneWay = (address: string, from: string, to: string, price: string, depth = '1000000') =>
  pairOf([address, from, to], { bids: [[price, depth]] })

test('paths with equal outputs are ranked by the addresses of their pairs, whatever their length', () => {
  const query = search([
    oneWay('b', 'a', 'z', '1'),
    oneWay('a2', 'm', 'z', '1'),
    oneWay('c', 'a', 'm', '1'),
    oneWay('a1', 'a', 'm', '1'),
    oneWay('B', 'a', 'z', '1'),
  ])
  assert.deepEqual(ranking(query, 7n), ['B pays 7', 'a1 a2 pays 7', 'b pays 7', 'c a2 pays 7'])
  assert.deepEqual(ranking(query, 7n, 2), ['B pays 7', 'a1 a2 pays 7'])
  assert.equal(best(query, 7n), 'B pays 7')
})

test('a larger amount that the next book refuses does not hide a smaller one that it accepts', () => {
  const query = search([
    oneWay('generous', 'a', 'm', '2'),
    oneWay('thrifty', 'a', 'm', '1'),
    oneWay('last', 'm', 'z', '1', '150'),
  ])
  assert.equal(best(query, 100n), 'thrifty last pays 100')
  assert.equal(best(query, 70n), 'generous last pays 140')
})

test('a pool whose cost leaves 128 bits is never drained, and fills smaller offers', () => {
  const query = search([oneWay('huge', 'a', 'z', '0.000000000000000001', `${10n ** 30n}`)])
  assert.equal(best(query, 10n ** 20n), 'huge pays 100')
  assert.equal(best(query, 10n ** 38n), 'huge pays 100000000000000000000')
})

test('the search offers no path through a profitable cycle, and still finds the best path', () => {
  const query = search([
    oneWay('am', 'a', 'm', '1'),
    oneWay('mn', 'm', 'n', '2'),
    oneWay('nm', 'n', 'm', '2'),
    oneWay('mz', 'm', 'z', '1'),
  ])
  assert.equal(best(query, 100n), 'am mz pays 100')
  assert.deepEqual(ranking(query, 100n), ['am mz pays 100'])
})

test('the search respects its limits: hops, denoms and pairs to visit, denoms and pairs to avoid', () => {
  const pairs = [
    oneWay('am', 'a', 'm', '1'),
    oneWay('an', 'a', 'n', '3'),
    oneWay('mn', 'm', 'n', '1'),
    oneWay('nz', 'n', 'z', '1'),
    oneWay('mz', 'm', 'z', '2'),
  ]
  const paths = (limits: Partial<Limits>) => ranking(search(pairs, limits), 10n)
  const all = ['an nz pays 30', 'am mz pays 20', 'am mn nz pays 10']
  assert.deepEqual(paths({}), all)
  assert.deepEqual(paths({ maxHops: 2 }), all.slice(0, 2))
  assert.deepEqual(paths({ maxHops: 1 }), [])
  assert.deepEqual(paths({ via: ['m'] }), all.slice(1))
  assert.deepEqual(paths({ via: ['m', 'n'] }), all.slice(2))
  assert.deepEqual(paths({ via: ['mn'] }), all.slice(2))
  assert.deepEqual(paths({ via: ['a', 'z'] }), all)
  assert.deepEqual(paths({ exclude: ['n'] }), all.slice(1, 2))
  assert.deepEqual(paths({ exclude: ['an', 'mz'] }), all.slice(2))
  assert.deepEqual(paths({ exclude: ['a'] }), [])
  assert.deepEqual(paths({ via: ['m'], exclude: ['m'] }), [])
})

test('a book without its makers may pay more than its best price, and is not pruned for that', () => {
  const bids = [
    ['19', '90'],
    ['18.9', '94'],
  ] as const
  const known = pairOf(['known', 'a', 'z'], { bids: [['20', '1000']] })
  const book = {
    base: [],
    quote: bids.map(([price, total]) => ({ price, total })),
  }
  const { pools: _pools, makers: _makers, ...rest } = pairOf(['seen', 'a', 'z'], {})
  const query = search([known, { ...rest, book, fin_version: '1.0.0' }])
  assert.deepEqual(ranking(query, 5n), ['seen pays 108', 'known pays 100'])
  assert.deepEqual(ranking(query, 5n, 1), ['seen pays 108'])
  assert.equal(best(query, 5n), 'seen pays 108')
})

test('a pool behind the end of a ladder may accept a small offer, so its path is searched', () => {
  const xyk = [
    { x: 'a', y: 'm', step: '0.01', min_quote: '9000', fee: '0' },
    { x: '1000000', y: '1000000' },
  ]
  const query = search([
    pairOf(
      ['ladder', 'a', 'm'],
      { bids: [['0.001', '10000000']] },
      { makers: [{ address: 'maker', strategy: { xyk } }] },
    ),
    oneWay('small', 'm', 'z', '1', '300000'),
  ])
  assert.equal(best(query, 1_000_000n), 'ladder small pays 95590')
})

test('a path through a pair whose arbitrage step fails is reported with that reason', () => {
  // The sides do not cross, but the step tries them and ends one atomic short of the bid.
  const stuck = pairOf(
    ['stuck', 'a', 'z'],
    { asks: [['0.154609', '14']], bids: [['0.145069', '3']] },
    { fin_version: '2.1.6' },
  )
  const { rejected } = rankPaths(search([stuck]), 7n, 5, true)
  assert.deepEqual(
    rejected.map(({ refusal }) => [refusal.refused, refusal.why.split(':')[0]]),
    [['abort_window', 'arbitrage step']],
  )
})

test('a path whose second hop is closed is reported as refused', () => {
  const query = search([
    oneWay('open', 'a', 'm', '1'),
    pairOf(['empty', 'm', 'z'], { asks: [['1', '5']] }),
  ])
  const { found, rejected } = rankPaths(query, 10n, 5, true)
  assert.deepEqual(found, [])
  assert.deepEqual(
    rejected.map(({ refusal }) => refusal.refused),
    ['beyond_depth'],
  )
})
