import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { resolveToken } from '../../src/cli/arguments/token-names.js'
import { confirmationWord, namesOf } from '../../src/render/names.js'
import { plainStyle } from '../../src/render/style.js'
import { aliases, context, quoted, rune, terminal, tokens, usdc, usdcBase } from './documents.js'

const names = namesOf(context, terminal(80))

describe('the name of a token', () => {
  test('is its symbol where the symbol is unique', () => assert.equal(names.symbol(rune), 'RUNE'))

  test('is its symbol where an alias maps the symbol to it', () =>
    assert.equal(names.symbol(usdc), 'USDC'))

  test('is symbol and chain where the symbol means another token', () => {
    assert.equal(names.symbol(usdcBase), 'USDC.base')
    assert.equal(names.typed(usdcBase), 'usdc.base')
  })

  test('is symbol and chain where the symbol is shared without an alias', () =>
    assert.equal(namesOf({ tokens }, terminal(80)).symbol(usdc), 'USDC.eth'))

  test('is not a symbol that an alias gives to a token outside the list', () => {
    const only = new Map([[usdcBase, tokens.get(usdcBase)!]])
    assert.equal(namesOf({ tokens: only, aliases }, terminal(80)).symbol(usdcBase), 'USDC.base')
  })

  test('is its denom without a symbol, shortened on terminals only', () => {
    const twin = {
      ...tokens.get(usdc)!,
      denom: 'eth-usdc-0x1111111111111111111111111111111111111111',
    }
    const twins = { tokens: new Map([...tokens, [twin.denom, twin]]) }
    assert.equal(namesOf(twins, terminal(80)).symbol(usdc), 'eth-usdc-0xa…0ce3606eb48')
    assert.equal(namesOf(twins, plainStyle).symbol(usdc), usdc)
    assert.equal(names.symbol('nobody'), 'nobody')
    assert.equal(names.typed('nobody'), 'nobody')
  })

  test('is no name that another token has with its chain', () => {
    const copy = { ...tokens.get(usdc)!, denom: 'x/copy', symbol: 'USDC.base', chain: 'THOR' }
    const copied = namesOf(
      { tokens: new Map([...tokens, [copy.denom, copy]]), aliases },
      terminal(80),
    )
    assert.equal(copied.symbol(copy.denom), 'USDC.base.thor')
    assert.equal(copied.symbol(usdcBase), `base-usdc-0x…${usdcBase.slice(-11)}`)
  })

  test('is no name that means another token where it is typed', () => {
    for (const symbol of ['btc-btc', 'BTC.BTC', 'thor.rune', 'base-usdc']) {
      const copy = { ...tokens.get(usdc)!, denom: 'x/copy', symbol, chain: 'THOR' }
      const other = { ...copy, denom: 'base-usdc', symbol: 'BASEUSDC', chain: 'BASE' }
      const listed = [...tokens.values(), copy, other]
      const { symbol: nameOf } = namesOf(
        { tokens: new Map(listed.map((token) => [token.denom, token])), aliases },
        plainStyle,
      )
      const name = nameOf(copy.denom)
      assert.equal(resolveToken(name, listed, aliases).token.denom, copy.denom, symbol)
    }
  })

  test('is its denom where the symbol has characters that look like others', () => {
    for (const symbol of [
      'USD\u0421',
      'USDC\u00a0',
      'USDC\u3164',
      'USDC\u1160',
      'ＵSDC',
      'US DC',
      'D〇GE',
      '工NJ',
    ]) {
      const copy = { ...tokens.get(usdc)!, denom: 'x/copy', symbol }
      const copied = { tokens: new Map([...tokens, [copy.denom, copy]]), aliases }
      assert.equal(namesOf(copied, terminal(80)).symbol(copy.denom), 'x/copy', symbol)
    }
  })

  test('is the symbol in scripts of East Asia and in emoji, which look like no other', () => {
    for (const symbol of ['比特币', '🪙', 'コイン', '코인1'])
      assert.equal(
        namesOf(
          { tokens: new Map([[usdc, { ...tokens.get(usdc)!, symbol }]]) },
          terminal(80),
        ).symbol(usdc),
        symbol,
      )
  })

  test('has at most 24 columns on terminals', () => {
    const long = { ...tokens.get(usdc)!, symbol: 'A'.repeat(500) }
    const one = { tokens: new Map([[usdc, long]]) }
    const [onTerminal, inPipe] = [namesOf(one, terminal(80)), namesOf(one, plainStyle)]
    for (const name of ['symbol', 'ticker'] as const) {
      assert.equal(onTerminal[name](usdc), 'AAAAAAAAAAAA…AAAAAAAAAAA')
      assert.equal(inPipe[name](usdc), long.symbol)
    }
  })

  test('is typed as the denom where it is longer, cannot be typed or is read as a flag', () => {
    for (const symbol of ['A'.repeat(25), '\u202eUSDC', 'US DC', 'ÜSDC', '-q', '']) {
      const one = { tokens: new Map([[usdc, { ...tokens.get(usdc)!, symbol }]]) }
      assert.equal(namesOf(one, terminal(80)).typed(usdc), usdc, symbol)
    }
  })
})

