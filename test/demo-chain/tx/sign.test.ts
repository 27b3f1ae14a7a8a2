import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { makeSignDoc as makeAminoSignDoc, serializeSignDoc } from '@cosmjs/amino'
import { createWasmAminoConverters, wasmTypes } from '@cosmjs/cosmwasm-stargate'
import { makeAuthInfoBytes, Registry } from '@cosmjs/proto-signing'
import { AminoTypes, createBankAminoConverters, defaultRegistryTypes } from '@cosmjs/stargate'
import { TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { addressOfKey } from '../../../src/demo-chain/modules/addresses.js'
import { decodeTx } from '../../../src/demo-chain/tx/decode.js'
import {
  executeMessage,
  publicKeyOf,
  sendMessage,
  signature,
  signedTx,
} from '../../../src/demo-chain/tx/sign.js'
import {
  aminoSignBytes,
  directSignBytes,
  isValidSignature,
  signBytes,
} from '../../../src/demo-chain/tx/verify.js'
import { runs } from '../../support/books.js'
import { recorded, signer } from './chain.js'

const alice = signer(1)
const contract = signer(9).address

describe('a real transaction of thorchain-1', () => {
  const { mainnet } = recorded
  const hex = (field: string) => Buffer.from(mainnet[field] ?? '', 'hex')
  const base64 = (field: string) => Buffer.from(mainnet[field] ?? '', 'base64')
  const bytes = base64('tx_raw_base64')
  const tx = decodeTx(bytes)

  test('is decoded', () => {
    assert.equal(createHash('sha256').update(bytes).digest('hex').toUpperCase(), mainnet['tx_hash'])
    assert.deepEqual(Buffer.from(tx.bodyBytes), hex('body_bytes_hex'))
    assert.deepEqual(Buffer.from(tx.authInfoBytes), hex('auth_info_bytes_hex'))
    const [message] = tx.messages
    assert.ok(message?.kind === 'execute')
    assert.equal(message.message, mainnet['msg_json_utf8'])
    assert.equal(message.sender, mainnet['sender'])
    assert.equal(tx.memo, mainnet['memo'])
    assert.equal(String(tx.fee?.gasLimit), mainnet['gas_limit'])
    assert.deepEqual(tx.fee?.coins, [{ denom: 'rune', amount: 0n }])
  })

  test('has a sign doc that its signature verifies', () => {
    const number = BigInt(mainnet['account_number'] ?? '')
    const doc = directSignBytes(tx.bodyBytes, tx.authInfoBytes, mainnet['chain_id'] ?? '', number)
    assert.deepEqual(Buffer.from(doc), hex('sign_doc_hex'))
    const [signer] = tx.signers
    assert.ok(signer?.publicKey)
    assert.equal(addressOfKey('thor', signer.publicKey), mainnet['sender'])
    assert.ok(isValidSignature(signer.publicKey, doc, base64('signature_base64')))
    const other = signBytes(tx, signer, 'thorchain-2', number)
    assert.ok(other && !isValidSignature(signer.publicKey, other, base64('signature_base64')))
  })
})

describe('the signature of the demo chain', () => {
  test('is deterministic, and differs for another sequence', () => {
    const messages = [sendMessage(alice.address, contract, [{ denom: 'rune', amount: 1n }])]
    const signing = {
      privateKey: alice.privateKey,
      chainId: 'demo-1',
      accountNumber: 3n,
      sequence: 4n,
      gas: 100_000n,
      messages,
    }
    assert.deepEqual(signedTx(signing), signedTx(signing))
    assert.notDeepEqual(signedTx(signing), signedTx({ ...signing, sequence: 5n }))
  })

  test('is valid for its key and text only, and only with a low S', () => {
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const key = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => {
      bytes[0] = (bytes[0] as number) & 0x7f
      bytes[31] = (bytes[31] as number) | 1
      return bytes
    })
    fc.assert(
      fc.property(key, fc.uint8Array({ minLength: 1 }), (privateKey, bytes) => {
        const publicKey = publicKeyOf(privateKey)
        const signed = signature(privateKey, bytes)
        assert.ok(isValidSignature(publicKey, bytes, signed))
        assert.ok(!isValidSignature(publicKey, Uint8Array.of(...bytes, 0), signed))
        assert.ok(!isValidSignature(publicKeyOf(new Uint8Array(32).fill(77)), bytes, signed))
        assert.ok(!isValidSignature(publicKey, bytes, signed.subarray(0, 63)))
        assert.ok(!isValidSignature(publicKey.subarray(1), bytes, signed))
        const s = BigInt(`0x${Buffer.from(signed.subarray(32)).toString('hex')}`)
        const high = Buffer.from((order - s).toString(16).padStart(64, '0'), 'hex')
        assert.ok(
          !isValidSignature(publicKey, bytes, Buffer.concat([signed.subarray(0, 32), high])),
        )
      }),
      runs(10),
    )
  })

  test('is refused for points that are not on the curve, and for zeros', () => {
    const bytes = Uint8Array.of(1)
    const signed = signature(alice.privateKey, bytes)
    assert.ok(!isValidSignature(new Uint8Array(33).fill(2), bytes, new Uint8Array(64)))
    assert.ok(!isValidSignature(Uint8Array.of(2, ...new Uint8Array(32).fill(255)), bytes, signed))
    assert.ok(!isValidSignature(publicKeyOf(alice.privateKey), bytes, new Uint8Array(64)))
  })
})

