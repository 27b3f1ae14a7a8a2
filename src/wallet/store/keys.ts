import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { invalidRequest, SwapError } from '../../engine/errors.js'
import { KeyfileNotFound, KeyfilePermissions } from '../errors.js'
import type { ExternalDocument, KeyDocument } from '../keyfile/key-document.js'
import { readKeyFile, removeLeftovers } from './files.js'
import { absent, checkFolder, type Store } from './folder.js'
import { checkName, isKeyName } from './name.js'

type NamedFile<Document> = {
  readonly name: string
  readonly path: string
  readonly document: Document
}

/** A key file with its name; the secret is encrypted. */
export type SealedKey = NamedFile<KeyDocument>

/** The entry of an external key, which a program of the user signs with. */
export type ExternalKey = NamedFile<ExternalDocument>

export type StoredKey = SealedKey | ExternalKey

export const isExternal = (key: StoredKey): key is ExternalKey => 'signer' in key.document

/** An invalid or unreadable key file. */
type BrokenKey = { readonly name: string; readonly path: string; readonly error: SwapError }

/** The path of a key file. */
export const pathOfKey = ({ folder }: Store, name: string): string => join(folder, `${name}.json`)

/**
 * The key file of a name, after all checks that need no password.
 *
 * @throws KeyfileNotFound, KeyfileInvalid, KeyfilePermissions
 */
export async function loadKey(store: Store, name: string): Promise<StoredKey> {
  checkName(name)
  const path = pathOfKey(store, name)
  if (await checkFolder(store)) {
    const read = () => removeLeftovers(store.folder, Date.now()).then(() => readKeyFile(path))
    const document = await read().catch((error: unknown) => {
      // While another process creates the file it has a second name, that of its draft.
      if (error instanceof KeyfilePermissions) return read()
      throw error
    })
    if (document !== undefined) return { name, path, document } as StoredKey
  }
  throw new KeyfileNotFound(name, path, await keyNames(store))
}

/**
 * The same for a key whose secret is in its file.
 *
 * @throws SwapError INVALID_REQUEST for an external one
 */
export async function loadSealed(store: Store, name: string): Promise<SealedKey> {
  const stored = await loadKey(store, name)
  if (!isExternal(stored)) return stored
  throw invalidRequest(`the secret of ${name} is not here`, '', {
    why: `its signatures come from ${stored.document.signer}`,
    hint: `show what is known: swap keys show ${name}`,
  })
}

/** The names of the key files, sorted. */
async function keyNames({ folder }: Store): Promise<readonly string[]> {
  const files = (await readdir(folder).catch(absent)) ?? []
  return files
    .flatMap((file) => /^(.+)\.json$/.exec(file)?.[1] ?? [])
    .filter(isKeyName)
    .sort()
}

/** All key files by name, valid and broken ones. */
export async function listKeys(
  store: Store,
): Promise<{ readonly keys: readonly StoredKey[]; readonly broken: readonly BrokenKey[] }> {
  if (!(await checkFolder(store))) return { keys: [], broken: [] }
  const keys: StoredKey[] = []
  const broken: BrokenKey[] = []
  for (const name of await keyNames(store))
    try {
      keys.push(await loadKey(store, name))
    } catch (error) {
      if (!(error instanceof SwapError)) throw error
      // Another process may have renamed or removed it since the folder was read.
      if (error.code !== 'KEYFILE_NOT_FOUND')
        broken.push({ name, path: pathOfKey(store, name), error })
    }
  return { keys, broken }
}
