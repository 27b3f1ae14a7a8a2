import assert from 'node:assert/strict'
import { stripVTControlCharacters } from 'node:util'
import { describe, test } from 'vitest'
import { renderSplit } from '../../../../src/cli/quotes/split/render-split.js'
import { sroute } from '../../../../src/operations/split/split.js'
import { plainStyle } from '../../../../src/render/style.js'
import { displayWidth } from '../../../../src/render/width.js'
import { app, btc, context, rune, terminal, usdc } from '../../../render/documents.js'

const isAscii = (line: string) => /^[\x20-\x7e]*$/.test(line)
const input = { denom: btc, amount: '150000000' }
const onGrid = await sroute(app, { input, output: { denom: rune }, limit: 3 })
const { free_division: _, ...answer } = onGrid
const stored = { ...context, quoteId: 'q_7f3a91c2' }

describe('a division on a terminal', () => {
  test('on a grid says how much more shares of any size pay', () =>
    assert.match(
      renderSplit(onGrid, stored, terminal(80)),
      /Hint +shares of any size pay 0\.02 % more: leave out --split-step;/,
    ))
  test('of 40 columns is stacked, without bars', () =>
    assert.equal(
      renderSplit(answer, stored, terminal(40)),
      `\
1.5 BTC → RUNE · best split, 4 legs
demo · block 120
You get     227,769.37 RUNE
Impact      1.26 % ▅ notable
At least    226,630.52 RUNE
Slippage    0.50 %
Price       151,846.24 RUNE per BTC
Optimum     at most 0.03 % more
Gain        +889.77058 RUNE
Over single +0.39 %
55 %        BTC → USDC → RUNE
            0.825 BTC
            for 125,488.87 RUNE
35 %        BTC → RUNE
            0.525 BTC for 79,567.61 RUNE
5 %         BTC → ETH → RUNE
            0.075 BTC for 11,386.90 RUNE
5 %         BTC → TCY → RUNE
            0.075 BTC for 11,325.96 RUNE
Others      3 legs  60 / 35 / 5 %
            227,761.75 RUNE >-0.01 %
            2 legs  60 / 40 %
            227,691.95 RUNE -0.03 %
Fees        venues 96.445029 USDC +
            342.50982 RUNE +
            0.00382574 ETH +
            61.140081 TCY;
            protocol 227.99737 RUNE;
            affiliate 0
Hint        the impact is notable; a
            smaller amount gets a better
            price
Left out    2 pairs at this block;
            see: swap snapshot show
Quote       q_7f3a91c2 (30 s)
More        add --explain for every
            level and why others lost,
            --json for the messages to
            sign`,
    ))

  test('of 60 columns has a bar and a chain for each leg', () =>
    assert.equal(
      renderSplit(answer, stored, terminal(60)),
      `\
1.5 BTC → RUNE · best split, 4 legs         demo · block 120
────────────────────────────────────────────────────────────
  You get     227,769.37 RUNE   impact 1.26 % ▅ notable
  At least    226,630.52 RUNE   slippage 0.50 %
  Price       151,846.24 RUNE per BTC
              optimum at most 0.03 % more
  Gain        +889.77058 RUNE   over single +0.39 %

  55 %  ███████▊  0.825 BTC  →  125,488.87 RUNE  1.53 %
    └ BTC ── fin btc/usdc ──▶ USDC ── fin rune/usdc ──▶ RUNE
  35 %  ████▉     0.525 BTC  →   79,567.61 RUNE  0.83 %
    └ BTC ── fin rune/btc ──▶ RUNE
   5 %  ▊         0.075 BTC  →   11,386.90 RUNE  0.93 %
    └ BTC ── fin eth/btc ──▶ ETH ── fin eth/rune ──▶ RUNE
   5 %  ▊         0.075 BTC  →   11,325.96 RUNE  1.43 %
    └ BTC ── fin tcy/btc ──▶ TCY ── fin tcy/rune ──▶ RUNE

  Other divisions
    3 legs  60 / 35 / 5 %  227,761.75 RUNE  >-0.01 %
    2 legs  60 / 40 %      227,691.95 RUNE   -0.03 %

  Fees        venues 96.445029 USDC + 342.50982 RUNE +
              0.00382574 ETH + 61.140081 TCY;
              protocol 227.99737 RUNE; affiliate 0
  Hint        the impact is notable; a smaller amount gets a
              better price
  Left out    2 pairs at this block; see: swap snapshot show
  Quote       q_7f3a91c2 (30 s)
  More        add --explain for every level and why others
              lost, --json for the messages to sign`,
    ))

  test('of 80 columns in ASCII has bars of #', () =>
    assert.equal(
      renderSplit(answer, stored, terminal(80, { ascii: true })),
      `\
1.5 BTC -> RUNE - best split, 4 legs                            demo - block 120
--------------------------------------------------------------------------------
  You get     227,769.37 RUNE           impact 1.26 % + notable
  At least    226,630.52 RUNE           slippage 0.50 %
  Price       151,846.24 RUNE per BTC   optimum at most 0.03 % more
  Gain        +889.77058 RUNE           over single +0.39 %

  55 %  ########  0.825 BTC  ->  125,488.87 RUNE  1.53 %
    \` BTC -- fin btc/usdc --> USDC -- fin rune/usdc --> RUNE
  35 %  #####     0.525 BTC  ->   79,567.61 RUNE  0.83 %
    \` BTC -- fin rune/btc --> RUNE
   5 %  #         0.075 BTC  ->   11,386.90 RUNE  0.93 %
    \` BTC -- fin eth/btc --> ETH -- fin eth/rune --> RUNE
   5 %  #         0.075 BTC  ->   11,325.96 RUNE  1.43 %
    \` BTC -- fin tcy/btc --> TCY -- fin tcy/rune --> RUNE

  Other divisions
    3 legs  60 / 35 / 5 %  227,761.75 RUNE  >-0.01 %
    2 legs  60 / 40 %      227,691.95 RUNE   -0.03 %

  Fees        venues 96.445029 USDC + 342.50982 RUNE + 0.00382574 ETH +
              61.140081 TCY; protocol 227.99737 RUNE; affiliate 0
  Hint        the impact is notable; a smaller amount gets a better price
  Left out    2 pairs at this block; see: swap snapshot show
  Quote       q_7f3a91c2 (30 s)
  More        add --explain for every level and why others lost, --json for the
              messages to sign`,
    ))

  test('of 120 columns has a table of legs and a braid', () =>
    assert.equal(
      renderSplit(answer, stored, terminal(120)),
      `\
1.5 BTC → RUNE · best split, 4 legs                                                                     demo · block 120
────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
  You get     227,769.37 RUNE           impact 1.26 % ▅ notable
  At least    226,630.52 RUNE           slippage 0.50 %
  Price       151,846.24 RUNE per BTC   optimum at most 0.03 % more
  Gain        +889.77058 RUNE           over single +0.39 %

  LEG  SHARE               BTC IN    RUNE OUT    AT LEAST       PRICE  IMPACT  DEPTH USED
  L1    55 %  ███████████   0.825  125,488.87  124,861.43  152,107.73  1.53 %     17.35 %
  L2    35 %  ███████       0.525   79,567.61   79,169.78  151,557.37  0.83 %     14.03 %
  L3     5 %  █             0.075   11,386.90   11,329.97  151,825.45  0.93 %      5.64 %
  L4     5 %  █             0.075   11,325.96   11,269.33  151,012.88  1.43 %     63.61 %

  BTC ━┳━━━ 55 % ━ fin btc/usdc ━▶ USDC ━ fin rune/usdc ━┳━▶ RUNE
       ┣━━━ 35 % ━ fin rune/btc ━━━━━━━━━━━━━━━━━━━━━━━━━┫
       ┣━━━  5 % ━ fin eth/btc ━▶ ETH ━ fin eth/rune ━━━━┫
       ┗━━━  5 % ━ fin tcy/btc ━▶ TCY ━ fin tcy/rune ━━━━┛

  Other divisions
    3 legs  60 / 35 / 5 %  227,761.75 RUNE  >-0.01 %
    2 legs  60 / 40 %      227,691.95 RUNE   -0.03 %

  Fees        venues 96.445029 USDC + 342.50982 RUNE + 0.00382574 ETH + 61.140081 TCY; protocol 227.99737 RUNE;
              affiliate 0
  Hint        the impact is notable; a smaller amount gets a better price
  Left out    2 pairs at this block; see: swap snapshot show
  Quote       q_7f3a91c2 (30 s)
  More        add --explain for every level and why others lost, --json for the messages to sign`,
    ))
})

