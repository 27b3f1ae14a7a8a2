import { join } from 'node:path'

/** The inputs that determine the folders of the program. */
type Surroundings = {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string | undefined
}

/** A folder of the user: below `SWAP_HOME`, otherwise the XDG folder of its kind, otherwise the home folder. */
const userFolder =
  (name: string, xdgVariable: string, xdgDefault: string) =>
  ({ env, home }: Surroundings): string | undefined => {
    if (env['SWAP_HOME']) return join(env['SWAP_HOME'], name)
    if (env[xdgVariable]) return join(env[xdgVariable], 'swap')
    return home === undefined ? undefined : join(home, xdgDefault, 'swap')
  }

export const cacheFolder = userFolder('cache', 'XDG_CACHE_HOME', '.cache')

/** Quotes, the journal, locks and the demo chain. */
export const stateFolder = userFolder('state', 'XDG_STATE_HOME', '.local/state')

/** The folders within it; `undefined` without a home folder. */
export function stateFolders(surroundings: Surroundings) {
  const state = stateFolder(surroundings)
  if (state === undefined) return undefined
  const folder = (name: string) => join(state, name)
  return {
    quotes: folder('quotes'),
    journal: folder('journal'),
    locks: folder('locks'),
    limits: folder('limits'),
  }
}

/** Data that is worth a backup; on Windows below `APPDATA` unless a variable names a folder. */
export const dataFolder = (surroundings: Surroundings): string | undefined => {
  const { SWAP_HOME, XDG_DATA_HOME, APPDATA } = surroundings.env
  return process.platform === 'win32' && !SWAP_HOME && !XDG_DATA_HOME && APPDATA
    ? join(APPDATA, 'swap')
    : userFolder('data', 'XDG_DATA_HOME', '.local/share')(surroundings)
}

/** Key files: `SWAP_HOME/keys`, otherwise in the folder of the other data. */
export function keysFolder(surroundings: Surroundings): string | undefined {
  const { SWAP_HOME } = surroundings.env
  if (SWAP_HOME) return join(SWAP_HOME, 'keys')
  const data = dataFolder(surroundings)
  return data && join(data, 'keys')
}
