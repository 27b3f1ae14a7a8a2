import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { demoSnapshot } from '../../../src/demo-chain/market/snapshot.js'
import type { Market } from '../../../src/engine/market/market.js'
import { graphOf } from '../../../src/engine/routing/graph.js'
import { queryOf } from '../../../src/engine/routing/query.js'
import { rankPaths } from '../../../src/engine/routing/rank-paths.js'
import { decodeSnapshot } from '../../../src/engine/snapshot/decode.js'
import { decodePrepared, prepareSides } from '../../../src/engine/snapshot/prepared.js'

const document = demoSnapshot(1)
const sides = prepareSides(document)
/** As the build writes it and a start reads it. */
const written: typeof document = JSON.parse(JSON.stringify({ ...document, sides }))

const best = (market: Market, from: string, to: string, maxHops: number) => {
  const limits = { maxHops, via: [], exclude: [], affiliate: undefined }
  return rankPaths(queryOf(graphOf(market), from, to, limits), 150_000_000n, 5).found.map(
    ({ output, edges }) => [output, ...edges.map(({ book }) => book.state.pair.address)],
  )
}

describe('a document with the figures of its sides', () => {
  test('has the pairs, figures and paths of the document alone', () => {
    const [plain, prepared] = [decodeSnapshot(document, 'a'), decodePrepared(written, 'a')]
    assert.deepEqual(prepared.excluded, plain.excluded)
    const figures = (market: Market) =>
      graphOf(market)
        .leaving.flat()
        .map(({ book, side, bound, capacity }) => [book.state.pair, side, bound, capacity])
    assert.deepEqual(figures(prepared), figures(plain))
    for (const [from, to] of [
      ['btc-btc', 'rune'],
      ['rune', 'eth-eth'],
      ['thor.lqdy', 'btc-btc'],
    ] as const)
      assert.deepEqual(best(prepared, from, to, 4), best(plain, from, to, 4))
    for (const [address, book] of plain.books)
      assert.deepEqual({ ...prepared.books.get(address)!.state }, book.state)
  })

  test('is searched without decoding the pools of pairs that no path touches', () => {
    const pairs = written.pairs.map((pair) =>
      pair.base === 'gaia-atom'
        ? { ...pair, pools: { base: 'not read', quote: 'not read' } }
        : pair,
    )
    const market = decodePrepared({ ...written, pairs }, 'a')
    const plain = decodeSnapshot(document, 'a')
    assert.deepEqual(best(market, 'btc-btc', 'rune', 2), best(plain, 'btc-btc', 'rune', 2))
    assert.throws(() => best(market, 'gaia-atom', 'rune', 1), { name: 'MalformedDocument' })
  })

  test('without the figures is decoded whole', () => {
    const market = decodePrepared(document, 'a')
    assert.deepEqual([...market.books.keys()], [...decodeSnapshot(document, 'a').books.keys()])
  })
})
