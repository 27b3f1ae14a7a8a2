import assert from 'node:assert/strict'
import { test } from 'vitest'
import { pipeLines } from '../../src/cli/print-answer.js'
import { namesOf } from '../../src/render/names.js'
import { plainStyle } from '../../src/render/style.js'

test('a document in a pipe has a line for each member, in its order', () => {
  const document = {
    name: 'main',
    path: null,
    weak: false,
    kdf: { n: 131_072, r: 8 },
    legs: [{ amount: '1' }, { amount: '2' }],
    absent: undefined,
    note: 'a\tb\nc',
  }
  assert.deepEqual(pipeLines(document).split('\n'), [
    'name\tmain',
    'path\t',
    'weak\tfalse',
    'kdf.n\t131072',
    'kdf.r\t8',
    'legs.1.amount\t1',
    'legs.2.amount\t2',
    'note\ta b c',
  ])
})

test('a document in a pipe has the pairs left out after the answer', () => {
  const left = [{ address: 'demo1a', reason: 'halted: retired' }]
  assert.deepEqual(pipeLines({ height: 1, excluded: left, price: '2' }).split('\n'), [
    'height\t1',
    'price\t2',
    'excluded.1.address\tdemo1a',
    'excluded.1.reason\thalted: retired',
  ])
})

test('a coin in a pipe has its symbol and its units beside the document', () => {
  const tokens = new Map([['btc-btc', { symbol: 'BTC', chain: 'BTC', decimals: 8 }]])
  const names = namesOf({ tokens }, plainStyle)
  const document = {
    input: { denom: 'btc-btc', amount: '150000000' },
    min_return: '1',
    returned: null,
    spent: ['1 btc-btc', '2 rune'],
    hops: [],
  }
  assert.deepEqual(pipeLines(document, { names, output: 'btc-btc' }).split('\n'), [
    'input.symbol\tBTC',
    'input.denom\tbtc-btc',
    'input.amount\t150000000',
    'input.amount_human\t1.5',
    'min_return\t1',
    'min_return_human\t0.00000001',
    'returned\t',
    'returned_human\t',
    'spent\t1 btc-btc',
    'spent\t2 rune',
  ])
})

test('an object in a pipe that has a symbol of its own has one line of it', () => {
  const tokens = new Map([['btc-btc', { symbol: 'BTC', chain: 'BTC', decimals: 8 }]])
  const names = namesOf({ tokens }, plainStyle)
  const document = { base: { denom: 'btc-btc', symbol: 'BTC', decimals: 8 } }
  assert.deepEqual(pipeLines(document, { names }).split('\n'), [
    'base.denom\tbtc-btc',
    'base.symbol\tBTC',
    'base.decimals\t8',
  ])
})
