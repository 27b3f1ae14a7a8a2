import { resolve } from 'node:path'
import { KeyfileInvalid } from '../../../wallet/errors.js'
import { codeOf } from '../../../wallet/store/folder.js'
import { writeNew } from '../../../wallet/store/write.js'
import { invalidRequest } from '../../invalid-request.js'

/**
 * Writes something secret to a new file, 0600, on the disk when this returns.
 *
 * @returns its whole path
 * @throws SwapError INVALID_REQUEST when it is there already, KEYFILE_INVALID when it cannot be written
 */
export async function writeSecret(file: string, cwd: string, text: Uint8Array): Promise<string> {
  const path = resolve(cwd, file)
  try {
    if (await writeNew(path, text)) return path
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    throw new KeyfileInvalid(
      path,
      `it cannot be written (${codeOf(error)})`,
      'name a file in a folder of yours',
    )
  }
  throw invalidRequest(`${path} is there already`, '', {
    why: 'no file is ever overwritten with a secret',
    hint: 'name a new file',
    detail: 'the file exists',
  })
}
