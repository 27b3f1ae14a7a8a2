import { jsonOf } from '../../platform/encoding.js'
import { commonPatterns, InvalidKeyDocument, requireSame } from '../keyfile/key-document.js'

/** The entry of an external key: its account, and the command that signs for it. */
export type ExternalDocument = {
  readonly format: 'swap.external/1'
  /** RFC 3339, UTC. */
  readonly created_at: string
  readonly address: string
  /** Compressed, in hex; `null` if only the address is known. */
  readonly pubkey: string | null
  /** Of the address. */
  readonly prefix: string
  readonly sign_mode: 'direct' | 'amino'
  /** `exec:` and the words of the command. */
  readonly signer: string
}

const MEMBERS = ['format', 'created_at', 'address', 'pubkey', 'prefix', 'sign_mode', 'signer']

/** The canonical bytes of an entry; `decodeExternal` refuses any other encoding. */
export const encodeExternal = (document: ExternalDocument): Buffer =>
  Buffer.from(`${JSON.stringify(document, MEMBERS, 2)}\n`)

const patterns = {
  ...commonPatterns,
  pubkey: /^(0[23][0-9a-f]{64}|null)$/,
  sign_mode: /^(direct|amino)$/,
  signer: /^exec:[ \t]*\S.*$/,
} as const

/**
 * Reads an entry; `undefined` for a file of another format.
 *
 * @throws InvalidKeyDocument
 */
export function decodeExternal(bytes: Uint8Array): ExternalDocument | undefined {
  const document = jsonOf(bytes) as ExternalDocument | null | undefined
  if (document?.format !== 'swap.external/1') return undefined
  for (const [name, pattern] of Object.entries(patterns)) {
    const value = document[name as keyof ExternalDocument]
    const isText = typeof value === 'string' || (name === 'pubkey' && value === null)
    if (!isText || !pattern.test(`${value}`))
      throw new InvalidKeyDocument(`its ${name} cannot be read`)
  }
  requireSame(encodeExternal(document), bytes)
  return document
}
