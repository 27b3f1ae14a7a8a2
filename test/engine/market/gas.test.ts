import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { compileBook } from '../../../src/engine/market/book.js'
import {
  gasFee,
  gasWanted,
  isWithinGasLimit,
  messageGas,
  transactionGas,
  usualGas,
} from '../../../src/engine/market/gas.js'
import { parseDecimal } from '../../../src/engine/math/decimal.js'
import { graphOf } from '../../../src/engine/routing/graph.js'
import { queryOf } from '../../../src/engine/routing/query.js'
import { decodeSnapshot } from '../../../src/engine/snapshot/decode.js'
import { encodeSnapshot } from '../../../src/engine/snapshot/encode.js'
import { findSplit } from '../../../src/engine/splits/find-split.js'
import { document } from '../../support/chain.js'
import { firstRows } from '../../support/long.js'
import { must } from '../../support/matching.js'
import { smallMarket } from '../../support/small-market.js'

const [plain] = [...smallMarket({ 'a/b': {} }, { dialect: 'forward' }).books.values()]
const bookWithMaker = compileBook({
  ...plain!.state,
  makers: [{ kind: 'silent', address: 'maker' }],
})

/** Router transactions recorded on a node: messages, and of these together hops, makers used and levels. */
const recorded: readonly (readonly [
  gas: number,
  messages: number,
  hops: number,
  makers: number,
  levels: number,
])[] = [
  [544_669, 1, 1, 1, 1],
  [532_062, 1, 1, 1, 1],
  [585_502, 1, 1, 1, 1],
  [377_784, 1, 1, 0, 1],
  [580_854, 1, 1, 0, 12],
  [696_912, 1, 2, 1, 2],
  [715_684, 1, 2, 1, 2],
  [927_210, 1, 3, 2, 3],
  [1_353_405, 1, 5, 3, 5],
  [1_095_254, 2, 3, 3, 4],
  [1_758_165, 2, 5, 3, 17],
  [1_781_506, 2, 5, 3, 17],
]

describe('the estimate of gas', () => {
  for (const [gas, messages, hops, makers, levels] of recorded)
    test(`is within 20 % of ${gas} for ${messages} messages, ${hops} hops, ${levels} levels`, () => {
      const all = Array.from({ length: hops }, (_, i) => ({
        book: i < makers ? bookWithMaker : plain!,
        fill: { groups: i === 0 ? levels - hops + 1 : 1 },
      }))
      const parts = messages === 1 ? [all] : [all.slice(0, 1), all.slice(1)]
      const estimate = transactionGas(
        usualGas,
        parts.map((part) => messageGas(usualGas, part)),
      )
      assert.ok(Math.abs(Number(estimate) / gas - 1) < 0.2, `${estimate}`)
    })

  test('follows the percent of the network', () => {
    const hop = { book: plain!, fill: { groups: 3 } }
    const tripled = messageGas({ ...usualGas, percent: 300n }, [hop])
    assert.equal(tripled, messageGas(usualGas, [hop]) * 3n)
    const around = transactionGas({ ...usualGas, percent: 300n }, [])
    assert.equal(around, transactionGas(usualGas, []) * 3n)
  })

  test('is kept in a snapshot with its limit and its price', () => {
    const gas = { percent: 300, limit: '2000000', price: { denom: 'rune', amount: '0.025' } }
    const market = decodeSnapshot({ ...document, gas }, 'demo')
    const price = { denom: 'rune', amount: parseDecimal('0.025') }
    assert.deepEqual(market.gas, { percent: 300n, limit: 2_000_000n, price })
    assert.deepEqual((encodeSnapshot(market) as { gas: object }).gas, gas)
  })
})

test('the gas limit has to allow 140 % of an estimate', () => {
  const fits = (limit: bigint | undefined) => isWithinGasLimit({ ...usualGas, limit }, 100_000n)
  assert.deepEqual([140_000n, 139_999n, undefined].map(fits), [true, false, true])
})

test('the gas limit and its fee are rounded up', () => {
  assert.equal(gasWanted(usualGas, 101n), 142n)
  const price = { denom: 'rune', amount: must('1.05') }
  assert.deepEqual(gasFee({ ...usualGas, price }, 101n), { denom: 'rune', amount: 150n })
})

describe('a split under a gas limit', () => {
  const split = (limit: bigint | undefined, grid: boolean) => {
    const market = { ...decodeSnapshot(document, 'demo'), gas: { ...usualGas, limit } }
    const limits = { maxHops: 4, via: [], exclude: [], affiliate: undefined }
    const input = { denom: 'btc-btc', amount: 300_000_000n }
    const query = queryOf(graphOf(market), input.denom, 'rune', limits)
    const [best] = findSplit(query, input, { slippageBps: 50, stepPercent: 5, grid }).splits
    const gas = transactionGas(
      usualGas,
      best!.legs.map(({ route }) => route.gas),
    )
    return { best: best!, gas }
  }

  for (const grid of firstRows([true, false]))
    test(`asks for less than the limit, with shares ${grid ? 'on a grid' : 'of any size'}`, () => {
      const free = split(undefined, grid)
      assert.ok(free.best.legs.length > 2, `${free.best.legs.length}`)
      const limit = (free.gas * 14n) / 10n - 1n
      const limited = split(limit, grid)
      assert.ok((limited.gas * 14n) / 10n <= limit, `${limited.gas}`)
      assert.ok(limited.best.legs.length < free.best.legs.length)
      assert.ok(limited.best.expected <= free.best.expected)
      assert.ok(split(1n, grid).gas < free.gas)
    })
})
