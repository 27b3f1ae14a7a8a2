import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { resolveToken } from '../../src/cli/arguments/token-names.js'
import { builtInAliases } from '../../src/config/naming.js'
import { SwapError } from '../../src/engine/errors.js'
import type { Token } from '../../src/engine/market/token.js'
import { refusal } from './refusal.js'

const token = (denom: string, symbol: string, chain: string, kind: Token['kind']): Token => ({
  denom,
  symbol,
  chain,
  kind,
  name: symbol,
  decimals: 8,
  contract: null,
  logoUri: null,
})

const usdcEth = 'eth-usdc-0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
const usdcBase = 'base-usdc-0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'
const usdcAvax = 'avax-usdc-0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e'

const tokens: readonly Token[] = [
  token('rune', 'RUNE', 'THOR', 'native'),
  token('tcy', 'TCY', 'THOR', 'native'),
  token('x/ruji', 'RUJI', 'THOR', 'factory'),
  token('btc-btc', 'BTC', 'BTC', 'secured'),
  token('eth-eth', 'ETH', 'ETH', 'secured'),
  token('base-eth', 'ETH', 'BASE', 'secured'),
  token(usdcEth, 'USDC', 'ETH', 'secured'),
  token(usdcBase, 'USDC', 'BASE', 'secured'),
  token('eth-usdt-0xdac17f958d2ee523a2206206994597c13d831ec7', 'USDT', 'ETH', 'secured'),
  token('avax-sol-0xfe6b19286885a4f7f55adad09c3cd1f906d2478f', 'SOL', 'AVAX', 'secured'),
  token('eth-sol-0xd31a59c85ae9d8edefec411d448f90841571b89c', 'SOL', 'ETH', 'secured'),
]
const none = new Map<string, string>()

const candidates = (error: SwapError) =>
  error.members['candidates'] as readonly Record<string, string>[]

describe('one token is meant', () => {
  const rows: readonly (readonly [sentence: string, text: string, denom: string])[] = [
    ['the exact denom', 'btc-btc', 'btc-btc'],
    ['the exact denom with a slash in it', 'x/ruji', 'x/ruji'],
    ["the chain's name of the layer-1 asset", 'BTC.BTC', 'btc-btc'],
    ["the chain's name of the secured asset", usdcBase.toUpperCase(), usdcBase],
    ["the chain's name in small letters", 'btc.btc', 'btc-btc'],
    ["the chain's name with its contract", usdcEth.toUpperCase().replace('-', '.'), usdcEth],
    ["the chain's name of a native asset", 'THOR.RUNE', 'rune'],
    ['a symbol in any case', 'rUnE', 'rune'],
    ['a symbol with its chain', 'usdc.base', usdcBase],
    ['a symbol with its chain, in capitals', 'USDC.ETH', usdcEth],
    ['a built-in alias', 'usdc', usdcEth],
    ['a built-in alias in capitals', 'ETH', 'eth-eth'],
  ]
  for (const [sentence, text, denom] of rows)
    test(`${sentence}: ${text}`, () =>
      assert.equal(resolveToken(text, tokens, none).token.denom, denom))

  test('a note says what an alias chose among several', () => {
    assert.equal(resolveToken('USDC', tokens, none).note, `usdc = ${usdcEth}`)
  })

  test('no note where there was no choice', () => {
    assert.equal(resolveToken('btc', tokens, none).note, undefined)
    assert.equal(resolveToken('usdc.eth', tokens, none).note, undefined)
    assert.equal(resolveToken(usdcEth, tokens, none).note, undefined)
  })

  test('the built-in aliases are the four that people mean', () =>
    assert.deepEqual([...builtInAliases.keys()], ['usdc', 'usdt', 'eth', 'btc']))
})

