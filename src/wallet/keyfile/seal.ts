import { isAscii } from 'node:buffer'
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { addressOf } from '../address.js'
import { isPrivateKey, privateKeyOf, publicKeyOf } from '../derive.js'
import { type Secret, wipe } from '../secret.js'
import {
  COST,
  headerBytes,
  type KeyDocument,
  type KeyHeader,
  type ScryptHeader,
} from './key-document.js'
import { scryptKey } from './scrypt.js'

const TAG = 16

/** Authentication failed, or the secret does not match the header. */
export class DecryptionFailed extends Error {
  override name = 'DecryptionFailed'
}

/** The metadata of a key to seal. */
type KeyMetadata = Pick<
  KeyHeader,
  'id' | 'created_at' | 'backup' | 'address' | 'pubkey' | 'prefix' | 'hd_path'
>

/**
 * Encrypts a secret under a password with a fresh salt and nonce, so that no pair of key and nonce repeats.
 *
 * @param n cost of scrypt, a power of two within the limits of the format
 */
export async function sealKey(
  facts: KeyMetadata,
  secret: Secret,
  password: Uint8Array,
  n: number = COST.n,
): Promise<KeyDocument> {
  const header: KeyHeader = {
    format: 'swap.key/1',
    ...facts,
    secret: secret.kind,
    kdf: { name: 'scrypt', ...COST, n, salt: randomBytes(32).toString('hex') },
    cipher: { name: 'aes-256-gcm', nonce: randomBytes(12).toString('hex') },
  }
  const key = await passwordKey(header.kdf, password)
  try {
    const nonce = Buffer.from(header.cipher.nonce, 'hex')
    const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG })
    cipher.setAAD(headerBytes(header))
    const sealed = Buffer.concat([cipher.update(secret.bytes), cipher.final(), cipher.getAuthTag()])
    return { ...header, sealed: sealed.toString('hex') }
  } finally {
    wipe(key)
  }
}

/**
 * The secret of a key file; the caller wipes it.
 *
 * @throws DecryptionFailed for a wrong password or a changed file, which cannot be distinguished
 */
export async function openKey(document: KeyDocument, password: Uint8Array): Promise<Secret> {
  const key = await passwordKey(document.kdf, password)
  try {
    return await unseal(document, key)
  } finally {
    wipe(key)
  }
}

/**
 * Derives a key of 32 bytes from a password with the parameters of the header. The password is normalised to NFKC, so
 * that input methods do not matter.
 */
export async function passwordKey(kdf: ScryptHeader, password: Uint8Array): Promise<Buffer> {
  const salt = Buffer.from(kdf.salt, 'hex')
  // ASCII is NFKC already, and a string could not be wiped.
  if (isAscii(password)) return scryptKey(password, salt, kdf)
  const normal = Buffer.from(Buffer.from(password).toString('utf8').normalize('NFKC'))
  try {
    return await scryptKey(normal, salt, kdf)
  } finally {
    wipe(normal)
  }
}

/** Decrypts the secret with the derived key. */
export async function unseal(document: KeyDocument, key: Uint8Array): Promise<Secret> {
  const secret = { kind: document.secret, bytes: decrypt(document, key) }
  if (await belongs(secret, document)) return secret
  wipe(secret.bytes)
  throw new DecryptionFailed()
}

function decrypt(document: KeyDocument, key: Uint8Array): Buffer {
  const nonce = Buffer.from(document.cipher.nonce, 'hex')
  const sealed = Buffer.from(document.sealed, 'hex')
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG })
  decipher.setAAD(headerBytes(document))
  decipher.setAuthTag(sealed.subarray(-TAG))
  const part = decipher.update(sealed.subarray(0, -TAG))
  try {
    decipher.final()
    return part
  } catch {
    wipe(part)
    throw new DecryptionFailed()
  }
}

/** Whether the header's public key and address are those of the secret. */
async function belongs(secret: Secret, { hd_path, pubkey, prefix, address }: KeyHeader) {
  if (secret.kind === 'private_key' ? !isPrivateKey(secret.bytes) : secret.bytes.length % 4 !== 0)
    return false
  const privateKey = await privateKeyOf(secret, hd_path)
  try {
    const publicKey = publicKeyOf(privateKey)
    return (
      Buffer.from(publicKey).toString('hex') === pubkey && addressOf(publicKey, prefix) === address
    )
  } finally {
    wipe(privateKey)
  }
}
