import { readFileSync } from 'node:fs'
import { replaceFile } from '../../platform/atomic-file.js'
import { attempt } from '../../platform/attempt.js'
import { newestHash } from '../blocks/state-file.js'
import type { DemoFiles } from './files.js'

/** A market snapshot and the hash of its block. */
type KeptMarket = { readonly hash: string; readonly market: object }

/**
 * The market snapshot (`swap.snapshot/1`) of the newest block in a state file, which must exist.
 * It takes all blocks of the file to compute, so it is kept in a file of its own until the next block.
 *
 * @throws SwapError when the state file is not one of this version.
 */
export async function savedMarket({ state, market: path }: DemoFiles): Promise<object | undefined> {
  const hash = newestHash(state)
  const kept = attempt(() => Object(JSON.parse(readFileSync(path, 'utf8'))) as KeptMarket)
  if (hash !== undefined && kept?.hash === hash) return kept.market
  const { marketInFile } = await import('../genesis/market-snapshot.js')
  const market = marketInFile(state)
  // Without the file the next command computes the market again.
  if (hash !== undefined && market !== undefined)
    attempt(() => replaceFile(path, JSON.stringify({ hash, market } satisfies KeptMarket)))
  return market
}
