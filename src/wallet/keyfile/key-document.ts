import { jsonOf } from '../../platform/encoding.js'
import { isHdPath } from '../address.js'
import type { Secret } from '../secret.js'

/** Default cost: OWASP's minimum for scrypt, 128 MiB and about a third of a second. */
export const COST = { n: 2 ** 17, r: 8, p: 1 } as const

/** Greatest cost of a key file: 1 GiB, with four passes. */
export const MOST = { n: 2 ** 20, p: 4 } as const

/** The backup of a secret outside this file, so that a deletion can warn. */
export type Backup = 'checked' | 'written' | 'imported'

/** The unencrypted header, authenticated together with the secret. */
export type KeyHeader = {
  readonly format: 'swap.key/1'
  /** 16 random bytes in hex; stays with the key when it is renamed or encrypted again. */
  readonly id: string
  /** RFC 3339, UTC. */
  readonly created_at: string
  /** `checked`: the user repeated its words; `written`: to a file; `imported`: from another program. */
  readonly backup: Backup
  readonly address: string
  /** Compressed, in hex. */
  readonly pubkey: string
  /** Of the address. */
  readonly prefix: string
  /** `null` for a private key. */
  readonly hd_path: string | null
  readonly secret: Secret['kind']
  readonly kdf: ScryptHeader
  readonly cipher: { readonly name: 'aes-256-gcm'; readonly nonce: string }
}

export type ScryptHeader = {
  readonly name: 'scrypt'
  readonly n: number
  readonly r: number
  readonly p: number
  /** 32 bytes in hex. */
  readonly salt: string
}

/** A whole key file. */
export type KeyDocument = KeyHeader & {
  /** The secret and the 16 bytes of its tag, encrypted, in hex. */
  readonly sealed: string
}

/** The file is not a valid key document. The message repeats none of its content. */
export class InvalidKeyDocument extends Error {
  override name = 'InvalidKeyDocument'
}

/** The members of the header in their order: those of the document, then those of `kdf` and `cipher`. */
const HEADER = [
  ...['format', 'id', 'created_at', 'backup', 'address', 'pubkey', 'prefix', 'hd_path', 'secret'],
  ...['kdf', 'cipher', 'name', 'n', 'r', 'p', 'salt', 'nonce'],
]

/** The canonical bytes of the header, which are authenticated. */
export const headerBytes = (header: KeyHeader): Buffer =>
  Buffer.from(JSON.stringify(header, HEADER))

/** The canonical bytes of a key file; `decodeKey` refuses any other encoding. */
export const encodeKey = (document: KeyDocument): Buffer =>
  Buffer.from(`${JSON.stringify(document, [...HEADER, 'sealed'], 2)}\n`)

/**
 * Parses a key file and checks that its cost is within the format; derives nothing. `requireUsualCost` limits the cost.
 *
 * @throws InvalidKeyDocument
 */
export function decodeKey(bytes: Uint8Array): KeyDocument {
  const document = checkDocument(jsonOf(bytes))
  requireSame(encodeKey(document), bytes)
  return document
}

/** Any other encoding of a document than the canonical one is refused. @throws InvalidKeyDocument */
function requireSame(canonical: Buffer, bytes: Uint8Array): void {
  if (!canonical.equals(bytes))
    throw new InvalidKeyDocument('it is not written as swap writes it: something changed it')
}

function checkDocument(given: unknown): KeyDocument {
  if (given === undefined) throw new InvalidKeyDocument('it is not JSON')
  const document = given as KeyDocument
  if ((given as KeyDocument | null)?.format !== 'swap.key/1')
    throw new InvalidKeyDocument('its format is not swap.key/1')
  checkMembers(document, keyPatterns)
  const { hd_path, secret } = document
  if (secret === 'mnemonic' ? typeof hd_path !== 'string' || !isHdPath(hd_path) : hd_path !== null)
    throw new InvalidKeyDocument('its hd_path cannot be read')
  checkKdf(document.kdf)
  if (document.cipher?.name !== 'aes-256-gcm' || !isHex(document.cipher.nonce, 12))
    throw new InvalidKeyDocument('its cipher is not one of this format')
  return document
}

/** Refuses a document with a member of another form, except for one that may be `null`. @throws InvalidKeyDocument */
function checkMembers(
  document: object,
  patterns: Readonly<Record<string, RegExp>>,
  nullable?: string,
): void {
  for (const [name, pattern] of Object.entries(patterns)) {
    const value = (document as Readonly<Record<string, unknown>>)[name]
    const isText = typeof value === 'string' || (name === nullable && value === null)
    if (!isText || !pattern.test(`${value}`))
      throw new InvalidKeyDocument(`its ${name} cannot be read`)
  }
}

/** Members of a key file and of the entry of an external key. */
const commonPatterns = {
  created_at: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  address: /^[a-z]{1,20}1[02-9ac-hj-np-z]{38}$/,
  prefix: /^[a-z]{1,20}$/,
} as const

const keyPatterns = {
  id: /^[0-9a-f]{32}$/,
  ...commonPatterns,
  backup: /^(checked|written|imported)$/,
  pubkey: /^0[23][0-9a-f]{64}$/,
  secret: /^(mnemonic|private_key)$/,
  sealed: /^([0-9a-f]{2}){32,48}$/,
} as const

function checkKdf(kdf: ScryptHeader | undefined): void {
  const { name, n, r, p, salt } = kdf ?? {}
  const isPower = typeof n === 'number' && Number.isInteger(Math.log2(n))
  if (name !== 'scrypt' || !isPower || !isHex(salt, 32))
    throw new InvalidKeyDocument('its kdf is not one of this format')
  if (
    n < COST.n ||
    n > MOST.n ||
    r !== COST.r ||
    !(p && Number.isInteger(p) && p >= 1 && p <= MOST.p)
  )
    throw new InvalidKeyDocument(
      `its kdf asks for more or less than is safe: n from ${COST.n} to ${MOST.n}, r ${COST.r}, p from 1 to ${MOST.p}`,
    )
}

const isHex = (text: unknown, bytes: number): text is string =>
  typeof text === 'string' && text.length === bytes * 2 && /^[0-9a-f]+$/.test(text)

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

const EXTERNAL = ['format', 'created_at', 'address', 'pubkey', 'prefix', 'sign_mode', 'signer']

/** The canonical bytes of an entry; `decodeExternal` refuses any other encoding. */
export const encodeExternal = (document: ExternalDocument): Buffer =>
  Buffer.from(`${JSON.stringify(document, EXTERNAL, 2)}\n`)

const externalPatterns = {
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
  checkMembers(document, externalPatterns, 'pubkey')
  requireSame(encodeExternal(document), bytes)
  return document
}