describe('aliases', () => {
  const resolve = (text: string, ...aliases: [string, string][]) =>
    resolveToken(text, tokens, new Map(aliases)).token.denom

  test('an alias may name a denom, a symbol or another alias', () => {
    assert.equal(resolve('gold', ['gold', 'btc-btc']), 'btc-btc')
    assert.equal(resolve('gold', ['gold', 'rune']), 'rune')
    assert.equal(resolve('usd', ['usd', 'usdc']), usdcEth)
  })

  test('your alias goes before the built-in one of the same name', () =>
    assert.equal(resolve('usdc', ['usdc', 'usdc.base']), usdcBase))

  test('an alias cannot give the symbol of a token to another token', () => {
    assert.equal(resolve('rune', ['rune', 'btc-btc']), 'rune')
    assert.throws(() => resolve('sol', ['sol', 'btc-btc']), { code: 'AMBIGUOUS_TOKEN' })
  })

  test('an alias to a token that is not listed is as good as none', () => {
    assert.equal(resolve('tcy', ['tcy', 'gaia-atom']), 'tcy')
    assert.throws(() => resolve('atom', ['atom', 'gaia-atom']), { code: 'UNKNOWN_TOKEN' })
  })

  test('a built-in alias to a token that is not listed is as good as none', () => {
    const others = tokens.filter(({ denom }) => denom !== usdcEth)
    const resolved = resolveToken('usdc', others, none)
    assert.equal(resolved.token.denom, usdcBase)
    assert.equal(resolved.note, undefined)
  })

  test('an empty alias removes the built-in one', () =>
    assert.throws(() => resolve('usdc', ['usdc', '']), { code: 'AMBIGUOUS_TOKEN' }))

  test('aliases that name each other end', () =>
    assert.throws(() => resolve('a', ['a', 'b'], ['b', 'a']), { code: 'UNKNOWN_TOKEN' }))
})

describe('several tokens are meant', () => {
  test('a symbol of two tokens is refused with what to write instead', () => {
    const error = refusal(() => resolveToken('sol', tokens, none, '/input/denom'))
    assert.equal(error.code, 'AMBIGUOUS_TOKEN')
    assert.equal(error.members['pointer'], '/input/denom')
    assert.equal(error.message, '"sol" could be any of 2 tokens here')
    assert.deepEqual(
      candidates(error).map(({ symbol, alias }) => [symbol, alias]),
      [
        ['SOL', 'sol.avax'],
        ['SOL', 'sol.eth'],
      ],
    )
  })

  test('every alias that is offered resolves to its candidate', () => {
    const error = refusal(() => resolveToken('sol', tokens, none))
    for (const { alias, denom } of candidates(error))
      assert.equal(resolveToken(alias ?? '', tokens, none).token.denom, denom)
  })

  test('where symbol and chain are the same too, the denom is offered', () => {
    const twice = [token('x/a', 'DOG', 'THOR', 'factory'), token('x/b', 'DOG', 'THOR', 'factory')]
    const error = refusal(() => resolveToken('dog', twice, none))
    assert.deepEqual(
      candidates(error).map(({ alias }) => alias),
      ['x/a', 'x/b'],
    )
    assert.throws(() => resolveToken('dog.thor', twice, none), { code: 'AMBIGUOUS_TOKEN' })
  })
})

describe('a token whose creator chose the name of another one', () => {
  const listed = [...tokens, token('gaia-atom', 'ATOM', 'GAIA', 'secured')]
  const copied = (symbol: string, name = symbol): readonly Token[] => [
    ...listed,
    { ...token('x/copy', symbol, 'THOR', 'factory'), name },
  ]

  test('is not taken for the symbol with its chain that it has for a symbol', () => {
    const error = refusal(() => resolveToken('usdc.base', copied('USDC.BASE'), none))
    assert.equal(error.code, 'AMBIGUOUS_TOKEN')
    assert.deepEqual(
      candidates(error).map(({ alias }) => alias),
      ['usdc.base.thor', usdcBase],
    )
  })

  test('is not taken for the usual name that it has for a name', () => {
    assert.equal(resolveToken('cosmos', listed, none).token.denom, 'gaia-atom')
    const error = refusal(() => resolveToken('cosmos', copied('COPY', 'Cosmos'), none))
    assert.equal(error.code, 'AMBIGUOUS_TOKEN')
  })
})

