import { ripemd160, sha256 } from '@cosmjs/crypto'
import { toBech32 } from '@cosmjs/encoding'

/** The address of a compressed public key: RIPEMD-160 of its SHA-256, in bech32. */
export const addressOf = (publicKey: Uint8Array, prefix: string): string =>
  toBech32(prefix, ripemd160(sha256(publicKey)))

/** `m/44'/931'/0'/0/0`: one to ten steps of at most 2^31 − 1. */
export const isHdPath = (text: string): boolean =>
  /^m(\/\d{1,10}'?){1,10}$/.test(text) &&
  text
    .split('/')
    .slice(1)
    .every((step) => Number.parseInt(step, 10) < 2 ** 31)
