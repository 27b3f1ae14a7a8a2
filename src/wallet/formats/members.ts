import { InvalidKeyDocument } from '../keyfile/document.js'

/** An untrusted JSON object. */
export type Members = Readonly<Record<string, unknown>>

/** @throws NoKeyDocument naming the member */
export function group(of: Members, name: string): Members {
  const value = of[name]
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unreadable(name)
  return value as Members
}

/** A text; with a pattern, one that matches it. */
export function text(of: Members, name: string, pattern?: RegExp): string {
  const value = of[name]
  if (typeof value !== 'string' || (pattern && !pattern.test(value))) throw unreadable(name)
  return value
}

export function count(of: Members, name: string): number {
  const value = of[name]
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw unreadable(name)
  return value
}

/** Bytes in hex, of one length where one is given. */
export function hex(of: Members, name: string, length?: number): Buffer {
  const bytes = Buffer.from(text(of, name, /^([0-9a-fA-F]{2})+$/), 'hex')
  if (length !== undefined && bytes.length !== length) throw unreadable(name)
  return bytes
}

const unreadable = (name: string) => new InvalidKeyDocument(`its member ${name} cannot be read`)
