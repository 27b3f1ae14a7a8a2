import { dirname, join } from 'node:path'
import { SwapError } from '../../engine/errors.js'
import { acquireLock, LockHeld, lockRules } from '../../platform/lock-file.js'
import { type ExternalDocument, encodeExternal } from '../external/document.js'
import { encodeKey, type KeyDocument } from '../keyfile/document.js'
import { readKeyFile } from './files.js'
import type { StoredKey } from './keys.js'

/** Milliseconds in which another process has changed its key file. */
const WAIT = 10_000

/** The bytes of a key file. */
export const bytesOf = (document: KeyDocument | ExternalDocument): Buffer =>
  'signer' in document ? encodeExternal(document) : encodeKey(document)

/**
 * Changes a key file that was read before, unless another process has changed it since. One process
 * at a time changes files of a folder.
 *
 * @throws SwapError BUSY where another process changes files or has changed this one
 */
export async function changing<T>({ name, path, document }: StoredKey, work: () => Promise<T>) {
  const lock = await acquireLock(join(dirname(path), '.changes.lock'), WAIT, {
    ...lockRules,
    heartbeatMs: 0,
  }).catch((error: unknown) => {
    if (error instanceof LockHeld)
      throw busy(path, `process ${error.holder?.pid} changes key files`)
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
