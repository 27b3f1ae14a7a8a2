import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { decodeTxResult } from '../../../src/chain/tx/result.js'
import { rootCursor } from '../../../src/engine/snapshot/json-cursor.js'
import { recorded } from '../../demo-chain/node/recorded.js'

type Attribute = { key: string; value: string }

const resultOf = (name: string) => {
  const { response } = recorded[name] as {
    response: { result: { tx_result: { events: readonly { attributes: Attribute[] }[] } } }
  }
  return response.result.tx_result
}

describe('the result of a transaction', () => {
  for (const name of ['tx_router_2leg_affiliate', 'tx_err_contract_min_return'])
    test(`${name} is the same from a node that writes attributes in base64`, () => {
      const encoded = structuredClone(resultOf(name))
      for (const attribute of encoded.events.flatMap(({ attributes }) => attributes))
        for (const member of ['key', 'value'] as const)
          attribute[member] = Buffer.from(attribute[member]).toString('base64')
      const result = decodeTxResult(rootCursor(resultOf(name)), 1)
      assert.ok(result.usedSequence)
      assert.deepEqual(decodeTxResult(rootCursor(encoded), 1), result)
    })

  test('is malformed where no attribute of its events can be read, in place of moving nothing', () => {
    const event = { type: 'coin_received', attributes: [{ key: '?', value: '?' }] }
    const result = { code: 0, gas_wanted: '1', gas_used: '1', events: [event] }
    assert.throws(() => decodeTxResult(rootCursor(result), 1), /must have events whose attributes/)
  })

  test('may have an event without attributes, whose list some nodes leave out', () => {
    const event = { type: 'coin_spent', attributes: [{ key: 'spender', value: 'demo1' }] }
    const result = { code: 0, gas_wanted: '1', gas_used: '1', events: [{ type: 'tx' }, event] }
    assert.equal(decodeTxResult(rootCursor(result), 1).movements.length, 1)
  })
})
