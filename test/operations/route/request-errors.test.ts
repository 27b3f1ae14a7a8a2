import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { readRouteRequest } from '../../../src/operations/route/route-request.js'
import { directPair, ofAmount, problem, swap } from './asking.js'

const detailsOf = async (body: unknown) =>
  ((await problem(body))['errors'] as { pointer: string; detail: string }[]).map(
    ({ pointer, detail }) => `${pointer} ${detail}`,
  )

test('a slippage of another form is refused with the unit of slippage_bps', async () => {
  for (const text of [0.01, '0.5%'])
    assert.deepEqual(await detailsOf({ ...swap, slippage: text, slippage_bps: text }), [
      '/slippage must be auto; slippage_bps is a number, in basis points',
      '/slippage_bps must be a whole number of basis points: 50 is 0.5 %',
    ])
})

test('a value of another type or size is refused with what it must be', async () => {
  const rows: readonly (readonly [member: object, detail: string])[] = [
    [{ max_hops: 7 }, '/max_hops must be a whole number from 1 to 6'],
    [{ max_hops: 0 }, '/max_hops must be a whole number from 1 to 6'],
    [{ max_hops: 'two' }, '/max_hops must be a whole number from 1 to 6'],
    [{ via: 'rune' }, '/via must be an array'],
    [{ verify: 1 }, '/verify must be true or false'],
    [{ output: { denom: 1 } }, '/output/denom must be a string'],
    [{ path: [] }, '/path must not be empty'],
    [{ input: { denom: 'btc-btc', amount: null } }, '/input/amount must be a string of digits'],
    [{ input: 1 }, '/input must be an object'],
  ]
  for (const [member, detail] of rows)
    assert.deepEqual(await detailsOf({ ...swap, ...member }), [detail])
  assert.deepEqual(await detailsOf(null), [' must be an object'])
})

test('an unknown member is answered with the members of similar names, where they belong', async () => {
  const rows: readonly (readonly [body: object, detail: string])[] = [
    [{ maxHops: 3 }, '/maxHops is not a member of this request; did you mean /max_hops?'],
    [{ hops: 3 }, '/hops is not a member of this request; did you mean /max_hops?'],
    [
      { amount: '5' },
      '/amount is not a member of this request; did you mean /input/amount, /output/amount?',
    ],
    [
      { output: { denom: 'rune', amuont: '1' } },
      '/output/amuont is not a member of this request; did you mean /output/amount?',
    ],
    [
      { input: { ...swap.input, max_hops: 2 } },
      '/input/max_hops is not a member of this request; did you mean /max_hops?',
    ],
    [{ colour: 'red' }, '/colour is not a member of this request'],
  ]
  for (const [member, detail] of rows)
    assert.deepEqual(await detailsOf({ ...swap, ...member }), [detail])
})

describe('a request that is far too large', () => {
  test('is refused with its list or object, before each of their items is checked', async () => {
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`m${i}`, i]))
    const rows: readonly (readonly [body: unknown, error: string])[] = [
      [{ exclude: Array(10_000).fill('') }, '/exclude must not have more than 32 items'],
      [many, ' must not have more than 64 members'],
      [{ ...swap, input: many }, '/input must not have more than 64 members'],
    ]
    for (const [body, error] of rows) assert.deepEqual(await detailsOf(body), [error])
    assert.deepEqual(
      readRouteRequest({ ...swap, exclude: Array(32).fill('x') }).exclude?.length,
      32,
    )
    const most = Object.fromEntries(Array.from({ length: 64 }, (_, i) => [`m${i}`, i]))
    assert.ok((await detailsOf(most)).includes('/m0 is not a member of this request'))
  })

  test('repeats the beginning alone of the name of an unknown member', async () => {
    const body = { ...swap, ['x'.repeat(10_000)]: 1 }
    assert.deepEqual(await detailsOf(body), [`/${'x'.repeat(159)} is not a member of this request`])
  })
})

