import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { renderArbroute } from '../../../../src/cli/commands/arbs/arbroute.js'
import { arbrouteCsv, arbsCsv } from '../../../../src/cli/commands/arbs/loop.js'
import { renderArbs } from '../../../../src/cli/commands/arbs/run.js'
import { arbroute } from '../../../../src/operations/arbitrage/arbroute.js'
import { arbs } from '../../../../src/operations/arbitrage/arbs.js'
import { plainStyle } from '../../../../src/render/style.js'
import { displayWidth } from '../../../../src/render/width.js'
import { app, context, terminal, usdc } from '../../../render/documents.js'

const loops = await arbs(app, {})
const capital = { input: { denom: usdc, amount: '500000000000' } }
const { curve, ...earned } = await arbroute(app, { ...capital, curve: 60 })
const nothing = await arbroute(app, { input: { denom: 'tcy', amount: '100000000' } })
const stored = {
  ...context,
  quoteId: 'q_7f3a91c2',
  dialect: 'forward',
  picture: curve!,
} as const

describe('the table of profitable loops', () => {
  test('of 40 columns are stacked', () =>
    assert.equal(
      renderArbs(loops, context, terminal(40)),
      `\
1 profitable loop, of 3 examined
demo · block 120
0.53 %      USDC → RUNE → BTC → USDC
            7 USDC  +0.03732613 USDC
            $0.03
Tried with 13.75 RUNE, 0.00009 BTC,
0.00305 ETH, 7 USDC, 7 USDT, 49 TCY, 28
RUJI. After venue and protocol fees. The
sizes that pay most:
swap arbroute 7000 usdc`,
    ))

  test('of 80 columns are a table with bars', () =>
    assert.equal(
      renderArbs(loops, context, terminal(80)),
      `\
1 profitable loop, of 3 examined                                demo · block 120
────────────────────────────────────────────────────────────────────────────────
  LOOP                          IN  PROFIT %  PROFIT $
  USDC → RUNE → BTC → USDC  7 USDC      0.53      0.03  ████████████

  Tried with 13.75 RUNE, 0.00009 BTC, 0.00305 ETH, 7 USDC, 7 USDT, 49 TCY, 28
  RUJI. After venue and protocol fees. The sizes that pay most:
  swap arbroute 7000 usdc`,
    ))

  test('of 120 columns in ASCII name the venues', () =>
    assert.equal(
      renderArbs(loops, context, terminal(120, { ascii: true })),
      `\
1 profitable loop, of 3 examined                                                                        demo - block 120
------------------------------------------------------------------------------------------------------------------------
  LOOP                             IN           PROFIT  PROFIT %  PROFIT $  VENUES
  USDC -> RUNE -> BTC -> USDC  7 USDC  0.03732613 USDC      0.53      0.03  fin rune/usdc, fin rune/btc, fin btc/usdc

  Tried with 13.75 RUNE, 0.00009 BTC, 0.00305 ETH, 7 USDC, 7 USDT, 49 TCY, 28 RUJI. After venue and protocol fees. The
  sizes that pay most: swap arbroute 7000 usdc`,
    ))

  test('in a pipe are rows of tabs without a heading, and without loops nothing', () => {
    const [{ id, path }] = loops.opportunities as [(typeof loops.opportunities)[number]]
    assert.equal(
      renderArbs(loops, context, plainStyle),
      `${id}\t${path.join(' > ')}\t${usdc}\t700000000\t703732613\t3732613\t0.53\t0.03732613\ttrue`,
    )
    assert.equal(renderArbs({ ...loops, opportunities: [] }, context, plainStyle), '')
  })

  test('that are none say so', () => {
    const none = { ...loops, min_percent: 5, opportunities: [] }
    assert.match(
      renderArbs(none, context, terminal(80)),
      /^nothing pays more than 5 %, of \d+ examined/,
    )
    // No listed denom is in the market.
    const untried = renderArbs({ ...none, tried: [] }, context, terminal(80))
    assert.match(untried, /\n {2}Try a capital: swap arbroute$/)
  })
})

test('loops over books that are not fully known are marked as estimates, and so is their profit', () => {
  const estimated = <T>(each: T) => ({ ...each, exact: false })
  const isMarked = (text: string) => text.includes('\n  Estimate    not every book is known')
  const opportunities = loops.opportunities.map(estimated)
  assert.ok(isMarked(renderArbs({ ...loops, opportunities }, context, terminal(80))))
  const steps = earned.steps.map((step) => ({
    ...step,
    executions: step.executions.map(estimated),
  }))
  assert.ok(isMarked(renderArbroute({ ...earned, steps }, stored, terminal(80))))
})

test('a search that was cut short says what to change, below loops and below a capital', () => {
  const cut = { search_cut: 'lower max_hops' }
  const scan = renderArbs({ ...loops, ...cut }, context, terminal(80))
  assert.match(
    scan,
    /\n {2}Hint +the search was cut short: lower --max-hops or raise --min-percent$/,
  )
  const hint = /\n {2}Hint +the search was cut short: lower --max-hops$/
  assert.match(renderArbroute({ ...earned, ...cut }, stored, terminal(80)), hint)
  const none = renderArbroute({ ...nothing, ...cut }, stored, terminal(80))
  assert.match(none, /No loop that was found returns more/)
  assert.match(none, hint)
})

