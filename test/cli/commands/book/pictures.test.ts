import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { profitPlot } from '../../../../src/cli/commands/arbs/arbroute.js'
import { depthPlot } from '../../../../src/cli/commands/book/depth-picture.js'
import { renderBook } from '../../../../src/cli/commands/book/run.js'
import { pairsOf } from '../../../../src/cli/print-answer.js'
import { renderSplitPlain } from '../../../../src/cli/quotes/pipe-fields.js'
import { renderSplit } from '../../../../src/cli/quotes/split/render-split.js'
import { builtInAliases } from '../../../../src/config/naming.js'
import { arbroute } from '../../../../src/operations/arbitrage/arbroute.js'
import { book, walk } from '../../../../src/operations/book/book.js'
import { sroute } from '../../../../src/operations/split/split.js'
import { namesOf } from '../../../../src/render/names.js'
import { bar, rangeOf, sparkline } from '../../../../src/render/picture.js'
import { plainStyle, type Style, styleOf } from '../../../../src/render/style.js'
import { displayWidth } from '../../../../src/render/width.js'
import { demoMarket, marketAt } from '../../../service/stage.js'
import { runs } from '../../../support/books.js'

const at = (width: number, more: Partial<Style> = {}): Style =>
  styleOf({ width, color: false, ascii: false, tty: true, ...more })

const app = { openMarket: async () => marketAt(120) }
const naming = { tokens: demoMarket.tokens, pairs: pairsOf(demoMarket), aliases: builtInAliases }
const pairOf = (base: string, quote: string): string =>
  [...demoMarket.books.values()].find(
    ({ state: { pair } }) => pair.base === base && pair.quote.startsWith(quote),
  )!.state.pair.address

const rune = await book(app, { pair: pairOf('rune', 'eth-usdc'), levels: 1000 })
const split = await sroute(app, {
  input: { denom: 'btc-btc', amount: '150000000' },
  output: { denom: 'rune' },
})
const earned = await arbroute(app, {
  input: { denom: rune.pair.quote, amount: '500000000000' },
  curve: 60,
})

/** Every picture there is, drawn in a style. */
const drawn = (style: Style): Readonly<Record<string, readonly string[]>> => ({
  bar: [bar(55n, 100n, 14, style)],
  sparkline: [sparkline([1n, 5n, 2n, 9n], 40, style)],
  depth: depthPlot(rune, undefined, namesOf(naming, style), style),
  profit: profitPlot(
    earned.curve!,
    earned.steps[0]!.executions[0]!.input,
    namesOf(naming, style),
    style,
  ),
  braid: renderSplit(split, naming, style)
    .split('\n')
    .filter((line) => /[┳┣┗┫┛]|\+=/.test(line)),
})

describe('every picture', () => {
  test('is plain text of width one, at most as wide as the terminal', () => {
    for (const width of [60, 80, 112, 160])
      for (const [name, lines] of Object.entries(drawn(at(width))))
        for (const line of lines) {
          assert.ok(displayWidth(line) <= width, `${name} at ${width}: ${line}`)
          assert.doesNotMatch(line, /\p{Emoji_Presentation}|\p{M}/u, name)
        }
  })
  test('has a form in ASCII', () => {
    for (const [name, lines] of Object.entries(drawn(at(120, { ascii: true })))) {
      assert.match(lines.join('\n'), /^[\n\x20-\x7e]+$/, name)
      assert.ok(lines.length > 0, name)
    }
  })
  test('is gone under sixty columns but the line of a number, which its caller leaves out', () => {
    const { sparkline: line, ...others } = drawn(at(59))
    assert.ok(line!.length > 0)
    for (const [name, lines] of Object.entries(others)) assert.equal(lines.join(''), '', name)
  })
  test('is gone in a pipe', () => {
    const texts = [
      renderSplitPlain(split, naming),
      renderBook(rune, { ...naming, full: rune }, plainStyle),
    ]
    for (const text of texts) assert.doesNotMatch(text, /[▁-█▉-▏▓━┳─┤]/)
  })
})

