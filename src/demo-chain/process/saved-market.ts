import { readFileSync } from 'node:fs'
import { replaceFile } from '../../platform/atomic-file.js'
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
  const kept = keptMarket(path)
  if (kept !== undefined && kept.hash === hash) return kept.market
  const { marketInFile } = await import('../genesis/market-snapshot.js')
  const market = marketInFile(state)
  if (hash !== undefined && market !== undefined) keep(path, { hash, market })
  return market
}

function keptMarket(path: string): KeptMarket | undefined {
  try {
    return Object(JSON.parse(readFileSync(path, 'utf8'))) as KeptMarket
  } catch {
    return undefined
  }
}

function keep(path: string, kept: KeptMarket): void {
  try {
    replaceFile(path, JSON.stringify(kept))
  } catch {
    // Without the file the next command computes the market again.
  }
}
