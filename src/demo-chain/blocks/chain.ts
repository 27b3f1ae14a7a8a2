import { Timestamp } from 'cosmjs-types/google/protobuf/timestamp'
import type { ChainEvent } from '../modules/contract.js'
import type { Machine } from '../modules/dispatch.js'
import type { Reader } from '../store/state.js'
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
  /** Transactions that precede the pending ones in the next block. */
  readonly before: (chain: Chain) => readonly Uint8Array[]
  /** Whether a pending transaction enters the next block; otherwise it stays pending. */
  readonly admits: (tx: Uint8Array) => boolean
}

/** A chain. All calls are synchronous, so each sees one state. */
export type Chain = {
  readonly options: ChainOptions
  readonly validator: Validator
  /** The newest height whose state and results can be queried. */
  readonly height: number
  /**
   * The newest block, as in `status`. It is briefly ahead of `height`, as on a real node, whose application commits a
   * block after the block store has it.
   */
  readonly announced: Block
  /** The oldest height whose block and state are kept. */
  readonly earliest: number
  /** A kept block, or the announced one. */
  block(height: number): Block | undefined
  /** The newest height in the transaction index, which lags behind as on a real node. */
  readonly indexed: number
  /** A kept, indexed transaction, by its hash in upper-case hex. */
  find(hash: string): IndexedTx | undefined
  /** The state after a kept height, or `undefined`. */
  stateAt(height: number): Reader | undefined
  /** The environment of contracts at a kept height. */
  machineAt(height: number): Machine
  /** CheckTx; adds the transaction to the mempool if the code is 0. @throws AlreadyKnown, MempoolFull */
  broadcast(tx: Uint8Array): TxResult
  /** The result of a transaction on the newest state; signatures are not checked. */
  simulate(tx: Uint8Array): TxResult
  /** Pending transactions, in order. */
  pending(): readonly Uint8Array[]
  /** Makes the next block from injected and pending transactions, and commits and indexes it. */
  makeBlock(blockInjection?: Partial<BlockInjection>): Block
  /** The same in the three steps of a real node: block store, state, index. */
  seal(blockInjection?: Partial<BlockInjection>): Block
  accept(): void
  index(): void
  /** Calls `listener` after each block. @returns a function that unsubscribes */
  subscribe(listener: (block: Block) => void): () => void
}

/** The state after the newest height, which is always kept. */
export function newestState(chain: Pick<Chain, 'height' | 'stateAt'>): Reader {
  const state = chain.stateAt(chain.height)
  if (!state) throw new Error(`the state after block ${chain.height} is not kept`)
  return state
}

/** The same bytes are pending already, or have succeeded in a kept block. */
export class AlreadyKnown extends Error {
  override name = 'AlreadyKnown'
  override message = 'tx already exists in cache'
}

/** Most pending transactions. */
export const MEMPOOL = 5_000

/** The mempool is full until the next block. */
export class MempoolFull extends Error {
  override name = 'MempoolFull'
  override message = `mempool is full: number of txs ${MEMPOOL} (max: ${MEMPOOL})`
}

/** The block that holds a transaction; `undefined` when none does within `mostMs`. */
export const inclusion = (chain: Chain, hash: string, mostMs: number): Promise<Block | undefined> =>
  new Promise((resolve) => {
    const end = (block?: Block) => {
      stop()
      clearTimeout(timer)
      resolve(block)
    }
    const stop = chain.subscribe((block) => {
      if (block.txs.some((tx) => tx.hash === hash)) end(block)
    })
    const timer = setTimeout(end, mostMs)
    timer.unref()
  })

/** The result of a transaction, in a block or in a simulation. */
export type TxResult = {
  /** 0 is success. */
  readonly code: number
  readonly codespace: string
  /** Empty on success, otherwise the error's text. */
  readonly log: string
  /** Protobuf `TxMsgData`; empty on failure. */
  readonly data: Uint8Array
  readonly gasWanted: bigint
  readonly gasUsed: bigint
  /** As in `block_results`, `msg_index` included. */
  readonly events: readonly ChainEvent[]
}

/** A transaction of a block. */
export type BlockTx = {
  readonly bytes: Uint8Array
  /** SHA-256 of the bytes, upper-case hex. */
  readonly hash: string
  readonly result: TxResult
}

/** A transaction with its block and its index in it. */
export type IndexedTx = {
  readonly block: Block
  readonly index: number
  readonly tx: BlockTx
}

/** A block header; hashes in upper-case hex. */
export type Header = {
  readonly chainId: string
  readonly height: number
  /** Nanoseconds since 1970. */
  readonly time: bigint
  /** Empty in the first block. */
  readonly lastBlockHash: string
  readonly lastPartsHash: string
  /** Number of 64 KiB parts of the last block; 0 in the first. */
  readonly lastPartsTotal: number
  readonly lastCommitHash: string
  readonly dataHash: string
  readonly validatorsHash: string
  readonly nextValidatorsHash: string
  readonly consensusHash: string
  /** Of the state before this block. */
  readonly appHash: string
  readonly lastResultsHash: string
  readonly evidenceHash: string
  /** Address of the one validator. */
  readonly proposer: string
}

/** A block with its results. Blocks have no events outside of transactions. */
export type Block = {
  readonly header: Header
  readonly hash: string
  readonly partsHash: string
  readonly txs: readonly BlockTx[]
  /** Of the state after this block, upper-case hex; the next header carries it. */
  readonly appHash: string
  /** The validator's signature of this block, which the next block's `last_commit` carries. */
  readonly signature: Uint8Array
  readonly signedAt: bigint
  /** The size of the encoded block in bytes. */
  readonly size: number
}

const SECOND = 1_000_000_000n

/** Nanoseconds since 1970 as UTC in Go's RFC 3339 format: up to 9 fractional digits without trailing zeros. */
export function rfc3339(time: bigint): string {
  const rest = `${time % SECOND}`.padStart(9, '0').replace(/0+$/, '')
  return `${rfc3339Seconds(time).slice(0, -1)}${rest && `.${rest}`}Z`
}

/** The same, truncated to seconds. */
export const rfc3339Seconds = (time: bigint): string =>
  `${new Date(Number(time / SECOND) * 1000).toISOString().slice(0, 19)}Z`

/** The nanoseconds since 1970 of an RFC 3339 time in UTC. */
export function nanoseconds(text: string): bigint {
  const [whole = '', rest = ''] = text.replace('Z', '').split('.')
  return BigInt(Date.parse(`${whole}Z`) / 1000) * SECOND + BigInt(rest.padEnd(9, '0'))
}

/** Nanoseconds since 1970 as a protobuf timestamp. */
export const timestampOf = (time: bigint): Timestamp =>
  Timestamp.fromPartial({ seconds: time / SECOND, nanos: Number(time % SECOND) })
