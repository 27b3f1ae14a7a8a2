import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import {
  asBinary,
  fieldsOf,
  parseVariant,
  read,
  variantOf,
  writeJson,
} from '../../../src/demo-chain/contracts/serde.js'
import { ContractError } from '../../../src/demo-chain/modules/contract.js'

const QUERY = 'rujira_rs::interfaces::fin::query::QueryMsg'
const variants = ['config', 'simulate', 'order', 'orders', 'book']

/** Asserts that a reader refuses with exactly this reason. */
function refuses(act: () => unknown, why: string) {
  assert.throws(act, (error: unknown) => {
    assert.ok(error instanceof ContractError)
    assert.equal(error.message, `Error parsing into type ${QUERY}: ${why}`)
    return true
  })
}

/** The recorded node's answer to the `simulate` query of such a coin. */
const simulate = (text: string) => () => read.coin(QUERY, parseVariant(QUERY, text, variants).body)

describe('the text of a refusal, as recorded from a node,', () => {
  test('names an unknown variant with the list of those that exist', () => {
    refuses(
      () => parseVariant(QUERY, '{"nope":{}}', variants),
      'unknown variant `nope`, expected one of `config`, `simulate`, `order`, `orders`, `book`',
    )
  })

  test('names the invalid type of an amount that is a number', () => {
    refuses(simulate('{"simulate":{"denom":"btc-btc","amount":1}}'), 'Invalid type')
  })

  test('names a missing member', () => {
    refuses(() => fieldsOf(QUERY, {}).list('stages', read.coin), 'missing field `stages`')
  })

  test('states for 256 that it is not an eight-bit number', () => {
    const body = parseVariant(QUERY, '{"book":{"limit":256}}', variants).body
    refuses(() => fieldsOf(QUERY, body).optional('limit', read.u8), 'Invalid number.')
  })
})

describe('the JSON reader of the contracts', () => {
  test('accepts 2^128 - 1 as the largest amount', () => {
    assert.equal(read.uint128(QUERY, '340282366920938463463374607431768211455'), (1n << 128n) - 1n)
    for (const amount of [`${1n << 128n}`, '-1', '1.5', ''])
      refuses(() => read.uint128(QUERY, amount), `invalid Uint128 '${amount}'`)
  })

  test('ignores unknown members', () => {
    const fields = fieldsOf(QUERY, { denom: 'rune', amount: '5', bogus: [1] })
    assert.deepEqual(read.coin(QUERY, fields.members), { denom: 'rune', amount: 5n })
  })

  test('treats absent and null alike for an optional member only', () => {
    const fields = fieldsOf(QUERY, { limit: null })
    assert.equal(fields.optional('limit', read.u8), undefined)
    assert.equal(fields.optional('offset', read.u8), undefined)
    refuses(() => fields.take('limit', read.u8), 'Invalid type')
  })

  test('accepts decimals of at most eighteen fractional digits', () => {
    assert.equal(read.decimal(QUERY, '0.0015'), 1_500_000_000_000_000n)
    for (const decimal of ['0.1234567890123456789', 'x'])
      refuses(() => read.decimal(QUERY, decimal), `Error parsing decimal '${decimal}'`)
  })

  test('requires canonical base64', () => {
    assert.equal(Buffer.from(read.binary(QUERY, 'e30=')).toString(), '{}')
    refuses(() => read.binary(QUERY, 'e30'), 'invalid base64: e30')
  })

  test('requires the exact length of a tuple', () => {
    refuses(() => read.tuple(3)(QUERY, [1, 2]), 'invalid length, expected a tuple of size 3')
  })

  test('accepts an enum as a bare string', () => {
    assert.deepEqual(variantOf(['base', 'quote'])(QUERY, 'base'), {
      variant: 'base',
      body: undefined,
    })
    refuses(
      () => variantOf(['base', 'quote'])(QUERY, 'ask'),
      'unknown variant `ask`, expected `base` or `quote`',
    )
  })

  test('has a writer with amounts as strings, and messages inside messages as base64', () => {
    assert.equal(writeJson({ a: 5n, b: 6 }), '{"a":"5","b":6}')
    assert.equal(asBinary({}), 'e30=')
  })
})
