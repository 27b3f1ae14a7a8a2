import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import { errorCode, invalidRequest, SwapError } from '../engine/errors.js'
import { acquireLock, LockHeld, lockRules } from '../platform/lock-file.js'
import { addressOf } from './address.js'
import { DEMO } from './demo-key.js'
import { privateKeyOf, publicKeyOf } from './derive.js'
import {
  type Backup,
  decodeExternal,
  type ExternalDocument,
  encodeExternal,
  encodeKey,
  InvalidKeyDocument,
  type KeyDocument,
} from './keyfile/key-document.js'
import { openKey, sealKey } from './keyfile/seal.js'
import { type Secret, wipe } from './secret.js'
import { FILE_BYTES, readKeyFile, remove, replace, writeNew } from './store/files.js'
import { ensureFolder, type Store } from './store/folder.js'
import {
  type ExternalKey,
  loadKey,
  pathOfKey,
  type SealedKey,
  type StoredKey,
} from './store/keys.js'
import { checkName } from './store/name.js'

/** The derivation path and address prefix of an account. */
export type Account = {
  /** `null` for a private key. */
  readonly hdPath: string | null
  /** Of bech32 addresses. */
  readonly prefix: string
}

/** The public data of a secret's account. */
export type PublicAccount = Account & {
  readonly address: string
  /** Compressed, in hex. */
  readonly pubkey: string
}

/** Derives the account of a secret. */
export async function accountOf(
  secret: Secret,
  { hdPath, prefix }: Account,
): Promise<PublicAccount> {
  const path = secret.kind === 'mnemonic' ? hdPath : null
  const privateKey = await privateKeyOf(secret, path)
  try {
    const publicKey = publicKeyOf(privateKey)
    return {
      hdPath: path,
      prefix,
      address: addressOf(publicKey, prefix),
      pubkey: Buffer.from(publicKey).toString('hex'),
    }
  } finally {
    wipe(privateKey)
  }
}

/** Refuses names that a new key cannot have: invalid ones, the built-in one, existing ones. */
export async function requireFree(store: Store, name: string): Promise<void> {
  checkName(name)
  if (name === DEMO.name)
    throw invalidRequest('demo is the name of the built-in key', '', {
      why: 'it signs for the demo chain and nowhere else',
      hint: 'choose another name, e.g. main',
    })
  const taken = await loadKey(store, name).catch(notFound)
  if (taken) throw nameTaken(taken)
}

/**
 * Seals a secret under a password into a new key file, flushed to disk.
 *
 * @throws SwapError INVALID_REQUEST if the name is taken: no file is ever overwritten
 */
export async function storeKey(
  store: Store,
  made: {
    readonly name: string
    readonly secret: Secret
    readonly account: PublicAccount
    readonly backup: Backup
  },
  password: Uint8Array,
): Promise<SealedKey> {
  const { name, secret, account, backup } = made
  await ensureFolder(store)
  await requireFree(store, name)
  const facts = {
    id: randomBytes(16).toString('hex'),
    created_at: new Date().toISOString(),
    backup,
    address: account.address,
    pubkey: account.pubkey,
    prefix: account.prefix,
    hd_path: account.hdPath,
  }
  const document = await sealKey(facts, secret, password)
  const path = await writeKey(store, name, encodeKey(document))
  return { name, path, document }
}

/**
 * Writes a new key file.
 *
 * @returns its path
 * @throws SwapError INVALID_REQUEST if another process has taken the name since it was found free
 */
async function writeKey(store: Store, name: string, bytes: Uint8Array): Promise<string> {
  const path = pathOfKey(store, name)
  if (await writeNew(path, bytes)) return path
  throw nameTaken(await loadKey(store, name))
}

/**
 * Stores the account and the command of an external signer under a name.
 *
 * @throws SwapError INVALID_REQUEST if the name is taken, or `readKeyFile` would refuse the entry
 */
