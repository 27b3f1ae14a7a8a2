import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { Secp256k1 } from '@cosmjs/crypto'
import { demo } from '../../src/chain/networks/demo.js'
import { decodeSignBytes, signBytesOf } from '../../src/chain/tx/decode-sign-doc.js'
import type { Draft } from '../../src/chain/tx/unsigned-tx.js'
import { SwapError } from '../../src/engine/errors.js'
import { requestSignature } from '../../src/execution/request-signature.js'
import { addressOf } from '../../src/wallet/address.js'
import { DEMO } from '../../src/wallet/demo-key.js'
import { readAnswer, type Signer, type SignRequest } from '../../src/wallet/signing/protocol.js'

export const publicKey = Buffer.from(DEMO.publicKey, 'hex')
export const address = addressOf(publicKey, demo.prefix)
export const draft: Draft = {
  chainId: demo.chainId,
  accountNumber: 107n,
  sequence: 12n,
  sender: address,
  publicKey,
  calls: [
    {
      contract: 'demo16sl82ssg7trpxpler375mlkwcg0dwku6yl08339hqxmk7wjjsmwsfv6q08',
      message: '{"swap":{"stages":[],"min_return":{"denom":"rune","amount":"5"}}}',
      funds: [{ denom: 'btc-btc', amount: 100n }],
    },
  ],
  memo: 'a <memo>',
  timeoutHeight: 520n,
  fee: [{ denom: 'rune', amount: 0n }],
  gasLimit: 9_000_000n,
}
export const never = new AbortController().signal

/** Signs the SHA-256 of bytes, as a device does. */
export function signed(bytes: Uint8Array, secret: string = DEMO.privateKey): Buffer {
  const digest = createHash('sha256').update(bytes).digest()
  const made = Secp256k1.createSignature(digest, Buffer.from(secret, 'hex'))
  return Buffer.from([...made.r(32), ...made.s(32)])
}

export const bytesOf = ({ sign_bytes }: SignRequest): Buffer => Buffer.from(sign_bytes, 'base64')
export const isAmino = ({ sign_mode }: SignRequest): boolean => sign_mode === 'amino'

type Given = Partial<Record<'public_key' | 'signature' | 'sign_mode' | 'signed', unknown>>

/** A right answer, with other members where they are given. */
export const answer = (request: SignRequest, other: Given = {}): string =>
  JSON.stringify({
    public_key: publicKey.toString('base64'),
    signature: signed(bytesOf(request)).toString('base64'),
    ...other,
  })

export const sign = (signer: Pick<Signer, 'sign'>, tx: Draft, interrupt = never) => {
  const signDoc = signBytesOf(tx)
  const decoded = decodeSignBytes(signDoc, tx.publicKey)
  return requestSignature(
    demo.prefix,
    { name: 'exec:device', address, forget: () => {}, ...signer },
    { signDoc, decoded },
    interrupt,
  )
}

/** A signer in this process that answers so. */
export const answering = (
  made: (request: SignRequest) => string | Uint8Array,
): Pick<Signer, 'sign'> => ({
  sign: async (request) => readAnswer('exec:device', Buffer.from(made(request)), request),
})

export const otherSecret = '11'.repeat(32)
export const otherKey = Secp256k1.compressPubkey(
  Secp256k1.makeKeypair(Buffer.from(otherSecret, 'hex')).pubkey,
)

export const failed = (why: RegExp) => (error: unknown) => {
  assert.ok(error instanceof SwapError)
  assert.equal(error.code, 'SIGNER_FAILED')
  assert.match(error.why ?? '', why)
  // A refused answer may hold a valid signature.
  assert.doesNotMatch(error.hint ?? '', /nothing was signed/)
  return true
}
