import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { renderTokens } from '../../../../src/cli/commands/tokens/run.js'
import { tokens as tokensOf } from '../../../../src/operations/tokens/tokens.js'
import type { TokensAnswer } from '../../../../src/operations/tokens/tokens-documents.js'
import { plainStyle } from '../../../../src/render/style.js'
import { displayWidth } from '../../../../src/render/width.js'
import {
  aliases,
  app,
  btc,
  rune,
  terminal,
  tokens,
  usdc,
  usdcBase,
} from '../../../render/documents.js'
import { longTest } from '../../../support/long.js'

const all = await tokensOf(app)
const only = (...denoms: readonly string[]): TokensAnswer => ({
  ...all,
  tokens: all.tokens.filter(({ denom }) => denoms.includes(denom)),
})
const few = only(rune, btc, usdc, usdcBase)
const known = { aliases, known: tokens }

describe('the list of tokens', () => {
  test('of 40 columns gives each token two lines', () =>
    assert.equal(
      renderTokens(few, known, terminal(40)),
      `\
4 tokens with a market
demo · block 120
USDC        $ 1.0000   28 pairs
            eth-usdc-0xa0b…eb0ce3606eb48
RUNE        $ 0.50681   16 pairs
            rune
BTC         $ 78,606.05   8 pairs
            btc-btc
USDC        $ 1.0017   1 pair
            base-usdc-0x83…71b54bda02913
2 tokens are called USDC; "usdc" alone
means eth-usdc-0xa0b…eb0ce3606eb48.
Others: usdc.base`,
    ))

  test('of 60 columns shrinks denoms in the middle', () =>
    assert.equal(
      renderTokens(few, known, terminal(60)),
      `\
4 tokens with a market                      demo · block 120
────────────────────────────────────────────────────────────
  SYMBOL  DENOM                               PRICE $  PAIRS
  USDC    eth-usdc-0xa0b86…e9eb0ce3606eb48     1.0000     28
  RUNE    rune                                0.50681     16
  BTC     btc-btc                           78,606.05      8
  USDC    base-usdc-0x8335…4f71b54bda02913     1.0017      1

  2 tokens are called USDC; "usdc" alone means
  eth-usdc-0xa0b…eb0ce3606eb48. Others: usdc.base`,
    ))

  test('of 120 columns says what to type for each, and its decimals', () =>
    assert.equal(
      renderTokens(few, known, terminal(120, { ascii: true })),
      `\
4 tokens with a market                                                                                  demo - block 120
------------------------------------------------------------------------------------------------------------------------
  SYMBOL  ALIAS      DENOM                                                   PRICE $  PAIRS  DEC
  USDC    usdc       eth-usdc-0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48      1.0000     28    8
  RUNE    rune       rune                                                    0.50681     16    8
  BTC     btc        btc-btc                                               78,606.05      8    8
  USDC    usdc.base  base-usdc-0x833589fcd6edb6e08f4c7c32d4f71b54bda02913     1.0017      1    8

  2 tokens are called USDC; "usdc" alone means eth-usdc-0xa0...b0ce3606eb48. Others: usdc.base`,
    ))

  test('shortens a symbol of 500 characters that tokens share', () => {
    const symbol = 'A'.repeat(500)
    const same = few.tokens.map((token) => ({ ...token, symbol, chain: 'x' }))
    const text = renderTokens({ ...few, tokens: same }, { aliases: new Map() }, terminal(80))
    assert.doesNotMatch(text, /a{30}/i)
    const called = '4 tokens are called AAAAAAAAAAAA…AAAAAAAAAAA; "aaaaaaaaaaaa…aaaaaaaaaaa" alone'
    assert.ok(text.includes(called), text)
    assert.ok(text.includes(`Write: ${usdc}, rune,`), text)
  })

  test('in a pipe is rows of tabs with raw numbers', () =>
    assert.equal(
      renderTokens(few, known, plainStyle),
      [
        `USDC\t${usdc}\t1\t28\t8\tETH\tsecured\tUSD Coin`,
        'RUNE\trune\t0.506816\t16\t8\tTHOR\tnative\tTHORChain',
        'BTC\tbtc-btc\t78606.05\t8\t8\tBTC\tsecured\tBitcoin',
        `USDC\t${usdcBase}\t1.001755\t1\t8\tBASE\tsecured\tUSD Coin (Base)`,
      ].join('\n'),
    ))

  longTest('fits every terminal from 40 columns', () => {
    for (let width = 40; width <= 130; width += 1)
      for (const line of renderTokens(all, known, terminal(width)).split('\n'))
        assert.ok(displayWidth(line) <= width, line)
  })

  test('without an alias refuses a shared symbol', () =>
    assert.match(
      renderTokens(few, { aliases: new Map() }, terminal(80)),
      /2 tokens are called USDC; "usdc" alone is refused\. Write: usdc\.eth, usdc\.base$/,
    ))

  test('says that a shared symbol means the token whose denom it is', () => {
    const namesake = { ...few.tokens.find(({ denom }) => denom === btc)!, symbol: 'RUNE' }
    const answer = { ...few, tokens: [...only(rune).tokens, namesake] }
    assert.match(
      renderTokens(answer, { aliases: new Map() }, terminal(80)),
      /2 tokens are called RUNE; "rune" alone means rune\. Others: rune\.btc$/,
    )
  })

  test('of one token knows that others share its symbol', () =>
    assert.match(
      renderTokens(only(usdcBase), { ...known, query: 'base' }, terminal(120)),
      /^1 token matches "base" .*\n.*\n.*\n {2}USDC {4}usdc\.base /,
    ))

  test('writes a dash for a price that is not known', () => {
    const unpriced = { ...few, tokens: few.tokens.map((token) => ({ ...token, price_usd: null })) }
    assert.match(renderTokens(unpriced, known, terminal(80)), /RUNE {4}rune +- +16\n/)
    assert.match(renderTokens(unpriced, known, plainStyle), /^RUNE\trune\t\t16\t/m)
  })
})

describe('a search without a match', () => {
  const none = only()

  test('says so, with suggestions', () =>
    assert.equal(
      renderTokens(none, { aliases, query: 'runr', suggestions: ['RUNE', 'RUJI'] }, terminal(80)),
      `\
nothing matches "runr"                                          demo · block 120
────────────────────────────────────────────────────────────────────────────────
  did you mean RUNE, RUJI?   all tokens: swap tokens`,
    ))

  test('makes what was typed harmless', () =>
    assert.match(
      renderTokens(none, { aliases, query: '\u001b[2J' }, terminal(80)),
      /^nothing matches "\\u\{1b\}\[2J"/,
    ))

  test('is nothing in a pipe', () =>
    assert.equal(renderTokens(none, { aliases, query: 'runr' }, plainStyle), ''))
})