describe('the profit of a capital', () => {
  test('of 40 columns is stacked, without a picture', () =>
    assert.equal(
      renderArbroute(earned, stored, terminal(40)),
      `\
5,000 USDC · one loop, once
demo · block 120
Profit      +8.8251961 USDC
            0.18 % of the capital
            $8.82
You end     with 5,008.82 USDC
1 time      USDC → RUNE → BTC → USDC
            2,599.86 USDC
            +8.8251961 USDC
Min return  2,599.86 USDC: below that
            the transaction reverts
Quote       q_7f3a91c2 (30 s)
            more: -v, --json`,
    ))

  test('of 80 columns and verbose has the pairs of its loop and the curve of its profit', () =>
    assert.equal(
      renderArbroute(earned, { ...stored, verbose: true }, terminal(80)),
      `\
5,000 USDC · one loop, once                                     demo · block 120
────────────────────────────────────────────────────────────────────────────────
  Profit      +8.8251961 USDC   0.18 % of the capital   $8.82
  You end     with 5,008.82 USDC

  STEP  LOOP                      TIMES   IN USDC  OUT USDC          PROFIT
  1     USDC → RUNE → BTC → USDC      1  2,599.86  2,608.69  8.8251961 USDC

  USDC ── fin rune/usdc ──▶ RUNE ── fin rune/btc ──▶ BTC
    ── fin btc/usdc ──▶ USDC

  profit, USDC
  8.82 ┤                       •••••••••┃••••••••••••
  6.61 ┤              •••••••••         ┃            •••••••••••••
  4.41 ┤        ••••••                  ┃                         •••
   2.2 ┤   •••••                        ┃
     0 ┤ ••                             ┃
       └─────────────────────────────────────────────────────────────
           2,599.86 USDC, the best size ↑

  Min return  2,599.86 USDC: below that the transaction reverts
  Note        loops close within a block; other traders may take them first
  Quote       q_7f3a91c2 (30 s)   more: --json`,
    ))

  test('of 60 columns in ASCII has it too', () =>
    assert.equal(
      renderArbroute(earned, stored, terminal(60, { ascii: true })),
      `\
5,000 USDC - one loop, once                 demo - block 120
------------------------------------------------------------
  Profit      +8.8251961 USDC   0.18 % of the capital
              $8.82
  You end     with 5,008.82 USDC

  LOOP                          IN USDC          PROFIT
  USDC -> RUNE -> BTC -> USDC  2,599.86  8.8251961 USDC

  profit, USDC
  8.82 |                   *******|**********
  6.61 |            *******       |          ***********
  4.41 |       *****              |                     **
   2.2 |   ****                   |
     0 | **                       |
       +--------------------------------------------------
         2,599.86 USDC, the best size ^

  Min return  2,599.86 USDC: below that the transaction
              reverts
  Quote       q_7f3a91c2 (30 s)   more: -v, --json`,
    ))

  test('without a profit is a sentence', () =>
    assert.match(
      renderArbroute(nothing, { ...stored, picture: [] }, terminal(80)),
      /No loop returns more than it takes/,
    ))

  test('fits its terminal at any width', () => {
    for (const width of [36, 40, 59, 60, 80, 112, 200])
      for (const text of [
        renderArbroute(earned, stored, terminal(width)),
        renderArbs(loops, context, terminal(width)),
      ])
        for (const line of text.split('\n'))
          assert.ok(displayWidth(line) <= width, `${width}: ${line}`)
  })

  test('in a pipe is lines of key and value', () => {
    const lines = renderArbroute(earned, stored, plainStyle).split('\n')
    const values = new Map(lines.map((line) => line.split('\t') as [string, string]))
    assert.equal(values.get('profit.amount'), '882519615')
    assert.equal(values.get('step.1.execution.1.input'), '259986834819')
    for (const line of lines) assert.match(line, /^[a-z0-9_.]+\t[\x20-\x7e]*$/)
  })

  test('names the venues in the order of execution whatever the router’s dialect', () => {
    const turned = {
      ...earned,
      steps: earned.steps.map((step) => ({
        ...step,
        executions: step.executions.map((each) => ({
          ...each,
          tx: { swap: { ...each.tx.swap, stages: each.tx.swap.stages.toReversed() } },
        })),
      })),
    }
    assert.equal(
      renderArbroute(turned, { ...stored, dialect: 'stack' }, terminal(80)),
      renderArbroute(earned, stored, terminal(80)),
    )
  })
})

describe('spreadsheets', () => {
  test('get one row for each loop and for each execution', () => {
    assert.equal(arbsCsv(loops, context).split('\r\n').length, 3)
    const rows = arbrouteCsv(earned, stored).split('\r\n')
    assert.equal(rows.length, 3)
    assert.match(rows[1]!, /^q_7f3a91c2,1,.*,USDC,.*,259986834819,2599\.86834819,260869354434,/)
  })
})
