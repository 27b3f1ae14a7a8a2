import { createHash } from 'node:crypto'

/** A transaction's name on the chain: the SHA-256 of its bytes, upper-case hex. */
export const txHashOf = (txBytes: Uint8Array): string =>
  createHash('sha256').update(txBytes).digest('hex').toUpperCase()

/** The SHA-256 of a sign document, lower-case hex: what a signature is over. */
export const signHashOf = (signDoc: Uint8Array): string =>
  createHash('sha256').update(signDoc).digest('hex')
