import { Timestamp } from 'cosmjs-types/google/protobuf/timestamp'
import type { ChainEvent } from '../modules/contract.js'

/** The result of a transaction, in a block or in a simulation. */
export type TxResult = {
  /** 0 is success. */
  readonly code: number
  readonly codespace: string
  /** Empty on success, else the error's text. */
  readonly log: string
  /** Protobuf `TxMsgData`; empty on failure. */
  readonly data: Uint8Array
  readonly gasWanted: bigint
  readonly gasUsed: bigint
  /** As `block_results` has them, `msg_index` included. */
  readonly events: readonly ChainEvent[]
}

/** A transaction of a block. */
export type BlockTx = {
  readonly bytes: Uint8Array
  /** SHA-256 of the bytes, upper-case hex. */
  readonly hash: string
  readonly result: TxResult
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
  /** Parts of 64 KiB that the last block had; 0 in the first. */
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

/** A block with its results. */
export type Block = {
  readonly header: Header
  readonly hash: string
  readonly partsHash: string
  readonly txs: readonly BlockTx[]
  /** Begin- and end-block events, each with its `mode`. */
  readonly events: readonly ChainEvent[]
  /** Of the state after this block, upper-case hex; the next header carries it. */
  readonly appHash: string
  /** The validator's signature of this block, which the next block's `last_commit` carries. */
  readonly signature: Uint8Array
  readonly signedAt: bigint
  /** The size of the encoded block in bytes. */
  readonly size: number
}

const SECOND = 1_000_000_000n

/** Nanoseconds since 1970 as Go prints a UTC time: up to 9 fractional digits, trailing zeros cut. */
export function rfc3339(time: bigint): string {
  const rest = `${time % SECOND}`.padStart(9, '0').replace(/0+$/, '')
  return `${rfc3339Seconds(time).slice(0, -1)}${rest && `.${rest}`}Z`
}

/** The same cut to whole seconds. */
export const rfc3339Seconds = (time: bigint): string =>
  `${new Date(Number(time / SECOND) * 1000).toISOString().slice(0, 19)}Z`

/** The nanoseconds since 1970 of an RFC 3339 time in UTC. */
export function nanoseconds(text: string): bigint {
  const [whole = '', rest = ''] = text.replace('Z', '').split('.')
  return BigInt(Date.parse(`${whole}Z`) / 1000) * SECOND + BigInt(rest.padEnd(9, '0'))
}

/** Nanoseconds since 1970 as protobuf has a time. */
export const timestampOf = (time: bigint): Timestamp =>
  Timestamp.fromPartial({ seconds: time / SECOND, nanos: Number(time % SECOND) })

export const nanosOf = ({ seconds, nanos }: Timestamp): bigint => seconds * SECOND + BigInt(nanos)
