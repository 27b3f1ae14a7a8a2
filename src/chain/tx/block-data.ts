import { BinaryWriter } from 'cosmjs-types/binary'
import { Timestamp } from 'cosmjs-types/google/protobuf/timestamp'
import { ExecTxResult } from 'cosmjs-types/tendermint/abci/types'
import { BlockID } from 'cosmjs-types/tendermint/types/types'
import { Consensus } from 'cosmjs-types/tendermint/version/types'
import {
  isAbsent,
  items,
  type JsonCursor,
  MalformedDocument,
  member,
  optional,
  refuse,
  rootCursor,
  text,
} from '../../engine/snapshot/json-cursor.js'
import { fromBase64, fromHex, sha256, toUpperHex } from '../../platform/encoding.js'
import { timeOf } from '../queries/header.js'
import type { RpcOutcome } from '../rpc/http/json-rpc.js'

/** A header whose hash is computed from its fields. Hashes are upper-case hex. */
type Header = {
  readonly chainId: string
  readonly height: number
  /** RFC 3339 UTC. */
  readonly time: string
  readonly hash: string
  /** The hash of the previous block; empty in the first one. */
  readonly lastBlockHash: string
  readonly dataHash: string
  /** The root over the results of the previous block. */
  readonly lastResultsHash: string
}

/** A block whose transactions match the `data_hash` of its header. */
export type BlockData = Header & { readonly txs: readonly Uint8Array[] }

/** The part of a transaction's result that is the same on every node. */
export type DeterministicResult = {
  readonly code: number
  readonly data: Uint8Array
  readonly gasWanted: bigint
  readonly gasUsed: bigint
}

/**
 * Reads the answer to `block`. The transactions have to match the header's `data_hash`, and the header the block's id.
 *
 * @throws MalformedDocument
 */
export function readBlock(answer: JsonCursor, height: number): BlockData {
  const block = member(answer, 'block')
  const header = readHeader(member(block, 'header'), height)
  const hash = member(member(answer, 'block_id'), 'hash')
  if (text(hash) !== header.hash) refuse(hash, `must be the hash of the header, ${header.hash}`)
  const list = member(member(block, 'data'), 'txs')
  // A proposer may add one without bytes.
  const txs = items(list).map((node) => fromBase64(node.value === '' ? '' : text(node)))
  if (dataHash(txs) !== header.dataHash)
    refuse(list, `must be the transactions of data_hash ${header.dataHash}`)
  return { ...header, txs }
}

/** Reads the answer to `commit`: the header has to match the block id in the commit. */
export function readCommit(answer: JsonCursor, height: number): Header {
  const signed = member(answer, 'signed_header')
  const header = readHeader(member(signed, 'header'), height)
  const hash = member(member(member(signed, 'commit'), 'block_id'), 'hash')
  if (text(hash) !== header.hash) refuse(hash, `must be the hash of the header, ${header.hash}`)
  return header
}

/**
 * The header after a block, from the answer to `commit`; `undefined` if the node has none.
 *
 * @throws MalformedDocument if it is malformed, or names another block as the one before
 */
export function nextHeader(
  answer: RpcOutcome | undefined,
  block: Pick<BlockData, 'height' | 'hash'>,
): Header | undefined {
  if (answer?.ok !== true) return undefined
  const next = readCommit(rootCursor(answer.result), block.height + 1)
  if (next.lastBlockHash !== block.hash)
    throw new MalformedDocument('/signed_header/header/last_block_id', `must be ${block.hash}`)
  return next
}

/** CometBFT's Merkle root (RFC 6962): of no leaves, the hash of nothing. */
function merkleRoot(leaves: readonly Uint8Array[]): Uint8Array {
  const [first] = leaves
  if (first === undefined) return sha256()
  if (leaves.length === 1) return sha256(Uint8Array.of(0), first)
  const split = 2 ** Math.ceil(Math.log2(leaves.length) - 1)
  return sha256(
    Uint8Array.of(1),
    merkleRoot(leaves.slice(0, split)),
    merkleRoot(leaves.slice(split)),
  )
}

/** `data_hash`: the root over the hashes of the transactions. */
const dataHash = (txs: readonly Uint8Array[]): string =>
  toUpperHex(merkleRoot(txs.map((tx) => sha256(tx))))

/** `last_results_hash` of the next header. */
export const resultsHash = (results: readonly DeterministicResult[]): string =>
  toUpperHex(
    merkleRoot(
      results.map((result) => ExecTxResult.encode(ExecTxResult.fromPartial(result)).finish()),
    ),
  )

/** A header's hash is the root over its fields, each encoded on its own. */
function readHeader(node: JsonCursor, height: number): Header {
  const statedHeight = member(node, 'height')
  if (statedHeight.value !== `${height}`) refuse(statedHeight, `must be ${height}`)
  const version = member(node, 'version')
  const chainId = text(member(node, 'chain_id'))
  const time = timeOf(member(node, 'time'))
  const last = member(node, 'last_block_id')
  const parts = member(last, 'parts')
  const lastBlockHash = hexIn(last, 'hash')
  const total = member(parts, 'total').value
  const lastBlock = BlockID.fromPartial({
    hash: fromHex(lastBlockHash),
    partSetHeader: {
      total: typeof total === 'number' ? total : 0,
      hash: fromHex(hexIn(parts, 'hash')),
    },
  })
  const hashes = [
    'last_commit_hash',
    'data_hash',
    'validators_hash',
    'next_validators_hash',
    'consensus_hash',
    'app_hash',
    'last_results_hash',
    'evidence_hash',
    'proposer_address',
  ].map((name) => hexIn(node, name))
  const fields = [
    Consensus.encode({ block: countIn(version, 'block'), app: countIn(version, 'app') }).finish(),
    encoded((writer) => writer.uint32(10).string(chainId)),
    encoded((writer) => writer.uint32(8).int64(BigInt(height))),
    Timestamp.encode(timestampOf(time)).finish(),
    BlockID.encode(lastBlock).finish(),
    ...hashes.map((hash) =>
      encoded((writer) => hash !== '' && writer.uint32(10).bytes(fromHex(hash))),
    ),
  ]
  return {
    chainId,
    height,
    time,
    hash: toUpperHex(merkleRoot(fields)),
    lastBlockHash,
    dataHash: hexIn(node, 'data_hash'),
    lastResultsHash: hexIn(node, 'last_results_hash'),
  }
}

function encoded(write: (writer: BinaryWriter) => unknown): Uint8Array {
  const writer = BinaryWriter.create()
  write(writer)
  return writer.finish()
}

function timestampOf(time: string): Timestamp {
  const [whole, fraction = ''] = time.slice(0, -1).split('.')
  const seconds = BigInt(Date.parse(`${whole}Z`) / 1_000)
  return Timestamp.fromPartial({ seconds, nanos: Number(fraction.padEnd(9, '0')) })
}

function hexIn(node: JsonCursor, name: string): string {
  const value = member(node, name)
  if (value.value === '') return ''
  const hex = optional(value, text) ?? ''
  return /^(?:[0-9A-Fa-f]{2})*$/.test(hex) ? hex.toUpperCase() : refuse(value, 'must be hex')
}

/** A count in digits; absent where it is zero. */
function countIn(node: JsonCursor, name: string): bigint {
  const value = member(node, name)
  if (isAbsent(value)) return 0n
  const digits = text(value)
  return /^\d{1,19}$/.test(digits) ? BigInt(digits) : refuse(value, 'must be a count')
}