describe('a sparkline', () => {
  const rows: readonly (readonly [readonly bigint[], number, string])[] = [
    [[1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n], 8, '▁▂▃▄▅▆▇█'],
    [[8n, 1n], 8, '█▁'],
    [[5n, 5n, 5n], 8, '▁▁▁'],
    [[1n, 9n, 1n, 9n], 2, '▁█'],
    [[], 8, ''],
    [[-5n, 5n], 8, '▁█'],
    [[0n, 7n, 8n, 100n], 8, '▁▁▂█'],
  ]
  for (const [values, columns, expected] of rows)
    test(`of ${values.join(' ') || 'nothing'} in ${columns} columns is ${expected || 'nothing'}`, () =>
      assert.equal(sparkline(values, columns, at(80)), expected))
  test('has a mark for each value, the greatest highest, and never turns an order round', () => {
    const values = fc.array(fc.bigInt(-(10n ** 30n), 10n ** 30n), { minLength: 2, maxLength: 60 })
    fc.assert(
      fc.property(values, (series) => {
        const marks = [...sparkline(series, 60, at(80))].map((mark) => '▁▂▃▄▅▆▇█'.indexOf(mark))
        assert.equal(marks.length, series.length)
        const [least, most] = rangeOf(series)
        series.forEach((value, i) => {
          if (value === most && most > least) assert.equal(marks[i], 7)
          if (value === least) assert.equal(marks[i], 0)
          if (i > 0 && value >= series[i - 1]!) assert.ok(marks[i]! >= marks[i - 1]!)
        })
      }),
      runs(200),
    )
  })
})

describe('the depth of a book', () => {
  const style = at(80)
  const lines = depthPlot(rune, undefined, namesOf(naming, style), style)
  const rows = lines.slice(1, 8).map((line) => line.slice(line.indexOf('┤') + 1).padEnd(64))
  test('wraps its title where the name of the token is long', () => {
    const narrow = at(60)
    const names = { ...namesOf(naming, narrow), symbol: () => 'USDC.thor' }
    for (const line of depthPlot(rune, undefined, names, narrow))
      assert.ok(displayWidth(line) <= 60)
  })

  test('grows from the mid outwards on both sides', () => {
    const heights = Array.from(
      { length: 64 },
      (_, i) => rows.filter((row) => row[i] !== ' ').length,
    )
    const [bids, asks] = [heights.slice(0, 32), heights.slice(32)]
    assert.deepEqual(
      bids,
      bids.toSorted((a, b) => b - a),
    )
    assert.deepEqual(
      asks,
      asks.toSorted((a, b) => a - b),
    )
    assert.equal(Math.max(...heights), 7)
  })
  test('names both sums, the mid and the edges', () => {
    assert.match(
      lines.at(-1)!,
      /^ +[\d.]+ +bids [\d.]+[kM] {3}mid 0\.\d+ {3}asks [\d.]+[kM] +[\d.]+$/,
    )
  })
  test('counts what sellers offer at its price, so that both sides are one money', () => {
    const mid = Number(rune.pair.mid_price)
    const worth = rune.asks.levels
      .filter(({ rate }) => Number(rate) <= mid * 1.03)
      .reduce((sum, { rate, amount }) => sum + Number(amount.amount) * Number(rate), 0)
    const [, shown = '', unit = ''] = /asks ([\d.]+)([kM])/.exec(lines.at(-1)!) ?? []
    const scale = unit === 'k' ? 1e3 : 1e6
    assert.ok(Math.abs(Number(shown) * scale * 1e8 - worth) < 0.1 * scale * 1e8, lines.at(-1))
  })
  test('is bright as far as an amount walks, on its side only', async () => {
    const walked = await walk(app, rune, { denom: rune.pair.quote, amount: 2_000_000_000_000n })
    assert.equal(walked.side, 'ask')
    const color = at(80, { color: true })
    const bright = depthPlot(rune, walked, namesOf(naming, color), color).join('\n')
    const bold = String.fromCharCode(27).concat('[1m')
    assert.ok(bright.includes(bold))
    assert.ok(!depthPlot(rune, undefined, namesOf(naming, color), color).join('').includes(bold))
  })
})

describe('an amount that walks a book', () => {
  test('takes more levels, and a worse rate, the larger it is', async () => {
    const walks = await Promise.all(
      [10n ** 10n, 10n ** 12n, 5n * 10n ** 12n].map((amount) =>
        walk(app, rune, { denom: rune.pair.quote, amount }),
      ),
    )
    const rates = walks.map(({ rate }) => Number(rate))
    assert.deepEqual(
      rates,
      rates.toSorted((a, b) => a - b),
    )
    assert.ok(walks[2]!.levels_used > walks[0]!.levels_used)
  })
  test('of the base takes from the buyers', async () => {
    const { side, output } = await walk(app, rune, { denom: 'rune', amount: 10n ** 10n })
    assert.deepEqual([side, output.denom], ['bid', rune.pair.quote])
  })
  test('of another token is refused', async () => {
    await assert.rejects(
      walk(app, rune, { denom: 'btc-btc', amount: 1n }),
      /does not trade btc-btc/,
    )
  })
})