const odd = await Promise.all([
  sroute(app, { input: { denom: usdc, amount: '100000000' }, output: { denom: rune } }),
  sroute(app, { input, output: { denom: rune }, grid: false, limit: 25 }),
  sroute(app, {
    input: { denom: btc },
    output: { denom: rune, amount: '100000000000000' },
    affiliate: 'acme',
    frontier: true,
  }),
])

describe('every division', () => {
  test('fits its terminal at any width, in Unicode and ASCII, coloured and not', () => {
    for (const each of [answer, ...odd])
      for (const width of [36, 40, 59, 60, 72, 80, 100, 111, 112, 120, 200])
        for (const facts of [{}, { ascii: true }, { color: true }]) {
          const text = renderSplit(each, stored, terminal(width, facts))
          for (const line of text.split('\n')) {
            assert.ok(displayWidth(line) <= width, `${width}: ${line}`)
            assert.equal(stripVTControlCharacters(line).trimEnd(), stripVTControlCharacters(line))
            if ('ascii' in facts) assert.ok(isAscii(line), line)
          }
        }
  })

  test('that does not help says so, has one leg and no gain', () => {
    const text = renderSplit(odd[0]!, stored, terminal(80))
    assert.match(text, /best split, 1 leg/)
    assert.match(text, /dividing it does not help/)
    assert.doesNotMatch(text, /Gain/)
  })

  test('with a frontier has a table of legs and one of steps', () => {
    const text = renderSplit(odd[2]!, stored, terminal(80))
    assert.match(text, /MOST LEGS/)
    assert.match(text, /STEP .*OVER SINGLE/)
    assert.match(text, /at least 1,000,000 RUNE for BTC · best split/)
    assert.match(text, /You pay/)
    assert.match(text, /affiliate acme/)
  })

  test('colours nothing without a word beside it', () => {
    const colored = renderSplit(answer, stored, terminal(80, { color: true }))
    assert.equal(stripVTControlCharacters(colored), renderSplit(answer, stored, terminal(80)))
    assert.notEqual(colored, stripVTControlCharacters(colored))
  })
})

