import { isPrivateKey } from '../derive.js'
import { InvalidKeyDocument } from '../keyfile/document.js'
import { entropyOf, InvalidMnemonic } from '../mnemonic.js'
import type { ForeignKey } from './foreign.js'

/** A mnemonic in clear text. */
export function readMnemonic(given: string): ForeignKey {
  const bytes = entropyIn(given)
  return {
    format: 'mnemonic',
    description: `mnemonic of ${(bytes.length * 3) / 4} words`,
    weak: true,
    encrypted: false,
    open: async () => ({ secret: { kind: 'mnemonic', bytes: Buffer.from(bytes) } }),
  }
}

/** A private key in hex, with or without `0x`. */
export function readHex(given: string): ForeignKey {
  const bytes = Buffer.from(hexIn(given) ?? '', 'hex')
  if (!isPrivateKey(bytes))
    throw new InvalidKeyDocument(
      'it is not a private key: 64 hex digits below the order of the curve',
    )
  return {
    format: 'hex',
    description: 'private key in hex',
    weak: true,
    encrypted: false,
    open: async () => ({ secret: { kind: 'private_key', bytes: Buffer.from(bytes) } }),
  }
}

/** The digits, where a text is nothing but 32 bytes in hex. */
export const hexIn = (given: string): string | undefined =>
  /^\s*(?:0x)?([0-9a-fA-F]{64})\s*$/.exec(given)?.[1]

function entropyIn(given: string): Buffer {
  try {
    return entropyOf(given)
  } catch (error) {
    if (error instanceof InvalidMnemonic) throw new InvalidKeyDocument(error.message)
    throw error
  }
}
