import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import {
  addressOf,
  commandOf,
  type FormState,
  type Question,
  readAddress,
  readForm,
  requestOf,
  streamPath,
  tokensOfAddress,
} from '../../src/page/question.js'
import { searchTokens, tokenNamed, withLabels } from '../../src/page/tokens.js'
import { demoMarket } from '../service/stage.js'

const tokens = withLabels([...demoMarket.tokens.values()])
const [btc, rune, usdc] = ['btc', 'rune', 'usdc'].map((name) => tokenNamed(tokens, name))
const state: FormState = { mode: 'sroute', typed: '1.5', from: btc, to: rune }
const question: Question = { mode: 'sroute', from: 'btc-btc', to: 'rune', atomics: 150_000_000n }

describe('the form of the page', () => {
  test('reads an amount in whole units as atomics, exactly', () => {
    for (const [typed, atomics] of [
      ['1.5', 150_000_000n],
      [' 25_000 ', 2_500_000_000_000n],
      ['.00000001', 1n],
      ['9007199254740993', 900_719_925_474_099_300_000_000n],
    ] as const)
      assert.deepEqual(readForm({ ...state, typed }), { ...question, atomics })
  })

  test('says what is wrong with an amount, and rounds none', () => {
    for (const [typed, fault] of [
      ['', /Type an amount/],
      ['0', /zero/],
      ['1,500', /no commas/],
      ['-1', /digits/],
      ['1e9', /digits/],
      ['1.123456789', /BTC has 8 decimals/],
      [`1${'0'.repeat(38)}`, /more than any token/],
    ] as const) {
      const read = readForm({ ...state, typed })
      assert.ok('fault' in read, typed)
      assert.match(read.fault, fault)
    }
  })

  test('wants two different tokens', () => {
    assert.deepEqual(readForm({ ...state, to: btc }), { fault: 'Choose two different tokens.' })
    assert.deepEqual(readForm({ ...state, from: undefined }), { fault: 'Choose two tokens.' })
  })

  test('asks the service for the request that it asks the engine for', () => {
    for (const mode of ['route', 'sroute'] as const) {
      const url = new URL(streamPath({ ...question, mode }), 'http://localhost/')
      const parameters = Object.fromEntries(url.searchParams)
      const request = requestOf({ ...question, mode })
      assert.equal(url.pathname, '/swap/stream')
      assert.deepEqual(parameters, {
        operation: mode,
        'input.denom': request.input.denom,
        'input.amount': request.input.amount,
        'output.denom': request.output.denom,
        ...(mode === 'sroute' && { grid: 'false' }),
      })
    }
  })

  test('is kept in the address of the page', () => {
    assert.deepEqual(readAddress(addressOf(state)), {
      typed: '1.5',
      from: 'btc-btc',
      to: 'rune',
      mode: 'sroute',
    })
    assert.deepEqual(readAddress('#%&x'), { typed: '%', from: 'x', to: '', mode: '' })
    assert.equal(commandOf(question, ' 1.5 '), 'swap sroute 1.5 btc-btc rune')
  })

  test('has the tokens that an address names, and none for an unknown one', () => {
    for (const [from, to, denoms] of [
      ['', '', ['btc-btc', 'rune']],
      ['rune', '', ['rune', tokens.find(({ denom }) => denom !== 'rune')?.denom]],
      ['eth.base', 'btc', ['base-eth', 'btc-btc']],
      ['luna', 'rune', [undefined, 'rune']],
      ['', 'luna', ['btc-btc', undefined]],
      ['%', '', [undefined, 'rune']],
    ] as const) {
      const chosen = tokensOfAddress(tokens, { from, to })
      assert.deepEqual([chosen.from?.denom, chosen.to?.denom], denoms)
    }
  })
})

describe('the tokens of the page', () => {
  test('have a label each, the symbol alone where it names one token', () => {
    assert.equal(new Set(tokens.map(({ label }) => label)).size, tokens.length)
    assert.deepEqual([btc?.label, rune?.label, usdc?.label], ['BTC', 'RUNE', 'USDC.ETH'])
    const ethers = tokens.filter(({ symbol }) => symbol === 'ETH').map(({ label }) => label)
    assert.deepEqual(ethers, ['ETH', 'ETH.BASE'])
  })

  test('have the denom for a label where a symbol copies or resembles the label or the denom of another token', () => {
    for (const [symbol, copied, shown] of [
      ['USDC.ETH', usdc, usdc?.denom],
      ['usdc.eth', usdc, usdc?.denom],
      ['RUN\u0395', rune, 'RUNE'],
      ['\u202eENUR', rune, 'RUNE'],
      ['BTC-BTC', btc, 'BTC'],
    ] as const) {
      const labels = withLabels([...tokens, { ...rune!, denom: 'x/evil', symbol }])
      const labelOf = (name: string) => labels.find(({ denom }) => denom === name)!.label
      assert.equal(labelOf('x/evil'), 'x/evil')
      assert.equal(labelOf(copied!.denom), shown)
    }
  })

  test('are found by every word of a label, a name or a denom, those that begin with it first', () => {
    const found = (text: string) => searchTokens(tokens, text).map(({ label }) => label)
    assert.equal(found('').length, tokens.length)
    assert.deepEqual(found('coin base'), ['cbBTC', 'USDC.BASE'])
    assert.equal(found('usd')[0], 'USDC.ETH')
    assert.equal(found('btc')[0], 'BTC')
    assert.deepEqual(found('no such'), [])
  })

  test('are named by denom, label or symbol, in upper or lower case', () => {
    const named = (text: string) => tokenNamed(tokens, text)?.denom
    assert.equal(named('BTC-BTC'), 'btc-btc')
    assert.equal(named('eth.base'), 'base-eth')
    assert.equal(named('usdc')?.startsWith('eth-usdc'), true)
    assert.equal(named('us'), undefined)
  })
})