const registry = new Registry([...defaultRegistryTypes, ...wasmTypes])
const aminoTypes = new AminoTypes({
  ...createBankAminoConverters(),
  ...createWasmAminoConverters(),
})
const fee = { amount: [{ denom: 'rune', amount: '7' }], gas: '3000000' }
const rune = (amount: string) => [{ denom: 'rune', amount }]

/** Messages as clients hold them. */
const clientMessages = (sender: string, payload: unknown) => [
  {
    typeUrl: '/cosmos.bank.v1beta1.MsgSend',
    value: { fromAddress: sender, toAddress: contract, amount: rune('5') },
  },
  {
    typeUrl: '/cosmwasm.wasm.v1.MsgExecuteContract',
    value: { sender, contract, msg: Buffer.from(JSON.stringify(payload)), funds: rune('1') },
  },
]

const PAYLOAD = { swap: { to: '<b> & "ü" 😀', min: '1', list: [1, 2.5, null, true] }, a: {} }

test('a transaction has the same amino JSON here as in cosmjs, whatever the contract message', () => {
  const key = fc.string().filter((text) => !/^\d+$/.test(text) && text !== '__proto__')
  // Go escapes these two line ends as well, cosmjs does not: a chain refuses what it signs of them.
  const line = fc.string({ unit: 'grapheme' }).filter((text) => !/[\u2028\u2029]/.test(text))
  const anyJson = fc.letrec((tie) => ({
    value: fc.oneof(
      line,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(key, tie('value'), { maxKeys: 3 }),
    ),
  })).value
  const timeout = fc.bigInt(0n, 9n)
  fc.assert(
    fc.property(
      fc.dictionary(key, anyJson),
      fc.string(),
      timeout,
      (payload, memo, timeoutHeight) => {
        const messages = clientMessages(alice.address, payload)
        const msgs = messages.map((message) => aminoTypes.toAmino(message))
        const doc = makeAminoSignDoc(msgs, fee, 'demo-1', memo, 12, 34, timeoutHeight)
        const bodyBytes = registry.encodeTxBody({ messages, memo, timeoutHeight })
        const authInfoBytes = makeAuthInfoBytes([], fee.amount, 3_000_000, undefined, undefined)
        const tx = decodeTx(TxRaw.encode({ bodyBytes, authInfoBytes, signatures: [] }).finish())
        assert.ok(tx.fee)
        const ours = aminoSignBytes(tx, tx.fee, 'demo-1', 12n, 34n)
        assert.deepEqual(ours, serializeSignDoc(doc))
      },
    ),
    runs(100),
  )
})

test('a message of this program equals the one that a client writes', () => {
  const [send, execute] = clientMessages(alice.address, PAYLOAD)
  assert.ok(send && execute)
  const coins = (amount: bigint) => [{ denom: 'rune', amount }]
  assert.deepEqual(sendMessage(alice.address, contract, coins(5n)).value, registry.encode(send))
  assert.deepEqual(
    executeMessage(alice.address, contract, JSON.stringify(PAYLOAD), coins(1n)).value,
    registry.encode(execute),
  )
})
