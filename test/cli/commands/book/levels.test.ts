import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { levelTable } from '../../../../src/cli/commands/book/level-rows.js'
import { renderBook } from '../../../../src/cli/commands/book/run.js'
import { book } from '../../../../src/operations/book/book.js'
import type { BookAnswer } from '../../../../src/operations/book/book-documents.js'
import { fixedAmounts } from '../../../../src/render/amount.js'
import { namesOf } from '../../../../src/render/names.js'
import { displayWidth, shortenMiddle } from '../../../../src/render/width.js'
import { app, btc, context, rune, terminal, usdc, usdcBase } from '../../../render/documents.js'

const { market } = await app.openMarket()
const addressOf = (base: string, quote: string): string =>
  [...market.books.values()]
    .map(({ state }) => state.pair)
    .find((pair) => pair.base === base && pair.quote === quote)!.address

const bitcoin = await book(app, { pair: addressOf(btc!, usdc!), levels: 3 })
const runes = await book(app, { pair: addressOf(rune!, btc!), levels: 2 })

const headsOf = (answer: BookAnswer, width: number) =>
  levelTable(answer, namesOf(context, terminal(width)), terminal(width)).columns.flatMap(
    (column) => (column ? column[0] : []),
  )

describe('the levels of a book', () => {
  test('have both sides in base units, points in line, and the mid between them', () =>
    assert.equal(
      renderBook(bitcoin, context, terminal(80)).split('\n').slice(5, 13).join('\n'),
      `\
       PRICE USDC  AMOUNT BTC  TOTAL BTC  DEPTH
  ask   78,864.50      0.0874     0.1521  ████████████████
  ask   78,743.40      0.0306     0.0647  ██████▊
  ask   78,640.40      0.0340     0.0340  ███▋
  ── mid 78,606.05 USDC · spread 8.74 bps ────────────────
  bid   78,571.70      0.0113     0.0113  █▎
  bid   78,445.80      0.0347     0.0460  ████▉
  bid   78,361.80      0.0417     0.0877  █████████▎`,
    ))
  test('are headed by names that tell tokens of one symbol apart', async () => {
    const dollars = await book(app, { pair: addressOf(usdcBase, usdc!), levels: 1 })
    assert.deepEqual(headsOf(dollars, 60), [
      '',
      'PRICE USDC',
      'AMOUNT USDC.base',
      'TOTAL USDC.base',
    ])
  })
  test('say who offers them only where that differs', () => {
    const from = (answer: BookAnswer) => headsOf(answer, 120).at(-1)
    assert.equal(from(bitcoin), 'DEPTH')
    const [first, ...others] = bitcoin.asks.levels
    const levels = [{ ...first!, sources: [{ source: 'demo1maker', amount: '1' }] }, ...others]
    const mixed = { ...bitcoin, asks: { levels, more: false } }
    assert.equal(from(mixed), 'FROM')
    assert.match(renderBook(mixed, context, terminal(80)), /maker$/m)
  })
  test('of a bid are what it offers divided by its price, rounded down', () => {
    const [, shown = ''] = /bid +\S+ +(\S+)/.exec(renderBook(runes, context, terminal(80))) ?? []
    const [{ rate, amount } = { rate: '1', amount: { amount: '0' } }] = runes.bids.levels
    const [whole = '', fraction = ''] = rate.split('.')
    const scaled = BigInt(whole + fraction.padEnd(18, '0'))
    const base = (BigInt(amount.amount) * 10n ** 18n) / scaled / 10n ** 8n
    assert.equal(shown.replaceAll(',', ''), `${base}`)
  })
  test('are followed by the flag that shows more, and by none beyond its largest value', () => {
    const text = (count: number) => {
      const levels = Array.from({ length: count }, () => bitcoin.asks.levels[0]!)
      const full = { ...bitcoin, asks: { levels, more: true } }
      return /More levels follow.*/.exec(renderBook(full, context, terminal(80)))?.[0]
    }
    assert.equal(text(10), 'More levels follow: --levels 100.')
    assert.equal(text(200), 'More levels follow: --levels 1000.')
    assert.equal(text(1000), 'More levels follow.')
  })
  test('fit every width, with bars from 80 columns on', () => {
    for (const width of [40, 60, 79, 80, 120]) {
      const lines = renderBook(runes, context, terminal(width)).split('\n')
      assert.ok(
        lines.every((line) => displayWidth(line) <= width),
        `${width}`,
      )
      assert.equal(/ask.*█/.test(lines.join('\n')), width >= 80)
    }
  })
  test('are below the address of the contract, which is whole from 80 columns on', () => {
    const contractOf = (width: number) =>
      /Contract +(\S+)/.exec(renderBook(runes, context, terminal(width)))?.[1]
    assert.equal(contractOf(80), runes.pair.address)
    assert.equal(contractOf(20), shortenMiddle(runes.pair.address, 8))
  })
  test('of a book with an empty side say so between the sides', () => {
    const pair = { ...runes.pair, mid_price: null, spread_bps: null }
    const asks = { levels: [], more: false }
    const text = renderBook({ ...runes, pair, asks }, context, terminal(80))
    assert.match(text, /── no mid price: a side is empty ─/)
  })
  test('have a heading over each column', () => {
    assert.deepEqual(headsOf(runes, 80), ['', 'PRICE BTC', 'AMOUNT RUNE', 'TOTAL RUNE', 'DEPTH'])
  })
})

describe('amounts of a column', () => {
  test('have as many digits after the point as the least of them needs for three', () => {
    const write = (...atomics: bigint[]) => fixedAmounts(atomics, 8, { tty: true })
    assert.deepEqual(write(150_000_000n, 1_234_567n), ['1.5000', '0.0123'])
    assert.deepEqual(write(123_456_789_000_000n, 65_300_000_000n), ['1,234,567', '653'])
    assert.deepEqual(write(1n, 100_000_000n), ['0.00000001', '1.00000000'])
    assert.deepEqual(write(0n, 12_345_678n), ['0.000', '0.123'])
    assert.deepEqual(write(), [])
    assert.deepEqual(fixedAmounts([5n, 1234n], 0, { tty: false }), ['5', '1234'])
  })
})