describe('no token is meant', () => {
  const near: readonly (readonly [sentence: string, text: string, hint: RegExp])[] = [
    ['a wrong letter', 'runr', /did you mean rune, ruji\?/],
    ['two letters swapped', 'ruen', /did you mean rune/],
    ['a beginning', 'ru', /did you mean ruji, rune\?/],
    ['a beginning goes before a wrong letter', 'usd', /did you mean usdc, usdt\?/],
    ['chain and symbol the wrong way round', 'base.usdc', /did you mean usdc\.base\?/],
    ['nothing near', 'dogecoin', /^list them: swap tokens$/],
    ['nothing at all', '', /^list them/],
  ]
  for (const [sentence, text, hint] of near)
    test(`${sentence}: ${text}`, () => {
      const error = refusal(() => resolveToken(text, tokens, none))
      assert.equal(error.code, 'UNKNOWN_TOKEN')
      assert.match(error.hint ?? '', hint)
      assert.ok(candidates(error).length <= 3)
      for (const { denom } of candidates(error)) assert.ok(tokens.some((t) => t.denom === denom))
    })

  test('the member of the request is named by its pointer', () => {
    for (const text of ['runr', 'btc/btc'])
      assert.equal(
        refusal(() => resolveToken(text, tokens, none, '/output/denom')).members['pointer'],
        '/output/denom',
      )
  })

  test('candidates carry denom and symbol', () =>
    assert.deepEqual(candidates(refusal(() => resolveToken('runr', tokens, none))), [
      { denom: 'rune', symbol: 'RUNE' },
      { denom: 'x/ruji', symbol: 'RUJI' },
    ]))

  for (const text of ['btc/btc', 'btc~btc', 'BTC/BTC'])
    test(`${text} is another kind of asset, and says so`, () => {
      const error = refusal(() => resolveToken(text, tokens, none))
      assert.equal(error.code, 'UNKNOWN_TOKEN')
      assert.match(error.message, text.includes('~') ? /trade asset/ : /synth/)
      assert.match(error.hint ?? '', /btc-btc/)
    })

  test('a synth without its contract still finds the secured token', () =>
    assert.match(
      refusal(() => resolveToken('eth/usdc', tokens, none)).hint ?? '',
      /eth-usdc-0xa0b8/,
    ))

  for (const text of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'])
    test(`${text} is an unknown token like any other`, () =>
      assert.equal(refusal(() => resolveToken(text, tokens, none)).code, 'UNKNOWN_TOKEN'))

  test('a letter that only looks like one is another letter', () => {
    const link = [token('eth-link', 'LINK', 'ETH', 'secured')]
    assert.throws(() => resolveToken('LIN\u212a', link, none), { code: 'UNKNOWN_TOKEN' })
    assert.throws(() => resolveToken('RUNЕ', tokens, none), { code: 'UNKNOWN_TOKEN' })
  })

  test('a text of a megabyte is refused quickly, in a short message', () => {
    const error = refusal(() => resolveToken('a'.repeat(1_000_000), tokens, none))
    assert.ok(error.message.length < 120)
  })

  test('any text resolves to a listed token or is refused', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.constantFrom(...Object.getOwnPropertyNames(Object.prototype))),
        (text) => {
          try {
            assert.ok(tokens.includes(resolveToken(text, tokens, none).token))
          } catch (error) {
            assert.ok(error instanceof SwapError)
          }
        },
      ),
    )
  })

  test('every denom resolves to its own token, whatever the aliases', () => {
    fc.assert(
      fc.property(fc.constantFrom(...tokens), fc.constantFrom(...tokens), (wanted, other) => {
        const aliases = new Map([[wanted.denom, other.denom]])
        assert.equal(resolveToken(wanted.denom, tokens, aliases).token, wanted)
      }),
    )
  })
})

test('avalanche is not listed in this file, so its usdc is unknown', () =>
  assert.throws(() => resolveToken(usdcAvax, tokens, none), { code: 'UNKNOWN_TOKEN' }))
