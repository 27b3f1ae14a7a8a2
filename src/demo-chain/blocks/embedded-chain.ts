import type { Environment } from '../contracts/codes.js'
import { ORACLE_SPACE } from '../contracts/fin/config.js'
import { ageAt, oraclePrices } from '../market/oracles.js'
import type { Machine } from '../modules/dispatch.js'
import { type Change, encodeChanges, Overlay, type Reader } from '../store/state.js'
import type { Store } from '../store/store.js'
import { type Archive, packBlock, type StoredBlock } from './archive.js'
import {
  AlreadyKnown,
  type Block,
  type BlockInjection,
  type BlockTx,
  type Chain,
  type IndexedTx,
  MEMPOOL,
  MempoolFull,
  type TxResult,
} from './chain.js'
import type { ChainOptions } from './chain-options.js'
import { txHash } from './hashing.js'
import { runTx } from './run-tx.js'
import { appHashAfter, type SigningValidator, sealBlock, validatorOf } from './seal-block.js'

/** Persists a block before clients see it; if it throws, the block is discarded. */
export type BlockWriter = (stored: StoredBlock, changes: string) => void

type Sealed = {
  readonly block: Block
  readonly stored: StoredBlock
  readonly changes: readonly Change[]
}

/** The chain: state, blocks, and mempool. */
export class EmbeddedChain implements Chain {
  readonly validator: SigningValidator
  readonly #mempool = new Map<string, Uint8Array>()
  readonly #listeners = new Set<(block: Block) => void>()
  /** The check state: the newest state after the checks of pending transactions. */
  #checked: Overlay
  /** A block that is announced, but whose state is not committed yet. */
  #sealed: Sealed | undefined
  #indexed: number

  constructor(
    readonly options: ChainOptions,
    readonly environment: Environment,
    readonly store: Store,
    /** Holds at least the block of the store's height. */
    readonly archive: Archive,
    readonly agentTransactions: BlockInjection['before'],
    readonly writeBlock: BlockWriter,
  ) {
    this.validator = validatorOf(options.chainId, options.seed)
    this.#checked = this.#fresh()
    this.#indexed = store.height
  }

  get height(): number {
    return this.store.height
  }

  get announced(): Block {
    return this.#sealed?.block ?? this.#kept(this.height)
  }

  get indexed(): number {
    return this.#indexed
  }

  get earliest(): number {
    return this.store.oldest
  }

  block(height: number): Block | undefined {
    if (this.#sealed?.stored.height === height) return this.#sealed.block
    return this.archive.get(height)
  }

  find(hash: string): IndexedTx | undefined {
    const found = this.archive.find(hash)
    return found && found.block.header.height <= this.#indexed ? found : undefined
  }

  stateAt(height: number): Reader | undefined {
    return height < this.earliest || height > this.height ? undefined : this.store.at(height)
  }

  machineAt(height: number): Machine {
    return this.#machine(height, this.#kept(height).header.time)
  }

  broadcast(tx: Uint8Array): TxResult {
    const hash = txHash(tx)
    // A node forgets a transaction that has failed, so that it can be sent again.
    const hasSucceeded = this.archive.find(hash)?.tx.result.code === 0
    if (this.#mempool.has(hash) || hasSucceeded) throw new AlreadyKnown()
    if (this.#mempool.size >= MEMPOOL) throw new MempoolFull()
    const result = this.#check(tx)
    if (result.code === 0) this.#mempool.set(hash, tx)
    return result
  }

  simulate(tx: Uint8Array): TxResult {
    const trial = new Overlay(this.store.at(this.height))
    return runTx(this.machineAt(this.height), trial, tx, 'simulate', this.options)
  }

  pending(): readonly Uint8Array[] {
    return [...this.#mempool.values()]
  }

  makeBlock(blockInjection: Partial<BlockInjection> = {}): Block {
    const block = this.seal(blockInjection)
    this.accept()
    this.index()
    return block
  }

  seal(blockInjection: Partial<BlockInjection> = {}): Block {
    if (this.#sealed) return this.#sealed.block
    const previous = this.#kept(this.height)
    const height = this.height + 1
    const time = previous.header.time + BigInt(this.options.blockTimeMs) * 1_000_000n
    const { before, admits = () => true } = blockInjection
    const state = new Overlay(this.store.at(this.height))
    if (this.options.oracles) {
      const prices = oraclePrices(this.options.seed, ageAt(state, height))
      for (const [key, price] of prices) state.set(ORACLE_SPACE, key, price)
    }
    const txs = this.#delivered(state, this.#machine(height, time), [
      ...this.agentTransactions(this),
      ...(before?.(this) ?? []),
      ...this.pending().filter(admits),
    ])
    const changes = [...state.changes()]
    const text = encodeChanges(changes)
    const block = sealBlock({
      chainId: this.options.chainId,
      height,
      time,
      previous,
      txs,
      appHash: appHashAfter(previous.appHash, text),
      validator: this.validator,
    })
    const packed = packBlock(block)
    const hashes = txs.map((tx) => tx.hash)
    const stored: StoredBlock = { height, hash: block.hash, txs: hashes, packed: () => packed }
    this.writeBlock(stored, text)
    this.#sealed = { block, stored, changes }
    return block
  }

  accept(): void {
    if (!this.#sealed) return
    const { block, stored, changes } = this.#sealed
    this.#sealed = undefined
    this.store.commit(stored.height, changes)
    this.archive.add(stored, block)
    for (const hash of stored.txs) this.#mempool.delete(hash)
    this.#checked = this.#fresh()
    // Pending transactions are checked again: their account may lack funds now, or their timeout may have passed.
    for (const [hash, tx] of this.#mempool)
      if (this.#check(tx).code !== 0) this.#mempool.delete(hash)
    for (const listener of this.#listeners) listener(block)
  }

  index(): void {
    this.#indexed = this.height
  }

  subscribe(listener: (block: Block) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** CheckTx: moves the check state's sequence until the next block. */
  #check(tx: Uint8Array): TxResult {
    return runTx(this.machineAt(this.height), this.#checked, tx, 'check', this.options)
  }

  #delivered(state: Overlay, machine: Machine, txs: readonly Uint8Array[]): readonly BlockTx[] {
    const delivered = new Map<string, BlockTx>()
    for (const bytes of txs) {
      const hash = txHash(bytes)
      if (!delivered.has(hash))
        delivered.set(hash, {
          bytes,
          hash,
          result: runTx(machine, state, bytes, 'deliver', this.options),
        })
    }
    return [...delivered.values()]
  }

  #fresh(): Overlay {
    return new Overlay(this.store.at(this.store.height))
  }

  #kept(height: number): Block {
    const block = this.archive.get(height)
    if (!block) throw new Error(`block ${height} is not kept`)
    return block
  }

  #machine(height: number, time: bigint): Machine {
    return { ...this.environment, chainId: this.options.chainId, height, time }
  }
}
