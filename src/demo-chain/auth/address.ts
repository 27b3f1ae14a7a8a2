import { createHash } from 'node:crypto'
import { Bech32Error, decodeBech32, encodeBech32 } from './bech32.js'

const sha256 = (bytes: Uint8Array | string): Buffer => createHash('sha256').update(bytes).digest()

/** Bytes of an account's address, and of a contract's. */
const ACCOUNT = 20
const CONTRACT = 32

/** The address of a compressed secp256k1 key: RIPEMD-160 of its SHA-256. */
export const addressOfKey = (prefix: string, publicKey: Uint8Array): string =>
  encodeBech32(prefix, createHash('ripemd160').update(sha256(publicKey)).digest())

/** The address of a module's own account: the first bytes of its name's SHA-256. */
export const moduleAddress = (prefix: string, name: string): string =>
  encodeBech32(prefix, sha256(name).subarray(0, ACCOUNT))

/**
 * The bytes of an address whose validity is known.
 *
 * @throws Bech32Error
 */
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
    if (error instanceof Bech32Error) return `decoding bech32 failed: ${error.message}`
    throw error
  }
}