describe('in a pipe', () => {
  const lines = renderSplit(answer, stored, plainStyle).split('\n')
  const values = new Map(lines.map((line) => line.split('\t') as [string, string]))

  test('a division is lines of key and value, without pictures and without grouping', () => {
    for (const line of lines) assert.match(line, /^[a-z0-9_.]+\t[\x20-\x7e]*$/)
    assert.equal(values.size, lines.length, 'no key twice')
  })

  test('holds every leg of every division in atomics and in units', () => {
    const [best] = answer.routes
    assert.equal(values.get('quote_id'), 'q_7f3a91c2')
    assert.equal(values.get('input.split_step'), '5')
    assert.equal(values.get('route.1.expected_output'), best!.expected_output)
    assert.equal(values.get('route.1.expected_output_human'), '227769.37314798')
    assert.equal(values.get('route.1.legs'), '4')
    for (const [i, leg] of best!.legs.entries()) {
      assert.equal(values.get(`route.1.leg.${i + 1}.fraction`), leg.split.fraction)
      assert.equal(values.get(`route.1.leg.${i + 1}.input.amount`), leg.split.amount)
      assert.equal(values.get(`route.1.leg.${i + 1}.min_return`), leg.min_return)
    }
    assert.equal(values.get('route.3.legs'), '2')
  })
})
