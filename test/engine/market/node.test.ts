import assert from 'node:assert/strict'
import { test } from 'vitest'
import { type Book, executeBook, simulateBook } from '../../../src/engine/market/book.js'
import type { Maker } from '../../../src/engine/market/pair.js'
import { isRefusal } from '../../../src/engine/market/refusal.js'
import { simulatePath } from '../../../src/engine/market/router.js'
import { formatDecimal } from '../../../src/engine/math/decimal.js'
import type { VectorCoin } from '../../support/cases.js'
import { type Golden, type GoldenSwap, goldenMarket } from '../../support/golden.js'
import { readJson } from '../../support/vectors.js'

const golden = readJson<Golden>('golden_simulate.json')
const market = goldenMarket(golden.pairs)
const at = (address: string): Book => market.books.get(address)!
const coinOf = ({ denom, amount }: VectorCoin) => ({ denom, amount: BigInt(amount) })

test('the recorded market of a node has every recorded pair', () =>
  assert.deepEqual(market.excluded, []))

test('recorded simulations of FIN 1.0 and 1.1 equal the computed ones to the atomic', () => {
  const counts = { same: 0, inexact: 0, gas: 0 }
  for (const { pair, cases } of golden.pairs)
    for (const { offer, result } of cases) {
      if ('error' in result) {
        counts.gas += 1
        assert.match(result.error, /out of gas/)
        continue
      }
      const fill = simulateBook(at(pair.address), coinOf(offer))
      assert.ok(!isRefusal(fill), `${pair.address} ${offer.amount}`)
      // One walk passes the 30th level: the answer is marked inexact and is right.
      if (!fill.exact) counts.inexact += 1
      counts.same += 1
      assert.deepEqual(
        { returned: `${fill.bought}`, fee: `${fill.fee}` },
        { returned: result.returned, fee: result.fee },
        `${pair.address} ${offer.amount} ${offer.denom}`,
      )
    }
  assert.deepEqual(counts, { same: 172, inexact: 1, gas: 24 })
})

test('recorded simulations of the router over paths equal the computed ones', () => {
  let same = 0
  for (const { coin, stages, router } of golden.routes) {
    if ('error' in router) continue
    // The recorded router takes its stages as a stack: the last one runs first.
    const books = stages.map(({ address }) => at(address)).reverse()
    const out = simulatePath(market.router, books, coinOf(coin))
    assert.ok(!isRefusal(out))
    same += 1
    assert.deepEqual([`${out.returned}`, `${out.fee}`], [router.returned, router.fee])
  }
  assert.equal(same, 26)
})

test('36 recorded executions pay, charge and trade as computed, and leave the maker as computed', () => {
  let swaps = 0
  let trades = 0
  for (const item of readJson<GoldenSwap[]>('golden_swaps.json')) {
    const book = goldenMarket([item]).books.get(item.pair.address)!
    const done = executeBook(book, coinOf(item.offer))
    assert.ok(!isRefusal(done))
    const received = done.side === 'ask' ? item.pair.base : item.pair.quote
    const paid = item.received.find((coin) => coin.endsWith(received))
    assert.equal(`${done.bought}${received}`, paid)
    assert.deepEqual([`${done.fee}${received}`], item.fees)
    assert.deepEqual(
      done.trades.map((t) => [formatDecimal(t.rate), `${t.sold}`, `${t.bought}`]),
      item.trades.map((t) => [t.rate, t.offer, t.bid]),
    )
    const maker: Maker | undefined = done.after.state.makers[0]
    if (item.strategyAfter && maker?.kind === 'xyk') {
      const { x, y } = item.strategyAfter.xyk[1]
      assert.deepEqual([`${maker.reserveX}`, `${maker.reserveY}`], [x, y])
    }
    swaps += 1
    trades += done.trades.length
  }
  assert.deepEqual({ swaps, trades }, { swaps: 36, trades: 72 })
})
