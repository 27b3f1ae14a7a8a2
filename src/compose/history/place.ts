import { join } from 'node:path'
import { DECODER, FORMER_DECODER } from '../../chain/trades/decode.js'
import type { Surroundings } from '../../cli/command.js'
import type { Config } from '../../config/load.js'
import { SwapError } from '../../engine/errors.js'
import type { StorePlace } from '../../history/store/open.js'
import { demoPlaces, isOwnDemo } from '../chain-access.js'

/**
 * The location of the history: as configured, or a file per network. That of the demo chain is stored
 * beside the chain and removed with it.
 *
 * @throws SwapError INVALID_REQUEST where there is no folder for it
 */
export function historyPlace(config: Config, surroundings: Surroundings): StorePlace {
  const { network, values } = config
  return {
    database: values.database ?? defaultFile(config, surroundings),
    chainId: network.chainId,
    decoder: DECODER,
    former: FORMER_DECODER,
  }
}

function defaultFile(config: Config, surroundings: Surroundings): string {
  if (isOwnDemo(config)) return join(demoPlaces(surroundings).folder, 'history.db')
  const folder = dataFolder(surroundings)
  if (folder !== undefined) return join(folder, 'history', `${config.network.chainId}.db`)
  throw new SwapError('INVALID_REQUEST', 'there is no folder for the history', {
    why: 'none of SWAP_HOME, XDG_DATA_HOME and a home folder is known',
    hint: 'say where it is: --database /some/file.db',
  })
}

/** Folder of data that is worth a backup: `SWAP_HOME`, else the XDG data folder, else below the home folder. */
function dataFolder({ env, home }: Surroundings): string | undefined {
  if (env['SWAP_HOME']) return join(env['SWAP_HOME'], 'data')
  if (env['XDG_DATA_HOME']) return join(env['XDG_DATA_HOME'], 'swap')
  if (process.platform === 'win32' && env['APPDATA']) return join(env['APPDATA'], 'swap')
  return home === undefined ? undefined : join(home, '.local', 'share', 'swap')
}
