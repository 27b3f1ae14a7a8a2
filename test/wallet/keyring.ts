import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import type { KeyDocument } from '../../src/wallet/keyfile/key-document.js'
import { sealKey } from '../../src/wallet/keyfile/seal.js'
import { accountOf } from '../../src/wallet/make.js'
import type { Secret } from '../../src/wallet/secret.js'
import type { PasswordSource } from '../../src/wallet/signer.js'
import type { Store } from '../../src/wallet/store/folder.js'
import { temporaryFolder } from '../support/folder.js'
import { derivesCheaply } from '../support/remembered-scrypt.js'

/** A password that the rules take. */
export const PASSWORD = Buffer.from('tidal vexing mauve lantern')

/** The mnemonic of BIP-39's first test vector, and one of 24 words. */
export const TWELVE =
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'
export const ENTROPY = Buffer.alloc(16)

export const mnemonicSecret = (): Secret => ({ kind: 'mnemonic', bytes: Buffer.from(ENTROPY) })
export const rawSecret = (): Secret => ({ kind: 'private_key', bytes: Buffer.alloc(32, 7) })

/** A folder of keys of its own, below a home of its own. */
export function freshStore(): Store {
  const home = temporaryFolder('wallet')
  chmodSync(home, 0o700)
  return { folder: join(home, 'keys'), home }
}

const documents = new Map<string, Promise<KeyDocument>>()

/** A key file's document, sealed under `PASSWORD`; the same one every time: a derivation takes 0.4 s. */
export function sealed(secret = mnemonicSecret(), prefix = 'thor'): Promise<KeyDocument> {
  const name = `${prefix} ${secret.kind} ${secret.bytes.toString('hex')} ${derivesCheaply()}`
  const document = documents.get(name) ?? sealedAnew(secret, prefix)
  documents.set(name, document)
  return document
}

/** A document with a salt and a nonce of its own. */
export async function sealedAnew(secret = mnemonicSecret(), prefix = 'thor'): Promise<KeyDocument> {
  const hdPath = secret.kind === 'mnemonic' ? "m/44'/931'/0'/0/0" : null
  const account = await accountOf(secret, { hdPath, prefix })
  const facts = {
    id: 'ab'.repeat(16),
    created_at: '2025-08-02T10:00:00.000Z',
    backup: 'checked' as const,
    address: account.address,
    pubkey: account.pubkey,
    prefix,
    hd_path: account.hdPath,
  }
  return sealKey(facts, secret, PASSWORD)
}

/** A source that answers with these in turn, as a person would type them. */
export function typing(...passwords: readonly Uint8Array[]): PasswordSource & { asked: number } {
  const source = {
    tries: passwords.length,
    asked: 0,
    read: async () => Buffer.from(passwords[source.asked++] ?? []),
  }
  return source
}
