import { Store } from '../store/store.js'
import { Archive } from './archive.js'
import type { Chain } from './chain.js'
import type { ChainOptions } from './options.js'
import { readStateFile, type Saved } from './state-file.js'
import { surroundingsOf } from './surroundings.js'

/** A chain's past, as a state file has it. */
export type Restored = {
  readonly options: ChainOptions
  readonly store: Store
  readonly archive: Archive
}

/** State and blocks of a state file. */
export function restore({ options, state, blocks }: Saved): Restored {
  const [first, ...rest] = blocks
  if (!first) throw new Error('a state file holds at least one block')
  const store = new Store(first.height, options.keep)
  const archive = new Archive(options.keep)
  store.commit(first.height, state)
  archive.add(first)
  for (const line of rest) {
    store.commit(line.height, line.changes())
    archive.add(line)
  }
  return { options, store, archive }
}

/** What can be read of a chain without running it. */
export type ChainView = Pick<Chain, 'options' | 'height' | 'block' | 'stateAt' | 'machineAt'>

/** The chain of a state file to look at, or nothing if there is no file. */
export function viewStateFile(path: string): ChainView | undefined {
  const saved = readStateFile(path)
  if (!saved) return undefined
  const { options, store, archive } = restore(saved)
  const block = (height: number) => archive.get(height)
  return {
    options,
    height: store.height,
    block,
    stateAt: (height) =>
      height > store.height || height < store.oldest ? undefined : store.at(height),
    machineAt: (height) => ({
      ...surroundingsOf(options),
      chainId: options.chainId,
      height,
      time: block(height)?.header.time ?? 0n,
    }),
  }
}