describe('a malformed route request', () => {
  const table: readonly (readonly [title: string, body: unknown, pointers: readonly string[]])[] = [
    ['no body', undefined, ['']],
    ['null', null, ['']],
    ['a list', [swap], ['']],
    ['text', 'btc-btc', ['']],
    ['an empty object', {}, ['/input', '/output']],
    ['an input without a denom', { ...swap, input: { amount: '1' } }, ['/input/denom']],
    ['an input of text', { ...swap, input: 'btc-btc' }, ['/input']],
    [
      'unknown members',
      { ...swap, foo: 1, output: { denom: 'rune', bar: 2 } },
      ['/foo', '/output/bar'],
    ],
    ['a member of another case', { ...swap, Slippage_bps: 5 }, ['/Slippage_bps']],
    [
      'a prototype',
      JSON.parse(`{"input":{"denom":"a","amount":"1"},"output":{"denom":"b"},"__proto__":{}}`),
      ['/__proto__'],
    ],
    ['a constructor', { ...swap, constructor: 1 }, ['/constructor']],
    ['an amount of true', ofAmount(true), ['/input/amount']],
    ['an amount of null', ofAmount(null), ['/input/amount']],
    ['an amount in a list', ofAmount(['1']), ['/input/amount']],
    ['a slippage of text', { ...swap, slippage_bps: '50' }, ['/slippage_bps']],
    ['half a basis point of slippage', { ...swap, slippage_bps: 0.5 }, ['/slippage_bps']],
    ['no hops', { ...swap, max_hops: 0 }, ['/max_hops']],
    ['seven hops', { ...swap, max_hops: 7 }, ['/max_hops']],
    ['half a hop', { ...swap, max_hops: 1.5 }, ['/max_hops']],
    ['no routes', { ...swap, limit: 0 }, ['/limit']],
    ['26 routes', { ...swap, limit: 26 }, ['/limit']],
    ['via of text', { ...swap, via: 'rune' }, ['/via']],
    ['via of numbers', { ...swap, via: [5] }, ['/via/0']],
    ['33 names to exclude', { ...swap, exclude: Array(33).fill('rune') }, ['/exclude']],
    ['an empty path', { ...swap, path: [] }, ['/path']],
    ['a path of seven pairs', { ...swap, path: Array(7).fill('x') }, ['/path']],
    ['explain of text', { ...swap, explain: 'yes' }, ['/explain']],
    ['a negative impact', { ...swap, max_impact_bps: -1 }, ['/max_impact_bps']],
    ['a recipient of a number', { ...swap, recipient: 5 }, ['/recipient']],
    [
      'several faults at once',
      { input: {}, output: 5, limit: 'x' },
      ['/input/denom', '/limit', '/output'],
    ],
    [
      'two amounts',
      { ...swap, output: { denom: 'rune', amount: '5' } },
      ['/input/amount', '/output/amount'],
    ],
    ['no amount', { ...swap, input: { denom: 'btc-btc' } }, ['/input/amount', '/output/amount']],
    [
      'a path with an output amount',
      { input: { denom: 'btc-btc' }, output: { denom: 'rune', amount: '5' }, path: [directPair()] },
      ['/output/amount', '/path'],
    ],
    ['a path with via', { ...swap, path: [directPair()], via: ['rune'] }, ['/path', '/via']],
    [
      'a path that ends in another token',
      { ...swap, output: { denom: 'tcy' }, path: [directPair()] },
      ['/path'],
    ],
    [
      'a path whose pairs do not connect',
      { ...swap, path: [directPair(), directPair('tcy')] },
      ['/path/1'],
    ],
  ]

  for (const [title, body, pointers] of table)
    test(`is INVALID_REQUEST for ${title}, with pointers`, async () => {
      const { code, status, errors } = await problem(body)
      assert.deepEqual([code, status], ['INVALID_REQUEST', 400])
      const faults = errors as readonly { pointer: string; detail: string }[]
      assert.deepEqual(faults.map(({ pointer }) => pointer).sort(), pointers)
      for (const fault of faults) assert.deepEqual(Object.keys(fault), ['pointer', 'detail'])
    })

  test('names an unknown member as unknown', async () => {
    const { errors } = await problem({ ...swap, foo: 1 })
    assert.match(JSON.stringify(errors), /not a member/)
  })
})

describe('a malformed amount', () => {
  const max = 2n ** 128n
  const table = [
    '0',
    '-1',
    '+1',
    '1.5',
    '1.0',
    '1e5',
    '1E5',
    '007',
    '00',
    '',
    ' ',
    ' 1',
    '1 ',
    '1_000',
    '1,000',
    '0x10',
    'NaN',
    'Infinity',
    '１',
    '٣',
    `${max}`,
    '9'.repeat(39),
    '1'.repeat(40),
    '1'.repeat(100_000),
    '1\n',
    '1e400',
    0,
    -1,
    2 ** 53,
    1e21,
    1e300,
    -1e300,
  ]

  for (const amount of table)
    test(`is INVALID_AMOUNT: ${JSON.stringify(amount).slice(0, 50)}`, async () => {
      const { code, status, pointer } = await problem(ofAmount(amount))
      assert.deepEqual([code, status, pointer], ['INVALID_AMOUNT', 400, '/input/amount'])
    })

  for (const amount of [1.5, 0.1, JSON.parse('1e400'), 5e-324] as number[])
    test(`is INVALID_AMOUNT: the number ${amount}`, async () => {
      const { code, pointer } = await problem(ofAmount(amount))
      assert.deepEqual([code, pointer], ['INVALID_AMOUNT', '/input/amount'])
    })

  test('is reported with its pointer', async () => {
    const output = { input: { denom: 'btc-btc' }, output: { denom: 'rune', amount: '0' } }
    assert.equal((await problem(output))['pointer'], '/output/amount')
    assert.equal((await problem({ ...swap, min_out: '-5' }))['pointer'], '/min_out')
  })

  test('is not 2^128 - 1, which is an amount but too much for the market', async () => {
    assert.equal((await problem(ofAmount(`${max - 1n}`))).code, 'INSUFFICIENT_LIQUIDITY')
  })
})
