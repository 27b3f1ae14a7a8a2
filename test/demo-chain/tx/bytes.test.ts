import assert from 'node:assert/strict'
import { TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { runTx } from '../../../src/demo-chain/blocks/run-tx.js'
import type { Contract } from '../../../src/demo-chain/modules/contract.js'
import { ChainFailure } from '../../../src/demo-chain/modules/failure.js'
import { goString, type TxMode } from '../../../src/demo-chain/tx/ante.js'
import { decodeTx } from '../../../src/demo-chain/tx/decode.js'
import { executeMessage, sendMessage } from '../../../src/demo-chain/tx/sign.js'
import { runs } from '../../support/books.js'
import { emptyState, fund, machineOf, RULES, recorded, signedBy, signer } from './chain.js'

const alice = signer(1)
const till = signer(9).address
const idle: Contract = {
  name: 'idle',
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
  const textOf = (bytes: readonly number[]): string => {
    try {
      decodeTx(Uint8Array.from(bytes))
    } catch (error) {
      assert.ok(error instanceof ChainFailure)
      assert.deepEqual([error.codespace, error.code], ['sdk', 2])
      return error.message.replace(': tx parse error: tx parse error', '')
    }
    return ''
  }
  const cases: readonly (readonly [bytes: readonly number[], text: string])[] = [
    [[], ''],
    [[1, 2, 3], 'invalid length; proto: invalid field number'],
    [[0x0a], 'invalid length; unexpected EOF'],
    [[0x0a, 5, 1], 'invalid length; unexpected EOF'],
    [[0x08, 1], 'expected 2 wire type, got 0'],
    [[0x12, 0, 0x0a, 0], 'txRaw must follow ADR-027, got tagNum 1 after tagNum 2'],
    [
      [0x0a, 0x80, 0],
      'length prefix varint for tagNum 1 is not as short as possible, read 2, only need 1',
    ],
    [[0x22, 0], 'errUnknownField "*tx.TxRaw": {TagNum: 4, WireType:"bytes"}'],
    [[0x0a, 2, 0x30, 1], 'errUnknownField "*tx.TxBody": {TagNum: 6, WireType:"varint"}'],
    [
      [0x0a, 2, 0x10, 1],
      'Mismatched "*tx.TxBody": {TagNum: 2, GotWireType: "varint" != WantWireType: "bytes"}',
    ],
    [[0x0a, 2, 0x0a, 0], 'unable to resolve type URL '],
    // A field marked as not critical may be unknown in the body, not beside it.
    [[0x0a, 3, 0x80, 0x41, 1], ''],
    [[0x12, 3, 0x80, 0x41, 1], 'errUnknownField "*tx.AuthInfo": {TagNum: 1040, WireType:"varint"}'],
  ]
  for (const [bytes, text] of cases)
    test(`${JSON.stringify(bytes)}: ${text || 'succeeds'}`, () => {
      assert.equal(textOf(bytes), text)
    })

  test('refuses malformed amounts', () => {
    for (const amount of ['', '+1', '01', '1.5', '0x10', '1e3', ' 1', String(1n << 256n)]) {
      const coin = { denom: 'rune', amount: amount as unknown as bigint }
      const bytes = signedBy(alice, { messages: [sendMessage(alice.address, till, [coin])] })
      assert.equal(answered(bytes, 'check').result.code, 2, amount)
    }
  })

  test('prints raw bytes as Go does', () => {
    assert.equal(
      goString(Uint8Array.of(0x41, 0xff, 0xc3, 0xa9, 0xe2, 0x82)),
      'A\ufffdé\ufffd\ufffd',
    )
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        assert.equal(goString(Buffer.from(text)), text)
      }),
      runs(50),
    )
  })
})
