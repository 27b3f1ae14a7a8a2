import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { renderExplainPlain } from '../../../../src/cli/quotes/pipe-fields.js'
import {
  meaningOf,
  refusalTexts,
  renderExplain,
} from '../../../../src/cli/quotes/route/route-explanation.js'
import { displayWidth } from '../../../../src/render/width.js'
import { context, denoms, quoted, terminal } from '../../../render/documents.js'
import { runs } from '../../../support/books.js'

const answer = await quoted({ explain: true })
const explanation = answer.explain!

const [toUsdc = '', toRune = ''] = answer.routes[0]!.hops.map(({ address }) => address)
const rejected = [
  { path: [answer.excluded[0]!.address], reason: 'quarantined', detail: 'halted' },
  ...Array.from({ length: 5 }, () => ({
    path: [toUsdc, toRune],
    reason: 'beyond_depth',
    detail: `${toRune} takes less than 11633426676476`,
  })),
]

describe('an explanation', () => {
  test('of 80 columns tells levels, losers and refusals', () =>
    assert.equal(
      renderExplain({ ...explanation, rejected }, answer, context, terminal(80)),
      `\
  1  fin btc/usdc, 18 levels, prices in USDC per BTC
     PRICE USDC    SOLD BTC   BOUGHT USDC  FROM
      78,571.70  0.0113114      888.75643  orders
      78,445.80  0.03471962   2,723.60     orders
      78,361.80  0.0417082    3,268.33     orders
      78,257.10  0.0813299    6,364.64     orders
      78,210.80  0.00835356     653.33876  maker demo1390l…usmmg6vf
      78,110.20  0.11469997   8,959.23     orders
      77,975.10  0.05735743   4,472.45     orders
      77,898.90  0.00837027     652.03492  maker demo1390l…usmmg6vf
      77,843.50  0.15984109  12,442.59     orders
     … 7 more levels (use --json for all)
      77,192.90  0.13277605  10,249.36     orders
      77,047.60  0.01822412   1,404.12     orders

  2  fin rune/usdc, 11 levels, prices in USDC per RUNE
     PRICE USDC  SOLD USDC  BOUGHT RUNE  FROM
       0.507054   2,599.86     5,127.38  orders
       0.508037   4,465.54     8,789.80  orders
       0.508748   5,766.26    11,334.22  orders
       0.509294   5,968.79    11,719.74  orders
       0.510071   7,079.09    13,878.64  orders
       0.510552  12,518.19    24,518.94  orders
       0.511238  11,726.94    22,938.31  orders
       0.51191   19,261.40    37,626.55  orders
       0.512543  20,984.54    40,942.00  orders
       0.51324   19,390.59    37,780.76  orders
       0.513859   6,573.01    12,791.47  orders

  WHY OTHERS LOST              GAP  IMPACT            VENUE FEES  HOPS
  BTC → RUNE               -0.41 %  1.44 % ▅ notable      0.15 %     1
  BTC → ETH → USDC → RUNE  -3.10 %  4.64 % ▇ high         0.45 %     3

  Refused, 5 times: beyond_depth (amounts in atomics)
    The book cannot take the whole amount, and the rest would stay in the
    router, lost to you.
      btc/usdc → rune/usdc: rune/usdc takes less than 11633426676476
      btc/usdc → rune/usdc: rune/usdc takes less than 11633426676476
      btc/usdc → rune/usdc: rune/usdc takes less than 11633426676476
      … 2 more (use --json for all)

  Refused, once: quarantined (amounts in atomics)
    The pair was left out of the market: halted or not readable.
      cbbtc/btc: halted`,
    ))

  const small = {
    examined: 1,
    levels: [
      {
        address: answer.routes[0]!.hops[0]!.address,
        levels: [
          {
            rate: '78000',
            sold: '100000000',
            bought: '7800000000000',
            parts: [
              { source: 'fixed', sold: '50000000', bought: '3900000000000' },
              { source: 'oracle', sold: '25000000', bought: '1950000000000' },
              {
                source: 'demo13m60nk4g48wquy76z2sz4e55gnnmtr7y5c0f4z',
                sold: '25000000',
                bought: '1950000000000',
              },
            ],
          },
        ],
      },
    ],
    lost: [{ id: 'gone', gap_bps: 5, impact_bps: null, venue_fees_bps: 15, hops: 1 }],
    rejected: [
      { path: [], reason: 'zero_output', detail: 'a' },
      { path: [], reason: 'arb_endless', detail: 'b' },
    ],
  }

  test('gives the share of each source of a level', () =>
    assert.match(
      renderExplain(small, answer, context, terminal(120)),
      /orders 50 % · oracle orders 25 % · maker demo13m60…7y5c0f4z 25 %\n/,
    ))

  test('of 40 columns is stacked', () =>
    assert.equal(
      renderExplain(small, answer, context, terminal(40)),
      `\
1  fin btc/usdc, 1 level, prices in USDC
per BTC
   PRICE USDC  SOLD BTC  BOUGHT USDC
    78,000.00         1       78,000
Why others lost
  gone
    -0.05 %  n/a ? unknown
    venues 0.15 %  hops 1
Refused, once: arb_endless (amounts in
atomics)
  The pair would first trade against its
  own makers without end and run out of
  gas.
    : b
Refused, once: zero_output (amounts in
atomics)
  The amount is so small that nothing
  would come out.
    : a`,
    ))

  test('without losers and refusals says that there are none', () => {
    const none = { ...small, lost: [], rejected: [] }
    const text = renderExplain(none, answer, context, terminal(80))
    assert.match(text, /No other route was found\.\n\n {2}No path was refused\.$/)
  })

  test('leaves nothing out in a pipe', () => {
    const lines = renderExplainPlain(explanation).split('\n')
    const count = (pattern: RegExp) => lines.filter((line) => pattern.test(line)).length
    assert.equal(lines[0], `explain.examined\t${explanation.examined}`)
    assert.equal(count(/^explain\.hop\.1\.level\.\d+\.rate\t/), 18)
    assert.equal(count(/^explain\.rejected\.\d+\.reason\t/), explanation.rejected.length)
    for (const line of lines) assert.match(line, /^[a-z0-9._]+\t[^\t]*$/)
  })

  test('fits the terminal, whatever is explained', async () => {
    const denom = fc.constantFrom(...denoms)
    const width = fc.integer({ min: 40, max: 150 })
    await fc.assert(
      fc.asyncProperty(denom, denom, width, fc.boolean(), async (from, to, columns, ascii) => {
        const input = { denom: from, amount: '100000000000' }
        const request = { input, output: { denom: to }, explain: true }
        const found = await quoted(request).catch(() => undefined)
        fc.pre(found?.explain !== undefined)
        const style = terminal(columns, { ascii })
        const text = renderExplain(found.explain, found, context, style)
        for (const line of text.split('\n')) {
          assert.ok(displayWidth(line) <= columns, line)
          assert.ok(!ascii || /^[\x20-\x7e]*$/.test(line), line)
        }
      }),
      runs(40),
    )
  })
})

test('every reason for a refusal has a meaning, and every meaning a reason', () => {
  const source = readFileSync('src/engine/market/refusal.ts', 'utf8')
  const union = source.slice(0, source.indexOf('/** An answer that is not a number'))
  const reasons = [...union.matchAll(/\| '([a-z_]+)'/g)].map(([, reason]) => reason)
  assert.ok(reasons.length > 10)
  assert.deepEqual(Object.keys(refusalTexts).sort(), [...reasons].sort())
  for (const meaning of Object.values(refusalTexts)) assert.match(meaning, /^[A-Z].*[^.]\.$/)
})

test('a reason that is not known explains itself', () => {
  assert.equal(meaningOf('new_reason'), 'new_reason')
  assert.equal(meaningOf('toString'), 'toString')
})
