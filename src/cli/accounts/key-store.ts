import { SwapError } from '../../engine/errors.js'
import { keysFolder, type Store } from '../../wallet/store/folder.js'
import type { Surroundings } from '../command.js'

/**
 * The folder of the user's key files.
 *
 * @throws SwapError INVALID_REQUEST where there is none
 */
export function storeOf({ env, home }: Surroundings): Store {
  const folder = keysFolder(env, home)
  if (folder !== undefined) return { folder, home }
  throw new SwapError('INVALID_REQUEST', 'there is no folder for keys', {
    why: 'none of SWAP_HOME, XDG_DATA_HOME and a home folder is known',
    hint: 'say where to keep them: SWAP_HOME=/some/folder',
  })
}
