import { createHash } from 'node:crypto'
import { fromBech32, toBech32 } from '@cosmjs/encoding'

/** The 32 characters of the data part, by value. */
const CHARSET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const CHECKSUM = 6
/** Longest text that the SDK reads (it allows more than the 90 of BIP-173). */
const MAX_TEXT = 1023

/** A text is no bech32; the message is the SDK's for a wrong length, separator or checksum. */
export class Bech32Error extends Error {
  override name = 'Bech32Error'
}

/** Bytes as bech32 text, lower case. */
export const encodeBech32 = (prefix: string, bytes: Uint8Array): string =>
  toBech32(prefix, bytes, MAX_TEXT)

/**
 * Prefix and bytes of a bech32 text, in either case but not in both.
 *
 * @throws Bech32Error
 */
export function decodeBech32(text: string): { prefix: string; bytes: Uint8Array } {
  try {
    const { prefix, data } = fromBech32(text, MAX_TEXT)
    return { prefix, bytes: data }
  } catch (error) {
    throw new Bech32Error(reasonOf(text, error as Error))
  }
}

/** Why a text is no bech32. */
function reasonOf(text: string, { message }: Error): string {
  const size = Buffer.byteLength(text)
  if (size < 8 || size > MAX_TEXT) return `invalid bech32 string length ${size}`
  const one = text.lastIndexOf('1')
  if (one < 1 || one + 1 + CHECKSUM > text.length) return `invalid separator index ${one}`
  if (!message.startsWith('Invalid checksum')) return message
  const lower = text.toLowerCase()
  const bits = [...lower.slice(one + 1, -CHECKSUM)].map((char) =>
    CHARSET.indexOf(char).toString(2).padStart(5, '0'),
  )
  const bytes = (bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))
  const expected = encodeBech32(lower.slice(0, one), Uint8Array.from(bytes)).slice(-CHECKSUM)
  return `invalid checksum (expected ${expected} got ${lower.slice(-CHECKSUM)})`
}

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
