import assert from 'node:assert/strict'
import { stripVTControlCharacters } from 'node:util'
import { describe, test } from 'vitest'
import { renderExplainPlain, renderVerifyPlain } from '../../../../src/cli/quotes/pipe-fields.js'
import { renderVerification } from '../../../../src/cli/quotes/render-verify.js'
import { renderSplitExplain } from '../../../../src/cli/quotes/split/split-explanation.js'
import { sroute } from '../../../../src/operations/split/split.js'
import type {
  SplitAnswer,
  SplitVerification,
} from '../../../../src/operations/split/split-documents.js'

import { displayWidth } from '../../../../src/render/width.js'
import { app, btc, context, rune, terminal } from '../../../render/documents.js'

const answer = await sroute(app, {
  input: { denom: btc, amount: '30000000' },
  output: { denom: rune },
  max_legs: 2,
  max_hops: 2,
  explain: true,
})
const explanation = answer.explain!

/** What honest contracts say of an answer. */
const verified = ({ routes, height }: SplitAnswer): SplitVerification => ({
  height,
  agrees: true,
  routes: routes.map(({ id, legs }) => ({
    id,
    agrees: true,
    legs: legs.map(({ hops, simulated_output, fees }) => {
      const same = (amount: string | null, fee: string) => ({
        simulated_output: amount,
        returned: amount,
        fee,
        difference: '0',
        difference_bps: 0,
        refused: null,
        agrees: true,
      })
      return {
        agrees: true,
        hops: hops.map(({ address, input, output, fee }) => ({
          address,
          input,
          ...same(output.amount, fee.amount),
        })),
        router: same(simulated_output, fees.protocol.amount),
      }
    }),
  })),
})

const texts = (width: number, facts: object = {}) => {
  const style = terminal(width, facts)
  return {
    explained: renderSplitExplain(explanation, answer, context, style),
    verified: renderVerification(verified(answer), answer, context, style),
  }
}

describe('the story of a split', () => {
  test('of 80 columns', () => assert.equal(texts(80).explained, EXPLAINED))

  test('is nothing but keys and values in a pipe, and leaves nothing out', () => {
    const lines = renderExplainPlain(explanation).split('\n')
    for (const line of lines) assert.match(line, /^explain\.[a-z0-9_.]+\t[^\t]*$/)
    const count = (key: RegExp) => lines.filter((line) => key.test(line)).length
    const levels = explanation.legs.flatMap(({ levels }) => levels.flatMap((hop) => hop.levels))
    assert.equal(count(/\.level\.\d+\.rate\t/), levels.length)
    assert.equal(count(/\.unused\.\d+\.id\t/), explanation.unused.length)
    assert.equal(count(/\.rejected\.\d+\.path\t/), explanation.rejected.length)
  })

  test('gives a path that would pay more a plus sign, as in every column of gains', () => {
    const unused = explanation.unused.map((path, i) => (i === 0 ? { ...path, gap_bps: -3 } : path))
    const text = renderSplitExplain({ ...explanation, unused }, answer, context, terminal(80))
    assert.match(text, /BTC → ETH → RUNE {21}\+0\.03 % /)
  })

  test('without other paths or splits has a sentence for it', () => {
    const alone = { ...explanation, lost: [], unused: [], rejected: [] }
    const text = renderSplitExplain(alone, answer, context, terminal(80))
    assert.match(text, /No other split was found\./)
    assert.match(text, /No path was refused\./)
    assert.doesNotMatch(text, /WITHOUT A SHARE/)
  })
})