describe('a symbol that a shell would run', () => {
  const call = 'tcy$({touch,/tmp/x})'
  const one = { tokens: new Map([[usdc, { ...tokens.get(usdc)!, symbol: call }]]) }

  test('is typed as the denom', () => {
    for (const symbol of [call, 'a`id`', 'a;id', 'a|id', "a'", 'a>b', '--json$', '#a', '~root'])
      assert.equal(
        namesOf(
          { tokens: new Map([[usdc, { ...tokens.get(usdc)!, symbol }]]) },
          terminal(80),
        ).typed(usdc),
        usdc,
        symbol,
      )
  })

  test('is the word that is typed at a question, where no shell reads it', () =>
    assert.equal(confirmationWord(usdc, one), call))
})

describe('the word that confirms a token', () => {
  test('is its unique name, never a symbol that other tokens have', () => {
    assert.equal(confirmationWord(usdc, { tokens, aliases }), 'USDC')
    assert.equal(confirmationWord(usdcBase, { tokens, aliases }), 'USDC.base')
  })

  test('is the denom where it has no name that can be typed', () => {
    for (const symbol of ['A'.repeat(25), '\u202eUSDC', 'USD\u0421', ''])
      assert.equal(
        confirmationWord(usdc, { tokens: new Map([[usdc, { ...tokens.get(usdc)!, symbol }]]) }),
        usdc,
        symbol,
      )
  })
})

describe('the name of a pair', () => {
  test('has base before quote, whatever the direction of a hop', async () => {
    const hop = (await quoted()).routes[0]!.hops[1]!
    const denoms = { base: hop.input.denom, quote: hop.output.denom }
    assert.equal(names.pair(hop.address, denoms), 'rune/usdc')
    assert.equal(namesOf({ tokens, aliases }, terminal(80)).pair(hop.address, denoms), 'usdc/rune')
  })

  test('is its address where the pair is unknown', () => {
    const address = 'demo1ar3grsxufvmr3fq8j92ssvc8vcyzdkhh9rlg5mdmuw8we552htxs5fq9aa'
    assert.equal(names.pair(address), 'demo1ar3grsx…2htxs5fq9aa')
    assert.equal(namesOf(context, plainStyle).pair(address), address)
  })

  test('is its whole address in the id of an order where the pair is unknown', () => {
    const pair = 'demo1ar3grsxufvmr3fq8j92ssvc8vcyzdkhh9rlg5mdmuw8we552htxs5fq9aa'
    const id = `${pair}/buy/0.4`
    assert.equal(names.order({ pair, id }), id)
  })

  test('is never shortened in the id of an order, which is typed to cancel it', () => {
    const pair = 'demo1ar3grsxufvmr3fq8j92ssvc8vcyzdkhh9rlg5mdmuw8we552htxs5fq9aa'
    const orderOf = (base: string, symbol: string) =>
      namesOf(
        {
          tokens: new Map([...tokens, [base, { ...tokens.get(rune)!, symbol }]]),
          aliases,
          pairs: new Map([[pair, { base, quote: usdc }]]),
        },
        terminal(80),
      ).order({ pair, id: `${pair}/buy/0.4` })
    assert.equal(orderOf('x/long', 'A'.repeat(40)), 'x/long/usdc/buy/0.4')
    assert.equal(orderOf(`x/${'l'.repeat(126)}`, '\u202eXRT'), `${pair}/buy/0.4`)
  })
})
