import { createHash } from 'node:crypto'
import { fromBech32, toBech32 } from '@cosmjs/encoding'
import { sha256 } from '../../platform/encoding.js'

/** Longest text that the SDK reads (it allows more than the 90 of BIP-173). */
const MAX_TEXT = 1023

/** Bytes as bech32 text, lower case. */
export const encodeBech32 = (prefix: string, bytes: Uint8Array): string =>
  toBech32(prefix, bytes, MAX_TEXT)

/** Prefix and bytes of a bech32 text, in either case but not in both. @throws Error */
export function decodeBech32(text: string): { prefix: string; bytes: Uint8Array } {
  const { prefix, data } = fromBech32(text, MAX_TEXT)
  return { prefix, bytes: data }
}

/** Bytes of an account's address, and of a contract's. */
const ACCOUNT = 20
const CONTRACT = 32

/** The address of a compressed secp256k1 key: RIPEMD-160 of its SHA-256. */
export const addressOfKey = (prefix: string, publicKey: Uint8Array): string =>
  encodeBech32(prefix, createHash('ripemd160').update(sha256(publicKey)).digest())

/** The address of a module's own account: the first bytes of its name's SHA-256. */
export const moduleAddress = (prefix: string, name: string): string =>
  encodeBech32(prefix, sha256(name).subarray(0, ACCOUNT))

/** The bytes of an address whose validity is known. @throws Error */
export const addressBytes = (address: string): Uint8Array => decodeBech32(address).bytes

/** Why a text is no address of the chain with this prefix, in the SDK's words; else `undefined`. */
export function invalidAddress(prefix: string, text: string): string | undefined {
  if (text.trim() === '') return 'empty address string is not allowed'
  try {
    const decoded = decodeBech32(text)
    if (decoded.prefix !== prefix)
      return `invalid Bech32 prefix; expected ${prefix}, got ${decoded.prefix}`
    const { length } = decoded.bytes
    return length === ACCOUNT || length === CONTRACT ? undefined : 'invalid address'
  } catch (error) {
    return `decoding bech32 failed: ${(error as Error).message}`
  }
}
