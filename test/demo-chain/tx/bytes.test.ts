import assert from 'node:assert/strict'
import { TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { runTx } from '../../../src/demo-chain/blocks/run-tx.js'
import { ChainFailure } from '../../../src/demo-chain/modules/chain-failure.js'
import type { Contract } from '../../../src/demo-chain/modules/contract.js'
import type { TxMode } from '../../../src/demo-chain/tx/ante.js'
import { decodeTx } from '../../../src/demo-chain/tx/decode.js'
import { executeMessage, sendMessage } from '../../../src/demo-chain/tx/sign.js'
import { runs } from '../../support/books.js'
import { emptyState, fund, machineOf, RULES, recorded, signedBy, signer } from './chain.js'

const alice = signer(1)
const till = signer(9).address
const idle: Contract = {
  query: () => '{}',
  execute: () => ({ messages: [], events: [] }),
}
const machine = machineOf({ [till]: idle })
const stateOfAlice = () => {
  const state = emptyState()
  fund(state, alice.address, [{ denom: 'rune', amount: 1_000n }])
  return state
}
const valid = signedBy(alice, {
  messages: [
    sendMessage(alice.address, till, [{ denom: 'rune', amount: 5n }]),
    executeMessage(alice.address, till, '{"swap":{}}', [{ denom: 'rune', amount: 1n }]),
  ],
  fee: [{ denom: 'rune', amount: 2n }],
  memo: 'memo',
  timeoutHeight: 100n,
})

/** Panics have code 111222: no bytes may cause one. */
const answered = (bytes: Uint8Array, mode: TxMode) => {
  const state = stateOfAlice()
  const result = runTx(machine, state, bytes, mode, RULES)
  assert.notEqual(result.code, 111222, result.log)
  return { result, state }
}

describe('arbitrary transaction bytes', () => {
  const modes: readonly TxMode[] = ['check', 'deliver', 'simulate']

  test('are answered without a panic', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(...modes), (bytes, mode) => {
        const { result } = answered(bytes, mode)
        assert.equal(result.code, bytes.length === 0 ? 18 : result.code || 18)
      }),
      runs(300),
    )
  })

  test('are answered without a panic also when only a few bytes are wrong', () => {
    const { bodyBytes, authInfoBytes, signatures } = TxRaw.decode(valid)
    const edit = fc.record({ at: fc.nat(), byte: fc.nat(255), kind: fc.constantFrom('put', 'cut') })
    const edited = (
      bytes: Uint8Array,
      edits: readonly { at: number; byte: number; kind: string }[],
    ) =>
      edits.reduce((now, { at, byte, kind }) => {
        const place = at % now.length
        const rest = now.subarray(place + 1)
        return Uint8Array.from([
          ...now.subarray(0, place),
          ...(kind === 'cut' ? [] : [byte]),
          ...rest,
        ])
      }, bytes)
    const edits = fc.array(edit, { maxLength: 3 })
    fc.assert(
      fc.property(edits, edits, fc.constantFrom(...modes), (body, auth, mode) => {
        const bytes = TxRaw.encode({
          bodyBytes: edited(bodyBytes, body),
          authInfoBytes: edited(authInfoBytes, auth),
          signatures,
        }).finish()
        answered(bytes, mode)
      }),
      runs(500),
    )
  })

  test('are refused without a write for one changed bit of a signed transaction', () => {
    assert.equal(answered(valid, 'deliver').result.code, 0)
    const before = [...stateOfAlice().changes()]
    for (let at = 0; at < valid.length; at++)
      for (const flip of [1, 0x80]) {
        const bytes = Uint8Array.from(valid)
        bytes[at] = (bytes[at] as number) ^ flip
        const { result, state } = answered(bytes, 'deliver')
        assert.notEqual(result.code, 0, `byte ${at}`)
        assert.deepEqual([...state.changes()], before)
      }
  })

  test('are no transaction for every recorded one cut short', () => {
    const bytes = Buffer.from(recorded.committed[0]?.tx ?? '', 'base64')
    for (let size = 1; size < bytes.length; size++) {
      const { result } = answered(bytes.subarray(0, size), 'check')
      assert.notEqual(result.code, 0)
    }
  })
})

describe('decoding transaction bytes', () => {
  const refused: readonly (readonly [what: string, bytes: readonly number[]])[] = [
    ['no field', [1, 2, 3]],
    ['a field without a length', [0x0a]],
    ['a field that is cut short', [0x0a, 5, 1]],
    ['a field of another type', [0x08, 1]],
    ['fields in another order', [0x12, 0, 0x0a, 0]],
    ['a length that could be shorter', [0x0a, 0x80, 0]],
    ['an unknown field', [0x22, 0]],
    ['a message of no type', [0x0a, 2, 0x0a, 0]],
  ]
  for (const [what, bytes] of refused)
    test(`refuses ${what}`, () => {
      assert.throws(
        () => decodeTx(Uint8Array.from(bytes)),
        (error) => error instanceof ChainFailure && error.codespace === 'sdk' && error.code === 2,
      )
    })

  test('refuses malformed amounts', () => {
    for (const amount of ['', '+1', '01', '1.5', '0x10', '1e3', ' 1', String(1n << 256n)]) {
      const coin = { denom: 'rune', amount: amount as unknown as bigint }
      const bytes = signedBy(alice, { messages: [sendMessage(alice.address, till, [coin])] })
      assert.equal(answered(bytes, 'check').result.code, 2, amount)
    }
  })
})
