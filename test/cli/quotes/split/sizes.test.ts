import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { renderCurve, renderMax } from '../../../../src/cli/commands/curve/run.js'
import { sizesCsv } from '../../../../src/cli/quotes/quote-csv.js'
import { curve, max } from '../../../../src/operations/split/sizes.js'
import { bar } from '../../../../src/render/picture.js'
import { plainStyle } from '../../../../src/render/style.js'
import { displayWidth } from '../../../../src/render/width.js'
import { app, btc, context, rune, terminal } from '../../../render/documents.js'

const ladder = await curve(app, {
  input: { denom: btc, from: '1000000', to: '1000000000000000' },
  output: { denom: rune },
  points: 5,
})
const most = await max(app, { input: { denom: btc }, output: { denom: rune }, max_impact_bps: 50 })

describe('a ladder of sizes', () => {
  test('of 40 columns is a line or two for each', () =>
    assert.equal(
      renderCurve(ladder, context, terminal(40)),
      `\
BTC → RUNE · 5 sizes, single paths
demo · block 120
0.01        1,543.38 RUNE  0.09 % ▁ low
1.77        267,179.29 RUNE
            2.28 % ▅ notable
316         59,088.38 RUNE
            99.88 % █ severe
56,200      59,116.42 RUNE
            100.00 % █ severe
10,000,000  no path takes it`,
    ))

  test('of 80 columns is a table with bars', () =>
    assert.equal(
      renderCurve(ladder, context, terminal(80)),
      `\
BTC → RUNE · 5 sizes, single paths                              demo · block 120
────────────────────────────────────────────────────────────────────────────────
         IN BTC    OUT RUNE  PRICE RUNE  IMPACT
           0.01    1,543.38  154,338.24    0.09 % ▁ low      ▏
           1.77  267,179.29  150,948.75    2.28 % ▅ notable  ▍
         316      59,088.38   186.98854   99.88 % █ severe   ████████████████
      56,200      59,116.42   1.0518937  100.00 % █ severe   ████████████████
  10,000,000              -           -  no path takes it`,
    ))

  test('in a pipe is rows of tabs, empty where no path takes the size', () => {
    const rows = renderCurve(ladder, context, plainStyle)
      .split('\n')
      .map((row) => row.split('\t'))
    assert.equal(rows.length, 5)
    for (const row of rows) assert.equal(row.length, 7)
    assert.deepEqual(rows.at(-1)!.slice(0, 3), ['1000000000000000', '10000000', ''])
  })

  test('and the most within a limit are marked where they are estimates', () => {
    const isMarked = (text: string) => text.includes('\n  Estimate    not every book is known')
    const points = ladder.points.map((each) => ({ ...each, exact: each.output && false }))
    assert.ok(isMarked(renderCurve({ ...ladder, points }, context, terminal(80))))
    assert.ok(isMarked(renderMax({ ...most, exact: false }, context, terminal(80))))
  })

  test('is a row each in a spreadsheet', () => {
    assert.equal(sizesCsv(ladder.points, context).split('\r\n').length, 7)
    assert.match(sizesCsv([most], context), /\r\nBTC,btc-btc,11585718,0\.11585718,RUNE,rune,/)
  })
})

describe('the most within a limit', () => {
  test('of 80 columns names the command that quotes it', () =>
    assert.equal(
      renderMax(most, context, terminal(80)),
      `\
BTC → RUNE · the most within 0.50 %                             demo · block 120
────────────────────────────────────────────────────────────────────────────────
  Sell        0.11585718 BTC ($9,107)
  You get      17,807.92 RUNE ($9,025)   impact 0.50 % ▂ moderate
  Price       153,705.83 RUNE per BTC    or 0.0000065059337 BTC per RUNE

  Next        swap route 0.11585718 btc rune --max-impact 0.5%`,
    ))

  test('has the command on one line, so that it can be pasted', () => {
    const flags = ['--max-hops', '2', '--exclude', 'btc/usdc,rune/usdc']
    assert.match(
      renderMax(most, context, terminal(60), flags),
      / Next +swap route 0\.11585718 btc rune --max-impact 0\.5% --max-hops 2 --exclude btc\/usdc,rune\/usdc$/,
    )
  })

  test('has a hint where the impact is far below the limit, since a book is used up', () => {
    const screen = (split: boolean) =>
      renderMax({ ...most, max_impact_bps: 500, split }, context, terminal(80)).replace(/\s+/g, ' ')
    const hint = ' Hint any more has an impact above 5.00 %, or no path takes it'
    assert.ok(screen(false).includes(`${hint}; more may be possible with --split Next`))
    assert.ok(screen(true).includes(`${hint} Next`))
  })

  test('in a pipe is one row', () =>
    assert.match(renderMax(most, context, plainStyle), /^11585718\t0\.11585718\t\d+\t/))
})

describe('a bar', () => {
  test('is as long as its part, in eighths, and never nothing for something', () => {
    const rows = [
      [0n, ''],
      [1n, '▏'],
      [50n, '█████'],
      [55n, '█████▌'],
      [100n, '██████████'],
      [200n, '██████████'],
      [-5n, ''],
    ] as const
    for (const [part, text] of rows) assert.equal(bar(part, 100n, 10, terminal(80)), text)
    for (let part = 1n; part <= 1000n; part += 7n)
      for (const style of [terminal(80), terminal(80, { ascii: true })]) {
        const width = displayWidth(bar(part, 1000n, 13, style))
        assert.ok(width >= 1 && width <= 13)
      }
  })
})
