/**
 * Bytes as text. `platform/encoding.ts` has the same, but is bundled with schemas that a quote from a saved chain
 * does not load.
 */

export const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** Upper-case digits: how a chain writes hashes. */
export const toUpperHex = (bytes: Uint8Array): string => toHex(bytes).toUpperCase()

export const fromHex = (text: string): Uint8Array => Buffer.from(text, 'hex')

/** With padding. */
export const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

export const fromBase64 = (text: string): Uint8Array => Buffer.from(text, 'base64')
