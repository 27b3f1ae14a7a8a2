import type { Machine } from '../modules/dispatch.js'
import type { Reader } from '../store/state.js'
import type { Block, TxResult } from './block.js'
import type { ChainOptions } from './chain-options.js'

/** The one validator of the chain. */
export type Validator = {
  /** First 20 bytes of the key's SHA-256, upper-case hex. */
  readonly address: string
  /** Ed25519. */
  readonly publicKey: Uint8Array
}

/** Influence on the next block from outside: transactions of agents, and faults. */
export type BlockInjection = {
  /** Transactions that go into the next block before those that wait. */
  readonly before: (chain: Chain) => readonly Uint8Array[]
  /** Whether a waiting transaction enters the next block, waits on, or is forgotten. */
  readonly admit: (tx: Uint8Array) => 'now' | 'later' | 'never'
}

/** A chain. Everything is synchronous: a call sees one state. */
export type Chain = {
  readonly options: ChainOptions
  readonly validator: Validator
  /** The newest height whose state and results answer. */
  readonly height: number
  /**
   * The newest block, as `status` reports it. For a moment it is ahead of `height`, as on a
   * real node, whose application commits a block after its store has it.
   */
  readonly announced: Block
  /** The oldest height whose block and state are kept. */
  readonly earliest: number
  /** A kept block, or the announced one. */
  block(height: number): Block | undefined
  /** The newest height whose transactions can be looked up: a real node's index is late as well. */
  readonly indexed: number
  /** The block and index of a kept, indexed transaction, by its hash in upper-case hex. */
  find(hash: string): { readonly block: Block; readonly index: number } | undefined
  /** The state after a kept height, or `undefined`. */
  stateAt(height: number): Reader | undefined
  /** The environment of contracts at a kept height. */
  machineAt(height: number): Machine
  /** CheckTx alone: moves the check state's sequence until the next block. */
  check(tx: Uint8Array): TxResult
  /** CheckTx, and into the mempool if that is 0. @throws AlreadyKnown */
  broadcast(tx: Uint8Array): TxResult
  /** The result of a transaction on the newest state; signatures are not checked. */
  simulate(tx: Uint8Array): TxResult
  /** Transactions that wait for a block, in order. */
  pending(): readonly Uint8Array[]
  /** Makes the next block from the agents' and the waiting transactions, and accepts and indexes it. */
  makeBlock(blockInjection?: Partial<BlockInjection>): Block
  /** The same in the three steps of a real node: the block exists, its state answers, it is indexed. */
  seal(blockInjection?: Partial<BlockInjection>): Block
  accept(): void
  index(): void
  /** Calls `listener` after each block; the result stops that. */
  subscribe(listener: (block: Block) => void): () => void
}

/** The same bytes wait already, or are in a kept block. */
export class AlreadyKnown extends Error {
  override name = 'AlreadyKnown'
  override message = 'tx already exists in cache'
}
