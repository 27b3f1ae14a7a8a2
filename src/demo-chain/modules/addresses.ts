import { createHash } from 'node:crypto'

/** The 32 characters of the data part, by value. */
const CHARSET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const GENERATORS = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]
const CHECKSUM = 6
/** Longest text that the SDK reads (it allows more than the 90 of BIP-173). */
const MAX_TEXT = 1023

/** A text is no bech32; the message is the SDK's. */
export class Bech32Error extends Error {
  override name = 'Bech32Error'
}

function checksumOf(prefix: string, values: readonly number[]): number {
  let sum = 1
  const take = (value: number): void => {
    const top = sum >>> 25
    sum = ((sum & 0x1ffffff) << 5) ^ value
    for (const [bit, generator] of GENERATORS.entries()) if ((top >> bit) & 1) sum ^= generator
  }
  for (const char of prefix) take(char.charCodeAt(0) >> 5)
  take(0)
  for (const char of prefix) take(char.charCodeAt(0) & 31)
  for (const value of values) take(value)
  return sum
}

function checksumText(prefix: string, values: readonly number[]): string {
  const sum = checksumOf(prefix, [...values, 0, 0, 0, 0, 0, 0]) ^ 1
  let text = ''
  for (let at = 0; at < CHECKSUM; at++) text += CHARSET[(sum >>> (5 * (5 - at))) & 31]
  return text
}

/** Bits in groups of another size. The last group is padded, or must be empty. */
function regroup(values: Iterable<number>, from: number, to: number, pad: boolean): number[] {
  const out: number[] = []
  let [held, bits] = [0, 0]
  for (const value of values) {
    held = (held << from) | value
    bits += from
    while (bits >= to) {
      bits -= to
      out.push((held >>> bits) & ((1 << to) - 1))
      held &= (1 << bits) - 1
    }
  }
  if (pad) {
    if (bits > 0) out.push((held << (to - bits)) & ((1 << to) - 1))
  } else if (bits >= from || held !== 0) throw new Bech32Error('invalid incomplete group')
  return out
}

/** Bytes as bech32 text, lower case. */
export function encodeBech32(prefix: string, bytes: Uint8Array): string {
  const values = regroup(bytes, 8, 5, true)
  const data = values.map((value) => CHARSET[value]).join('')
  return `${prefix}1${data}${checksumText(prefix, values)}`
}

/**
 * Prefix and bytes of a bech32 text, in either case but not in both.
 *
 * @throws Bech32Error
 */
export function decodeBech32(given: string): { prefix: string; bytes: Uint8Array } {
  const size = Buffer.byteLength(given)
  if (size < 8 || size > MAX_TEXT) throw new Bech32Error(`invalid bech32 string length ${size}`)
  for (const char of Buffer.from(given))
    if (char < 33 || char > 126)
      throw new Bech32Error(`invalid character in string: '${String.fromCharCode(char)}'`)
  const text = given.toLowerCase()
  if (text !== given && given.toUpperCase() !== given)
    throw new Bech32Error('string not all lowercase or all uppercase')
  const one = text.lastIndexOf('1')
  if (one < 1 || one + 1 + CHECKSUM > text.length)
    throw new Bech32Error(`invalid separator index ${one}`)
  const prefix = text.slice(0, one)
  const values = [...text.slice(one + 1)].map((char) => {
    const value = CHARSET.indexOf(char)
    if (value < 0)
      throw new Bech32Error(`invalid character not part of charset: ${char.charCodeAt(0)}`)
    return value
  })
  const data = values.slice(0, -CHECKSUM)
  if (checksumOf(prefix, values) !== 1)
    throw new Bech32Error(
      `invalid checksum (expected ${checksumText(prefix, data)} got ${text.slice(-CHECKSUM)})`,
    )
  return { prefix, bytes: Uint8Array.from(regroup(data, 5, 8, false)) }
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
