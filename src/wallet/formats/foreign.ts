import { isObject, type JsonObject } from '../../platform/json-object.js'
import type { KdfCost } from '../keyfile/kdf-cost.js'
import { InvalidKeyDocument } from '../keyfile/key-document.js'
import { DecryptionFailed } from '../keyfile/seal.js'
import { type Secret, wipe } from '../secret.js'

/** Key formats, as values of `--format`. */
export const formatNames = [
  'swap',
  'cosmjs',
  'armor',
  'xchain',
  'keystore',
  'mnemonic',
  'hex',
] as const
export type FormatName = (typeof formatNames)[number]

/** The decrypted content of a file of another program. The caller wipes the secret. */
export type DecryptedKey = {
  readonly secret: Secret
  /** The derivation path of its account, if the file has one. */
  readonly hdPath?: string
  /** The derivation paths of further accounts. */
  readonly otherPaths?: readonly string[]
  /** The prefix of the address in the file, if there is one. */
  readonly prefix?: string
}

/** A key in the format of another program, parsed but not decrypted. */
export type ForeignKey = {
  readonly format: FormatName
  /** Format and protection in words, e.g. `cosmjs wallet, argon2id 12 MiB`. */
  readonly description: string
  /** Cost of opening it, to be checked first; absent if it has no password. */
  readonly cost?: KdfCost
  /** @throws DecryptionFailed, InvalidKeyDocument */
  open(password: Uint8Array): Promise<DecryptedKey>
}

/** Whether its protection is below today's minimum, or absent. */
export const isWeak = ({ cost }: ForeignKey): boolean => cost?.weak ?? true

/** A key to be written in another program's format. The private key is the derived one. */
export type KeyExport = {
  readonly secret: Secret
  /** 32 bytes. */
  readonly privateKey: Buffer
  readonly hdPath: string | null
  readonly prefix: string
}

/** Decrypts with a key that is used once, and wipes it. @throws DecryptionFailed */
export function openSealed(key: Uint8Array, decrypt: () => Uint8Array): Uint8Array {
  try {
    return decrypt()
  } catch {
    throw new DecryptionFailed()
  } finally {
    wipe(key)
  }
}

/** @throws InvalidKeyDocument naming the member */
export function group(of: JsonObject, name: string): JsonObject {
  const value = of[name]
  if (!isObject(value)) throw unreadable(name)
  return value
}

/** A text; with a pattern, one that matches it. */
export function text(of: JsonObject, name: string, pattern?: RegExp): string {
  const value = of[name]
  if (typeof value !== 'string' || (pattern && !pattern.test(value))) throw unreadable(name)
  return value
}

export function count(of: JsonObject, name: string): number {
  const value = of[name]
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw unreadable(name)
  return value
}

/** Bytes in hex, of one length where one is given. */
export function hex(of: JsonObject, name: string, length?: number): Buffer {
  const bytes = Buffer.from(text(of, name, /^([0-9a-fA-F]{2})+$/), 'hex')
  if (length !== undefined && bytes.length !== length) throw unreadable(name)
  return bytes
}

const unreadable = (name: string) => new InvalidKeyDocument(`its member ${name} cannot be read`)
