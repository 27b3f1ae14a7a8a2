import assert from 'node:assert/strict'
import { stripVTControlCharacters } from 'node:util'
import { toBech32 } from '@cosmjs/encoding'
import { describe, test } from 'vitest'
import { renderRoutePlain, renderSplitPlain } from '../../../../src/cli/quotes/pipe-fields.js'
import { renderRoute } from '../../../../src/cli/quotes/route/render-route.js'
import { renderSplit } from '../../../../src/cli/quotes/split/render-split.js'
import { sroute } from '../../../../src/operations/split/split.js'
import { displayWidth } from '../../../../src/render/width.js'
import { app, btc, context, quoted, rune, terminal, usdc } from '../../../render/documents.js'

const isAscii = (line: string) => /^[\x20-\x7e]*$/.test(line)
const input = { denom: btc, amount: '150000000' }
const onGrid = await sroute(app, { input, output: { denom: rune }, limit: 3 })
const { free_division: _, ...answer } = onGrid
const stored = { ...context, quoteId: 'q_7f3a91c2' }
const recipient = toBech32('demo', new Uint8Array(20).fill(7))
const verbose = { ...stored, verbose: true }

describe('a split on a terminal', () => {
  test('on a grid says how much more shares of any size pay', () =>
    assert.match(
      renderSplit(onGrid, stored, terminal(80)),
      /Hint +shares of any size pay 0\.02 % more: leave out --split-step;/,
    ))
  test('of 40 columns is stacked, without bars', () =>
    assert.equal(
      renderSplit(answer, stored, terminal(40)),
      `\
1.5 BTC ($117,909) → RUNE · best split,
4 legs
demo · block 120
You get     227,769.37 RUNE ($115,437)
At least    226,630.52 RUNE ($114,859)
Slippage    0.50 %
Cost        1.60 % = impact 1.26
            + venues 0.24
            + protocol 0.10 ($1,885)
Price       151,846.24 RUNE per BTC
Or          0.0000065856088 BTC per RUNE
Gain        +889.77058 RUNE
Over single +0.39 %
55 %        BTC → USDC → RUNE
and 3 more legs, 45 % together (-v)
Hint        notable impact: a smaller
            amount gets a better price
Quote       q_7f3a91c2 (30 s)
            more: -v, --explain, --json`,
    ))

  test('of 60 columns has a bar and a path for each leg', () =>
    assert.equal(
      renderSplit(answer, stored, terminal(60)),
      `\
1.5 BTC ($117,909) → RUNE · best split, 4 legs
demo · block 120
────────────────────────────────────────────────────────────
  You get     227,769.37 RUNE ($115,437)
  At least    226,630.52 RUNE ($114,859)   slippage 0.50 %
  Cost        1.60 % = impact 1.26 + venues 0.24
              + protocol 0.10 ($1,885)
  Price       151,846.24 RUNE per BTC
              or 0.0000065856088 BTC per RUNE
  Gain        +889.77058 RUNE   over single +0.39 %

  55 %  ███████▊  BTC → USDC → RUNE  125,488.87 RUNE  1.53 %
  35 %  ████▉     BTC → RUNE          79,567.61 RUNE  0.83 %
   5 %  ▊         BTC → ETH → RUNE    11,386.90 RUNE  0.93 %
   5 %  ▊         BTC → TCY → RUNE    11,325.96 RUNE  1.43 %

  Hint        notable impact: a smaller amount gets a better
              price
  Quote       q_7f3a91c2 (30 s)
              more: -v, --explain, --json`,
    ))

  test('of 80 columns has a braid', () =>
    assert.equal(
      renderSplit(answer, stored, terminal(80)),
      `\
1.5 BTC ($117,909) → RUNE · best split, 4 legs                  demo · block 120
────────────────────────────────────────────────────────────────────────────────
  You get     227,769.37 RUNE ($115,437)
  At least    226,630.52 RUNE ($114,859)   slippage 0.50 %
  Cost        1.60 % = impact 1.26 + venues 0.24 + protocol 0.10 ($1,885)
  Price       151,846.24 RUNE per BTC      or 0.0000065856088 BTC per RUNE
  Gain        +889.77058 RUNE              over single +0.39 %

  BTC ━┳━━━ 55 % ━ fin btc/usdc ━▶ USDC ━ fin rune/usdc ━┳━▶ RUNE
       ┣━━━ 35 % ━ fin rune/btc ━━━━━━━━━━━━━━━━━━━━━━━━━┫
       ┣━━━  5 % ━ fin eth/btc ━▶ ETH ━ fin eth/rune ━━━━┫
       ┗━━━  5 % ━ fin tcy/btc ━▶ TCY ━ fin tcy/rune ━━━━┛

  Hint        notable impact: a smaller amount gets a better price
  Quote       q_7f3a91c2 (30 s)   more: -v, --explain, --json`,
    ))

  test('that is verbose in ASCII has bars of #, other splits, fees and what is left out', () =>
    assert.equal(
      renderSplit(answer, verbose, terminal(80, { ascii: true })),
      `\
1.5 BTC ($117,909) -> RUNE - best split, 4 legs                 demo - block 120
--------------------------------------------------------------------------------
  You get     227,769.37 RUNE ($115,437)   impact 1.26 % + notable
  At least    226,630.52 RUNE ($114,859)   slippage 0.50 %
  Cost        1.60 % = impact 1.26 + venues 0.24 + protocol 0.10 ($1,885)
  Price       151,846.24 RUNE per BTC      or 0.0000065856088 BTC per RUNE
  Gain        +889.77058 RUNE              over single +0.39 %
  Optimum     at most 0.04 % more

  LEG  SHARE               IN BTC    OUT RUNE  AT LEAST RUNE  PRICE RUNE  IMPACT
  L1    55 %  ###########   0.825  125,488.87     124,861.43  152,107.73  1.53 %
  L2    35 %  #######       0.525   79,567.61      79,169.78  151,557.37  0.83 %
  L3     5 %  #             0.075   11,386.90      11,329.97  151,825.45  0.93 %
  L4     5 %  #             0.075   11,325.96      11,269.33  151,012.88  1.43 %

  BTC =+=== 55 % = fin btc/usdc => USDC = fin rune/usdc =+=> RUNE
       +=== 35 % = fin rune/btc =========================+
       +===  5 % = fin eth/btc => ETH = fin eth/rune ====+
       +===  5 % = fin tcy/btc => TCY = fin tcy/rune ====+

  Other splits
    3 legs  60 / 35 / 5 %  227,761.75 RUNE  >-0.01 %
    2 legs  60 / 40 %      227,691.95 RUNE   -0.03 %

  Fees        venues 96.445029 USDC + 342.50982 RUNE + 0.00382574 ETH +
              61.140081 TCY; protocol 227.99737 RUNE; affiliate 0
  Hint        notable impact: a smaller amount gets a better price
  Left out    2 pairs at this block; see: swap snapshot show
  Quote       q_7f3a91c2 (30 s)   more: --explain, --json`,
    ))

  test('of 120 columns has a table of legs and a braid', () =>
    assert.equal(
      renderSplit(answer, verbose, terminal(120)),
      `\
1.5 BTC ($117,909) → RUNE · best split, 4 legs                                                          demo · block 120
────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
  You get     227,769.37 RUNE ($115,437)   impact 1.26 % ▅ notable
  At least    226,630.52 RUNE ($114,859)   slippage 0.50 %
  Cost        1.60 % = impact 1.26 + venues 0.24 + protocol 0.10 ($1,885)
  Price       151,846.24 RUNE per BTC      or 0.0000065856088 BTC per RUNE
  Gain        +889.77058 RUNE              over single +0.39 %
  Optimum     at most 0.04 % more

  LEG  SHARE               IN BTC    OUT RUNE  AT LEAST RUNE  PRICE RUNE  IMPACT  DEPTH USED
  L1    55 %  ███████████   0.825  125,488.87     124,861.43  152,107.73  1.53 %     17.35 %
  L2    35 %  ███████       0.525   79,567.61      79,169.78  151,557.37  0.83 %     14.03 %
  L3     5 %  █             0.075   11,386.90      11,329.97  151,825.45  0.93 %      5.64 %
  L4     5 %  █             0.075   11,325.96      11,269.33  151,012.88  1.43 %     63.61 %

  BTC ━┳━━━ 55 % ━ fin btc/usdc ━▶ USDC ━ fin rune/usdc ━┳━▶ RUNE
       ┣━━━ 35 % ━ fin rune/btc ━━━━━━━━━━━━━━━━━━━━━━━━━┫
       ┣━━━  5 % ━ fin eth/btc ━▶ ETH ━ fin eth/rune ━━━━┫
       ┗━━━  5 % ━ fin tcy/btc ━▶ TCY ━ fin tcy/rune ━━━━┛

  Other splits
    3 legs  60 / 35 / 5 %  227,761.75 RUNE  >-0.01 %
    2 legs  60 / 40 %      227,691.95 RUNE   -0.03 %

  Fees        venues 96.445029 USDC + 342.50982 RUNE + 0.00382574 ETH + 61.140081 TCY; protocol 227.99737 RUNE;
              affiliate 0
  Hint        notable impact: a smaller amount gets a better price
  Left out    2 pairs at this block; see: swap snapshot show
  Quote       q_7f3a91c2 (30 s)   more: --explain, --json`,
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

describe('a quote on 80 columns', () => {
  const closing = { ...stored, closingLines: 2 }
  for (const [name, amount, more] of [
    ['of many legs', '1000000000', {}],
    ['of a few legs', '150000000', {}],
    ['of one leg', '1000000', {}],
    [
      'with an affiliate and a recipient',
      '2000000000',
      { affiliate: 'acme', recipient: recipient },
    ],
  ] as const)
    test(`takes at most 18 lines with the two below it: ${name}`, async () => {
      const request = { input: { denom: btc, amount }, output: { denom: rune }, ...more }
      const divided = await sroute(app, { ...request, grid: false })
      for (const facts of [{}, { ascii: true }]) {
        const lines = renderSplit(divided, closing, terminal(80, facts)).split('\n')
        assert.ok(lines.length <= 16, lines.join('\n'))
      }
      const single = await quoted(request).catch(() => undefined)
      if (single === undefined) return
      const lines = renderRoute(single, closing, terminal(80)).split('\n')
      assert.ok(lines.length <= 16, lines.join('\n'))
    })

  test('shows the largest legs and says how much of the input the folded ones are', async () => {
    for (const closingLines of [1, 2, 3, 4, 5, 6, 7, 8, 30]) {
      const text = renderSplit(odd[1]!, { ...stored, closingLines }, terminal(80))
      assert.doesNotMatch(text, /and 1 more leg/)
      if (closingLines > 7)
        assert.match(text, /\d % {2}.*\n {2}and \d more legs, [\d.]+ % together \(-v\)\n/)
    }
    assert.match(
      renderSplit(odd[1]!, verbose, terminal(80)),
      new RegExp(`L${odd[1]!.routes[0]!.legs.length} `),
    )
  })
})

describe('every split', () => {
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

  test('that does not help is marked, has one leg and no gain', () => {
    const text = renderSplit(odd[0]!, stored, terminal(80))
    assert.match(text, /best split, 1 leg/)
    assert.match(text, /Hint +one call with the full input is best, undivided/)
    assert.doesNotMatch(text, /Gain/)
  })

  test('that is far below the bound says how much more another may pay, and is not called best', () => {
    const far = structuredClone(odd[0]!)
    Object.assign(far.routes[0]!, { optimum_gap_bps: 2_000 })
    const text = renderSplit(far, verbose, terminal(80))
    assert.match(text, /Optimum +at most 25\.00 % more/)
    assert.doesNotMatch(text, /undivided/)
  })

  test('with a frontier has a table of legs and one of steps', () => {
    const text = renderSplit(odd[2]!, stored, terminal(80))
    assert.match(text, /MOST LEGS/)
    assert.match(text, /STEP .*OVER SINGLE/)
    assert.match(text, /at least 1,000,000 RUNE for BTC · best split/)
    assert.match(text, /You pay/)
    assert.match(text, /affiliate 0\.\d\d/)
  })

  test('whose search was cut short says what to change, also beside a severe impact, as a route does', async () => {
    const cut = { ...structuredClone(answer), search_cut: 'lower max_hops' }
    Object.assign(cut.routes[0]!, { price_impact_bps: 620 })
    const route = { ...(await quoted()), search_cut: cut.search_cut }
    const hint = /Hint +the search was cut short: lower --max-hops or leave out --explain\n/
    const field = /\nsearch_cut\tlower max_hops\n/
    assert.match(renderSplit(cut, stored, terminal(80)), hint)
    assert.match(renderRoute(route, stored, terminal(80)), hint)
    assert.match(renderSplitPlain(cut, stored), field)
    assert.match(renderRoutePlain(route, stored), field)
  })

  test('colours nothing without a word beside it', () => {
    const colored = renderSplit(answer, stored, terminal(80, { color: true }))
    assert.equal(stripVTControlCharacters(colored), renderSplit(answer, stored, terminal(80)))
    assert.notEqual(colored, stripVTControlCharacters(colored))
  })
})

describe('in a pipe', () => {
  const lines = renderSplitPlain(answer, stored).split('\n')
  const values = new Map(lines.map((line) => line.split('\t') as [string, string]))

  test('prints a split as lines of key and value, without pictures and without grouping', () => {
    for (const line of lines) assert.match(line, /^[a-z0-9_.]+\t[\x20-\x7e]*$/)
    assert.equal(values.size, lines.length, 'no key twice')
  })

  test('holds every leg of every split in atomics and in units', () => {
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