export async function storeExternal(
  store: Store,
  name: string,
  document: ExternalDocument,
): Promise<ExternalKey> {
  const bytes = encodeExternal(document)
  requireReadable(bytes)
  await ensureFolder(store)
  await requireFree(store, name)
  const path = await writeKey(store, name, bytes)
  return { name, path, document }
}

/** Refuses an entry that `readKeyFile` would refuse. */
function requireReadable(bytes: Buffer): void {
  const refuse = (why: string, hint: string) =>
    invalidRequest('this account and its command cannot be kept', '', { why, hint })
  if (bytes.length > FILE_BYTES)
    throw refuse(
      `the entry would be larger than ${FILE_BYTES} bytes`,
      'put the command into a script, and name that: --signer "exec:/path/to/script"',
    )
  try {
    decodeExternal(bytes)
  } catch (error) {
    if (!(error instanceof InvalidKeyDocument)) throw error
    throw refuse(
      `of the entry, ${error.message}`,
      'the address is that of an account of the device, and the command is one line of text',
    )
  }
}

/**
 * Encrypts a key under another password or cost and replaces its file atomically, after the new file was opened once.
 *
 * @param n cost of scrypt
 * @throws SwapError BUSY if the file was changed meanwhile
 */
export async function resealKey(
  stored: SealedKey,
  secret: Secret,
  password: Uint8Array,
  n: number,
): Promise<SealedKey> {
  const document = await sealKey(stored.document, secret, password, n)
  const reopened = await openKey(document, password)
  wipe(reopened.bytes)
  await changing(stored, () => replace(stored.path, encodeKey(document)))
  return { ...stored, document }
}

/**
 * Renames a key file. After a crash there may be two copies, never none.
 *
 * @throws SwapError BUSY if the file was changed meanwhile; INVALID_REQUEST if the name is taken
 */
export async function renameKey(store: Store, old: StoredKey, name: string): Promise<StoredKey> {
  return changing(old, async () => {
    await requireFree(store, name)
    const path = await writeKey(store, name, bytesOf(old.document))
    await remove(old.path)
    return { ...old, name, path }
  })
}

/** Removes a key file. @throws SwapError BUSY if it was changed meanwhile */
export const removeKey = (stored: StoredKey): Promise<void> =>
  changing(stored, () => remove(stored.path))

const nameTaken = ({ name, document }: StoredKey) =>
  invalidRequest(`there is a key ${name} already`, '', {
    why: `its address is ${document.address}, and no key file is ever overwritten`,
    hint: `choose another name, or rename the old one: swap keys rename ${name} <new>`,
  })

function notFound(error: unknown): undefined {
  if (errorCode(error) === 'KEYFILE_NOT_FOUND') return undefined
  throw error
}

/** Longest wait for another process that changes key files, in milliseconds. */
const WAIT = 10_000

/** The bytes of a key file. */
const bytesOf = (document: KeyDocument | ExternalDocument): Buffer =>
  'signer' in document ? encodeExternal(document) : encodeKey(document)

/**
 * Changes a key file under the lock of its folder, unless another process has changed it since it was read.
 *
 * @throws SwapError BUSY if another process holds the lock or has changed the file
 */
async function changing<T>({ name, path, document }: StoredKey, work: () => Promise<T>) {
  const lock = await acquireLock(join(dirname(path), '.changes.lock'), WAIT, {
    ...lockRules,
    heartbeatMs: 0,
  }).catch((error: unknown) => {
    if (error instanceof LockHeld)
      throw busy(path, `process ${error.holder?.pid ?? 'unknown'} changes key files`)
    throw error
  })
  try {
    const found = await readKeyFile(path)
    if (found === undefined || !bytesOf(found).equals(bytesOf(document)))
      throw busy(path, `the file of ${name} was changed, renamed or removed meanwhile`)
    return await work()
  } finally {
    lock.release()
  }
}

const busy = (path: string, why: string): SwapError =>
  new SwapError('BUSY', 'another process changes this key', {
    why,
    hint: 'nothing was changed here; see what is there, then run the command again: swap keys list',
    members: { path },
  })
