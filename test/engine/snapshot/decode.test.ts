import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { decodeSnapshot, InvalidSnapshot } from '../../../src/engine/snapshot/decode.js'
import { whole } from './two-pairs.js'

/** The document with one value replaced; `undefined` removes the member. */
function withValue(document: object, path: string, value: unknown): unknown {
  const copy = structuredClone(document)
  const keys = path.split('/')
  const last = keys.pop()!
  let at: Record<string, unknown> = copy as Record<string, unknown>
  for (const key of keys) at = at[key] as Record<string, unknown>
  if (value === undefined) delete at[last]
  else at[last] = value
  return copy
}

function refusalOf(json: unknown): InvalidSnapshot {
  try {
    decodeSnapshot(json, 'market.json')
  } catch (error) {
    if (error instanceof InvalidSnapshot) return error
    throw error
  }
  return assert.fail('the document was read')
}

describe('a snapshot document that is malformed outside its pairs is refused with its first fault', () => {
  const table: readonly (readonly [title: string, path: string, value: unknown, at?: string])[] = [
    ['no format', 'format', undefined],
    ['an older format', 'format', 'swap.snapshot/0'],
    ['a format of a number', 'format', 1],
    ['no network', 'network', undefined],
    ['an empty network', 'network', ''],
    ['no chain id', 'chain_id', null],
    ['no height', 'height', undefined],
    ['a height of text', 'height', '7'],
    ['half a height', 'height', 7.5],
    ['a negative height', 'height', -1],
    ['a height that JSON cannot hold', 'height', 2 ** 53],
    ['no time', 'time', undefined],
    ['a time of another zone', 'time', '2026-05-01T00:00:00+02:00'],
    ['a time without seconds', 'time', '2026-05-01T00:00Z'],
    ['a time of a number', 'time', 1_777_777_777],
    ['no tokens', 'tokens', undefined],
    ['tokens in an object', 'tokens', {}],
    ['a token of text', 'tokens/0', 'a'],
    ['a token without a denom', 'tokens/0/denom', undefined],
    ['a token twice', 'tokens/1/denom', 'a', '/tokens/1'],
    ['decimals of text', 'tokens/0/decimals', '8'],
    ['39 decimals', 'tokens/0/decimals', 39],
    ['a token of another kind', 'tokens/0/kind', 'wrapped'],
    ['a symbol that is empty', 'tokens/0/symbol', ''],
    ['a contract of a number', 'tokens/0/contract', 5],
    ['a reference token of a number', 'usd', 5],
    ['no router', 'router', undefined],
    ['no dialect', 'router/dialect', undefined],
    ['another dialect', 'router/dialect', 'auto'],
    ['a router fee of text', 'router/fee_bps', '10'],
    ['a router fee above all', 'router/fee_bps', 10_001],
    ['affiliates in a list', 'router/affiliates', []],
    ['an affiliate of text', 'router/affiliates', { 'a/b~c': 'x' }, '/router/affiliates/a~1b~0c'],
    [
      'an affiliate without a share',
      'router/affiliates',
      { x: { affiliate_fee_bps: 1 } },
      '/router/affiliates/x/referral_fee_share_bps',
    ],
    ['a router balance of a number', 'router/balances', { a: 5 }, '/router/balances/a'],
    ['arbs in an object', 'arbs', {}],
    ['an arb without an amount', 'arbs', [{ denom: 'a' }], '/arbs/0/amount'],
    ['no pairs', 'pairs', undefined],
    ['pairs in an object', 'pairs', {}],
    ['a pair of text', 'pairs/1', 'x', '/pairs/1'],
    ['a pair of null', 'pairs/1', null, '/pairs/1'],
    ['a pair without an address', 'pairs/1/address', undefined],
    ['a pair twice', 'pairs/1/address', 'sound'],
  ]

  for (const [title, path, value, at] of table)
    test(`with ${title}`, () => {
      const error = refusalOf(withValue(whole, path, value))
      const pointer = at ?? `/${path}`
      assert.deepEqual(
        [error.code, error.members],
        ['INVALID_SNAPSHOT', { path: 'market.json', pointer }],
      )
      assert.ok(error.why?.startsWith(`${pointer} `), error.why)
    })

  for (const json of [null, undefined, [], 'text', 5, true])
    test(`if it is ${JSON.stringify(json)}`, () =>
      assert.deepEqual(refusalOf(json).members, { path: 'market.json', pointer: '' }))

  test('in one short line, however long the value', () => {
    const { why } = refusalOf(withValue(whole, 'network', Array(1e5).fill('x'.repeat(99))))
    assert.ok(why && why.length < 120 && !why.includes('\n'), why)
  })
})

test('the snapshot decoder reads no member from the prototype of a document', () => {
  assert.equal(refusalOf(Object.create(whole)).members['pointer'], '/format')
})
