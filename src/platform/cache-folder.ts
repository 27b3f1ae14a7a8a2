import { join } from 'node:path'

/** Where caches are kept: `SWAP_HOME`, else the XDG cache folder, else below the home folder. */
export function cacheFolder({
  env,
  home,
}: {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string | undefined
}): string | undefined {
  if (env['SWAP_HOME']) return join(env['SWAP_HOME'], 'cache')
  if (env['XDG_CACHE_HOME']) return join(env['XDG_CACHE_HOME'], 'swap')
  return home === undefined ? undefined : join(home, '.cache', 'swap')
}