describe('the verification of a split', () => {
  test('of 80 columns', () => assert.equal(texts(80).verified, VERIFIED))

  test('a leg that differs and an unverified one are distinguished', () => {
    const all = verified(answer)
    const [best, ...others] = all.routes
    const [first, second] = best!.legs
    const routes = [
      {
        ...best!,
        agrees: false,
        legs: [
          { ...first!, router: { ...first!.router, difference: '-7', agrees: false } },
          {
            ...second!,
            router: {
              ...second!.router,
              returned: null,
              difference: null,
              refused: 'no gas',
              agrees: null,
            },
          },
        ],
      },
      ...others.map((each) => ({ ...each, agrees: null })),
    ]
    const text = renderVerification(
      { ...all, agrees: false, routes },
      answer,
      context,
      terminal(120),
    )
    assert.match(text, /L1 .*router .* -0\.00000007 [A-Z]+ {2}differs/)
    assert.match(text, /L2 .*router .* not known/)
    assert.match(text, /Others +1 incomplete/)
  })

  test('is keys and values in a pipe', () => {
    const lines = renderVerifyPlain(verified(answer)).split('\n')
    assert.equal(lines[0], 'verify.agrees\ttrue')
    for (const line of lines) assert.match(line, /^verify\.[a-z0-9_.]+\t[^\t]*$/)
    assert.ok(lines.includes('verify.1.leg.2.router.difference\t0'))
  })
})

describe('both', () => {
  test('fit their terminal at any width, in Unicode and ASCII, coloured and not', () => {
    for (const width of [36, 40, 59, 60, 72, 80, 111, 112, 120, 200])
      for (const facts of [{}, { ascii: true }, { color: true }])
        for (const text of Object.values(texts(width, facts)))
          for (const line of text.split('\n')) {
            const plain = stripVTControlCharacters(line)
            assert.ok(displayWidth(plain) <= width, `${width}: ${plain}`)
            if ('ascii' in facts) assert.match(plain, /^[\x20-\x7e]*$/)
          }
  })
})

const EXPLAINED = `\
  L1.1  fin btc/usdc, 6 levels, prices in USDC per BTC
     PRICE USDC    SOLD BTC  BOUGHT USDC  FROM
      78,571.70  0.0113114     888.75643  orders
      78,445.80  0.03471962  2,723.60     orders
      78,361.80  0.0417082   3,268.33     orders
      78,257.10  0.0813299   6,364.64     orders
      78,210.80  0.00835356    653.33876  maker demo1390l…usmmg6vf
      78,110.20  0.09257732  7,231.23     orders

  L1.2  fin rune/usdc, 5 levels, prices in USDC per RUNE
     PRICE USDC  SOLD USDC  BOUGHT RUNE  FROM
       0.507054   2,599.86     5,127.38  orders
       0.508037   4,465.54     8,789.80  orders
       0.508748   5,766.26    11,334.22  orders
       0.509294   5,968.79    11,719.74  orders
       0.510071   2,297.74     4,504.74  orders

  L2.1  fin rune/btc, 2 levels, prices in BTC per RUNE
         PRICE BTC    SOLD BTC  BOUGHT RUNE  FROM
     0.00000652921  0.00607882    931.02058  orders
     0.00000653995  0.02392118  3,657.70     orders

  LEG  SHARE  ITS LAST 0.015 BTC ADDS
  L1    90 %            2,287.86 RUNE
  L2    10 %            2,287.86 RUNE

  WHY OTHERS LOST  SHARES      GAP  IMPACT
  1 leg            100 %   -0.01 %  0.86 % ▂ moderate

  PATHS WITHOUT A SHARE  WITH THE WEAKEST STEP  HOPS
  BTC → ETH → RUNE                     -0.01 %     2
  BTC → TCY → RUNE                     -0.01 %     2
  BTC → USDT → RUNE                    -0.02 %     2
  BTC → WBTC → RUNE                    -0.03 %     2
  BTC → RUJI → RUNE                    -0.04 %     2

  No path was refused.`

const VERIFIED = `\
  Asked the contracts at block 120
  LEG  CONTRACT        OUR MODEL   CONTRACT SAYS  DIFF  VERDICT
  L1   btc/usdc   21,098.21 USDC  21,098.21 USDC     0  same
  L1   rune/usdc  41,413.70 RUNE  41,413.70 RUNE     0  same
  L1   router     41,372.29 RUNE  41,372.29 RUNE     0  same
  L2   rune/btc    4,581.83 RUNE   4,581.83 RUNE     0  same
  L2   router      4,577.25 RUNE   4,577.25 RUNE     0  same
  Each leg is queried by itself, on untouched books.
  Others      1 the same`
