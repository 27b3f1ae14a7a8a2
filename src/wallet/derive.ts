import { ripemd160, Secp256k1, Slip10, Slip10Curve, Slip10RawIndex, sha256 } from '@cosmjs/crypto'
import { toBech32 } from '@cosmjs/encoding'
import { seedOf } from './mnemonic.js'
import { type Secret, wipe } from './secret.js'

/** `m/44'/931'/0'/0/0`: one to ten steps of at most 2^31 − 1. */
export const isHdPath = (text: string): boolean =>
  /^m(\/\d{1,10}'?){1,10}$/.test(text) &&
  text
    .split('/')
    .slice(1)
    .every((step) => Number.parseInt(step, 10) < 2 ** 31)

/** A private key of 32 bytes; the caller wipes it. `hdPath` is for mnemonics, and needed by them. */
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
export function isPrivateKey(bytes: Uint8Array): boolean {
  if (bytes.length !== 32) return false
  try {
    Secp256k1.makeKeypair(bytes)
    return true
  } catch {
    return false
  }
}

/** The compressed public key, 33 bytes. */
export const publicKeyOf = (privateKey: Uint8Array): Uint8Array =>
  Secp256k1.compressPubkey(Secp256k1.makeKeypair(privateKey).pubkey)

/** The address of a compressed public key: RIPEMD-160 of its SHA-256, in bech32. */
export const addressOf = (publicKey: Uint8Array, prefix: string): string =>
  toBech32(prefix, ripemd160(sha256(publicKey)))
