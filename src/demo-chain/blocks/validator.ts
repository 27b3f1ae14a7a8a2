import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import type { Validator } from './chain.js'
import { toHex } from './hex.js'
import { sha256 } from './merkle.js'

/** PKCS #8 before a raw Ed25519 seed. */
const HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The validator of a chain, drawn from its id and seed: play power, not a secret. */
export type SigningValidator = Validator & { sign(bytes: Uint8Array): Uint8Array }

export function validatorOf(chainId: string, seed: number): SigningValidator {
  const raw = sha256(Buffer.from(`swap demo validator ${chainId} ${seed}`))
  const key: KeyObject = createPrivateKey({
    key: Buffer.concat([HEAD, raw]),
    format: 'der',
    type: 'pkcs8',
  })
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' })
  const publicKey = Buffer.from(x, 'base64url')
  return {
    address: toHex(sha256(publicKey).subarray(0, 20)),
    publicKey,
    sign: (bytes) => sign(null, bytes, key),
  }
}
