import { Secp256k1, Slip10, Slip10Curve, Slip10RawIndex } from '@cosmjs/crypto'
import { attempt } from '../platform/attempt.js'
import { seedOf } from './mnemonic.js'
import { type Secret, wipe } from './secret.js'

/** The private key of a secret, 32 bytes; the caller wipes it. `hdPath` is required for mnemonics. */
export async function privateKeyOf(secret: Secret, hdPath: string | null): Promise<Buffer> {
  if (secret.kind === 'private_key') return Buffer.from(secret.bytes)
  const seed = await seedOf(secret.bytes)
  try {
    const steps = (hdPath ?? '').split('/').slice(1)
    const path = steps.map((step) =>
      step.endsWith("'")
        ? Slip10RawIndex.hardened(Number.parseInt(step, 10))
        : Slip10RawIndex.normal(Number(step)),
    )
    const { privkey, chainCode } = Slip10.derivePath(Slip10Curve.Secp256k1, seed, path)
    const key = Buffer.from(privkey)
    wipe(privkey, chainCode)
    return key
  } finally {
    wipe(seed)
  }
}

/** Whether 32 bytes are a key of secp256k1: from 1 to the order less 1. */
export const isPrivateKey = (bytes: Uint8Array): boolean =>
  bytes.length === 32 && attempt(() => Secp256k1.makeKeypair(bytes)) !== undefined

/** The compressed public key, 33 bytes. */
export const publicKeyOf = (privateKey: Uint8Array): Uint8Array =>
  Secp256k1.compressPubkey(Secp256k1.makeKeypair(privateKey).pubkey)
