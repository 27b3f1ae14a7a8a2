import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import {
  asBinary,
  fieldsOf,
  parseVariant,
  parseWire,
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

describe('a refusal in the words of a recorded node', () => {
  test('names an unknown variant with the list of those that exist', () => {
    refuses(
      () => parseVariant(QUERY, '{"nope":{}}', variants),
      'unknown variant `nope`, expected one of `config`, `simulate`, `order`, `orders`, `book`',
    )
  })

  test('names the invalid type of an amount that is a number', () => {
    refuses(simulate('{"simulate":{"denom":"btc-btc","amount":1}}'), 'Invalid type')
  })

  test('names the invalid digit of a negative amount', () => {
    refuses(
      simulate('{"simulate":{"denom":"btc-btc","amount":"-1"}}'),
      "invalid $t '-1' - Generic error: Parsing u128: invalid digit found in string",
    )
  })

  test('is for an amount of 2^128 that it is too large', () => {
    refuses(
      simulate(
        '{"simulate":{"denom":"btc-btc","amount":"340282366920938463463374607431768211456"}}',
      ),
      "invalid $t '340282366920938463463374607431768211456' - Generic error: Parsing u128: number too large to fit in target type",
    )
  })

  test('names a missing member', () => {
    refuses(() => fieldsOf(QUERY, {}).list('stages', read.coin), 'missing field `stages`')
  })

  test('is for 256 that it is not an eight-bit number', () => {
    const body = parseVariant(QUERY, '{"book":{"limit":256}}', variants).body
    refuses(() => fieldsOf(QUERY, body).optional('limit', read.u8), 'Invalid number.')
  })
})

describe('the JSON reader of the contracts', () => {
  test('keeps the digits of numbers, and strings that look like numbers', () => {
    assert.deepEqual(
      parseWire('{"a":340282366920938463463374607431768211456,"b":"[1","c":[-7,1.5]}'),
      {
        a: 340282366920938463463374607431768211456n,
        b: '[1',
        c: [-7n, 1.5],
      },
    )
    assert.deepEqual(parseWire('{"$a":"$#","#b":{"x\\"":[1,"\\\\"]}}'), {
      $a: '$#',
      '#b': { 'x"': [1n, '\\'] },
    })
    assert.equal(parseWire('{"a":01}'), undefined)
  })

  test('accepts 2^128 - 1 as the largest amount', () => {
    assert.equal(read.uint128(QUERY, '340282366920938463463374607431768211455'), (1n << 128n) - 1n)
    refuses(
      () => read.uint128(QUERY, ''),
      "invalid $t '' - Generic error: Parsing u128: cannot parse integer from empty string",
    )
  })

  test('ignores unknown members', () => {
    const fields = fieldsOf(QUERY, { denom: 'rune', amount: '5', bogus: [1] })
    assert.deepEqual(read.coin(QUERY, fields.members), { denom: 'rune', amount: 5n })
  })

  test('treats absent and null alike for an optional member only', () => {
    const fields = fieldsOf(QUERY, { limit: null })
    assert.equal(fields.optional('limit', read.u8), undefined)
    assert.equal(fields.optional('offset', read.u8), undefined)
    refuses(() => fields.u8('limit'), 'Invalid type')
  })

  test('accepts decimals of at most eighteen fractional digits', () => {
    assert.equal(read.decimal(QUERY, '0.0015'), 1_500_000_000_000_000n)
    refuses(
      () => read.decimal(QUERY, '0.1234567890123456789'),
      "Error parsing decimal '0.1234567890123456789': Generic error: Cannot parse more than 18 fractional digits",
    )
    refuses(
      () => read.decimal(QUERY, 'x'),
      "Error parsing decimal 'x': Generic error: Error parsing whole",
    )
  })

  test('requires canonical base64', () => {
    assert.equal(Buffer.from(read.binary(QUERY, 'e30=')).toString(), '{}')
    refuses(() => read.binary(QUERY, 'e30'), 'invalid base64: e30')
  })

  test('requires the exact length of a tuple', () => {
    refuses(() => read.tuple(3)(QUERY, [1n, 2n]), 'invalid length 2, expected a tuple of size 3')
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
