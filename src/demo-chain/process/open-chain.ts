import { keptWith } from '../../platform/memoize.js'
import { agentTransactions } from '../agents/traders.js'
import { Archive, packBlock, type StoredBlock } from '../blocks/archive.js'
import { nanoseconds } from '../blocks/chain.js'
import type { ChainOptions } from '../blocks/chain-options.js'
import { type BlockWriter, EmbeddedChain } from '../blocks/embedded-chain.js'
import { appHashAfter, sealBlock, validatorOf } from '../blocks/seal-block.js'
import {
  Appender,
  type ChainHistory,
  readStateFile,
  restore,
  type SavedChain,
  writeStateFile,
} from '../blocks/state-file.js'
import { environmentOf } from '../contracts/codes.js'
import { genesisOf } from '../genesis/genesis.js'
import { type DemoDocument, shippedMarket } from '../market/document.js'
import { DEMO_SEED, demoSnapshot } from '../market/snapshot.js'
import { type Change, encodeChanges, encodeValue } from '../store/state.js'
import { Store } from '../store/store.js'

/** A chain and its state file. */
export type OpenChain = {
  readonly chain: EmbeddedChain
  /** Closes the file; the chain must make no more blocks. */
  close(): void
}

/**
 * The chain of a state file, or a new one of `options` and the document's market. A new one writes
 * its file with its first block; without a `path` nothing is ever written. The process that makes blocks holds
 * the lock of the file.
 *
 * @throws SwapError when the file is not one of this version.
 */
export function openChain(
  options: ChainOptions,
  document: () => DemoDocument,
  path?: string,
): OpenChain {
  const saved = path === undefined ? undefined : readStateFile(path)
  const file = new ChainFile(path, saved)
  const history = saved && path ? restore(saved, path) : newHistory(options, document())
  const chain = new EmbeddedChain(
    history.options,
    environmentOf(history.options),
    history.store,
    history.archive,
    agentTransactions(history.options),
    file.writeBlock,
  )
  file.chain = chain
  return { chain, close: () => file.close() }
}

/** A history of one block: the genesis document. */
function newHistory(options: ChainOptions, document: DemoDocument): ChainHistory {
  const { height } = document
  const { changes, appHash } = firstState(options, document)
  const store = new Store(height, options.keep)
  store.commit(height, changes)
  const block = sealBlock({
    chainId: options.chainId,
    height,
    time: nanoseconds(document.time),
    previous: undefined,
    txs: [],
    appHash,
    validator: validatorOf(options.chainId, options.seed),
  })
  const archive = new Archive(options.keep)
  archive.add({ height, hash: block.hash, txs: [], packed: () => packBlock(block) }, block)
  return { options, store, archive }
}

type FirstState = { readonly changes: readonly Change[]; readonly appHash: string }

/** First states by document and options, which determine them: values of a state are never changed. */
const firstStatesOf = keptWith((_: DemoDocument) => new Map<string, FirstState>())

function firstState(options: ChainOptions, document: DemoDocument): FirstState {
  const firstStates = firstStatesOf(document)
  const key = encodeValue(options)
  const known = firstStates.get(key) ?? {
    changes: genesisOf(options, document),
    appHash: appHashAfter('', encodeValue({ options, document })),
  }
  firstStates.set(key, known)
  return known
}

/** The state file of one chain: created with the first block, compacted when it grows. */
class ChainFile {
  chain: EmbeddedChain | undefined
  #appender: Appender | undefined
  #lines: number

  constructor(
    readonly path: string | undefined,
    readonly saved: SavedChain | undefined,
  ) {
    this.#lines = saved?.blocks.length ?? 0
  }

  readonly writeBlock: BlockWriter = (stored, changes) => {
    if (this.path === undefined || !this.chain) return
    if (this.#lines === 0) this.#write(this.path, this.chain, this.chain.height)
    if (this.#lines >= 2 * this.chain.options.keep) this.#compact(this.path, this.chain)
    this.#appender ??= new Appender(this.path, this.saved?.length ?? 0)
    this.#appender.add(stored, changes)
    this.#lines += 1
  }

  close(): void {
    this.#appender?.close()
    this.#appender = undefined
  }

  /** Keeps only the heights that the chain still answers. */
  #compact(path: string, chain: EmbeddedChain): void {
    this.close()
    const lines = readStateFile(path)?.blocks ?? []
    const changes = new Map(lines.map((line) => [line.height, line.changes] as const))
    this.#write(path, chain, chain.earliest, changes)
  }

  #write(
    path: string,
    chain: EmbeddedChain,
    from: number,
    changes: ReadonlyMap<number, () => readonly Change[]> = new Map(),
  ): void {
    const blocks: (readonly [StoredBlock, string])[] = []
    for (let height = from; height <= chain.height; height++) {
      const stored = chain.archive.stored(height)
      if (stored)
        blocks.push([stored, encodeChanges((height > from && changes.get(height)?.()) || [])])
    }
    const length = writeStateFile(path, chain.options, chain.store.entries(from), blocks)
    this.#appender = new Appender(path, length)
    this.#lines = blocks.length
  }
}

/** The market that a chain of a seed begins with: the shipped one is read, others are generated. */
export const firstMarket = (seed: number): DemoDocument =>
  (seed === DEMO_SEED && shippedMarket()) || demoSnapshot(seed)
