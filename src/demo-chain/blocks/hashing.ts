import { BinaryWriter } from 'cosmjs-types/binary'
import { Timestamp } from 'cosmjs-types/google/protobuf/timestamp'
import { ExecTxResult } from 'cosmjs-types/tendermint/abci/types'
import { Block as BlockMessage } from 'cosmjs-types/tendermint/types/block'
import { HashedParams } from 'cosmjs-types/tendermint/types/params'
import {
  BlockID,
  Commit,
  CommitSig,
  Header as HeaderMessage,
} from 'cosmjs-types/tendermint/types/types'
import { SimpleValidator } from 'cosmjs-types/tendermint/types/validator'
import { Consensus } from 'cosmjs-types/tendermint/version/types'
import { fromHex, sha256, toUpperHex } from '../../platform/encoding.js'
import { type Block, type Header, type TxResult, timestampOf } from './chain.js'

/** The block protocol that headers name. */
export const BLOCK_PROTOCOL = 11n
/** The consensus parameters that headers commit to. */
export const MAX_BYTES = 22_020_096n
export const MAX_GAS = -1n
/** The one validator's power. */
export const POWER = 500_000n

/** A field in the wrapper message that CometBFT hashes. */
const wrapped = (write: (writer: BinaryWriter) => void): Uint8Array => {
  const writer = BinaryWriter.create()
  write(writer)
  return writer.finish()
}
/** The same for a hash; empty for an empty one. */
const wrappedHash = (hex: string): Uint8Array =>
  wrapped((writer) => hex && writer.uint32(10).bytes(fromHex(hex)))

/** A block's id in the header of its successor; empty hashes before the first block. */
export const blockId = (blockHash: string, partsHash: string, total: number): BlockID =>
  BlockID.fromPartial({
    hash: fromHex(blockHash),
    partSetHeader: { total, hash: fromHex(partsHash) },
  })

/** The hashes of a header after the last block's id, in their order. */
const HASHES = [
  'lastCommitHash',
  'dataHash',
  'validatorsHash',
  'nextValidatorsHash',
  'consensusHash',
  'appHash',
  'lastResultsHash',
  'evidenceHash',
] as const

/** The hash of a header and of its block: the Merkle root of the fields. */
export const headerHash = (header: Header): string =>
  merkleRootHex([
    Consensus.encode({ block: BLOCK_PROTOCOL, app: 0n }).finish(),
    wrapped((writer) => writer.uint32(10).string(header.chainId)),
    wrapped((writer) => writer.uint32(8).int64(BigInt(header.height))),
    Timestamp.encode(timestampOf(header.time)).finish(),
    BlockID.encode(
      blockId(header.lastBlockHash, header.lastPartsHash, header.lastPartsTotal),
    ).finish(),
    ...HASHES.map((name) => wrappedHash(header[name])),
    wrappedHash(header.proposer),
  ])

/** Of a block's transactions: the root over their hashes. */
export const dataHash = (txs: readonly Uint8Array[]): string =>
  merkleRootHex(txs.map((tx) => sha256(tx)))

/** The hash of a block's results: the deterministic fields code, data and gas. */
export const resultsHash = (results: readonly TxResult[]): string =>
  merkleRootHex(
    results.map(({ code, data, gasWanted, gasUsed }) =>
      ExecTxResult.encode(ExecTxResult.fromPartial({ code, data, gasWanted, gasUsed })).finish(),
    ),
  )

/** Of the one validator's key and power. */
export const validatorsHash = (publicKey: Uint8Array): string =>
  merkleRootHex([
    SimpleValidator.encode({ pubKey: { ed25519: publicKey }, votingPower: POWER }).finish(),
  ])

export const consensusHash = (): string =>
  toUpperHex(
    sha256(HashedParams.encode({ blockMaxBytes: MAX_BYTES, blockMaxGas: MAX_GAS }).finish()),
  )

/** The validator's vote for a block, as in a commit. */
export const commitSignature = (
  block: Pick<Block, 'header' | 'signature' | 'signedAt'>,
): CommitSig =>
  CommitSig.fromPartial({
    blockIdFlag: 2,
    validatorAddress: fromHex(block.header.proposer),
    timestamp: timestampOf(block.signedAt),
    signature: block.signature,
  })

/** Of the commit for a block; before the first one, of nothing. */
export const commitHash = (block: Block | undefined): string =>
  merkleRootHex(block ? [CommitSig.encode(commitSignature(block)).finish()] : [])

/** The sign bytes of the validator's vote in round 0: a canonical vote with its length. */
export function voteBytes(
  { chainId, height }: Pick<Header, 'chainId' | 'height'>,
  voted: { readonly hash: string; readonly partsHash: string; readonly parts: number },
  signedAt: bigint,
): Uint8Array {
  const writer = BinaryWriter.create()
  writer.uint32(8).int32(2)
  writer.uint32(17).sfixed64(BigInt(height))
  writer.uint32(34).fork().uint32(10).bytes(fromHex(voted.hash))
  writer.uint32(18).fork().uint32(8).uint32(voted.parts)
  writer.uint32(18).bytes(fromHex(voted.partsHash)).ldelim().ldelim()
  Timestamp.encode(timestampOf(signedAt), writer.uint32(42).fork()).ldelim()
  writer.uint32(50).string(chainId)
  const vote = writer.finish()
  return BinaryWriter.create().bytes(vote).finish()
}

export const headerMessage = (header: Header): HeaderMessage =>
  HeaderMessage.fromPartial({
    version: { block: BLOCK_PROTOCOL, app: 0n },
    chainId: header.chainId,
    height: BigInt(header.height),
    time: timestampOf(header.time),
    lastBlockId: blockId(header.lastBlockHash, header.lastPartsHash, header.lastPartsTotal),
    ...Object.fromEntries(HASHES.map((name) => [name, fromHex(header[name])])),
    proposerAddress: fromHex(header.proposer),
  })

/** The commit for a block, as the next block carries it; an empty one before the first. */
const commitMessage = (block: Block | undefined): Commit =>
  Commit.fromPartial(
    block
      ? {
          height: BigInt(block.header.height),
          round: 0,
          blockId: blockId(block.hash, block.partsHash, partsOf(block.size)),
          signatures: [commitSignature(block)],
        }
      : { blockId: blockId('', '', 0) },
  )

/** A block as protobuf, `previous` being the block that its last commit is for. */
export const blockMessage = (
  header: Header,
  txs: readonly Uint8Array[],
  previous: Block | undefined,
): BlockMessage =>
  BlockMessage.fromPartial({
    header: headerMessage(header),
    data: { txs: [...txs] },
    evidence: { evidence: [] },
    lastCommit: commitMessage(previous),
  })

const PART = 65_536

/** The root over an encoded block's parts of 64 KiB. */
export function partsHash(encoded: Uint8Array): string {
  const parts: Uint8Array[] = []
  for (let at = 0; at < encoded.length; at += PART) parts.push(encoded.subarray(at, at + PART))
  return merkleRootHex(parts)
}

/** Number of parts of an encoded block. */
export const partsOf = (size: number): number => Math.ceil(size / PART)

const LEAF = Uint8Array.of(0)
const INNER = Uint8Array.of(1)

/** The leaves of the left half of a tree: the largest power of two below their number. */
const leftHalf = (leaves: number): number => 2 ** Math.ceil(Math.log2(leaves) - 1)

/** CometBFT's Merkle root (RFC 6962 without the length): of no leaves, the hash of nothing. */
export function merkleRoot(leaves: readonly Uint8Array[]): Uint8Array {
  if (leaves.length === 0) return sha256()
  if (leaves.length === 1) return sha256(LEAF, leaves[0] as Uint8Array)
  const split = leftHalf(leaves.length)
  return sha256(INNER, merkleRoot(leaves.slice(0, split)), merkleRoot(leaves.slice(split)))
}

export const merkleRootHex = (leaves: readonly Uint8Array[]): string =>
  toUpperHex(merkleRoot(leaves))

/** The Merkle proof of leaf `index`: the sibling hashes on the path to the root, nearest first. */
export function merkleAunts(leaves: readonly Uint8Array[], index: number): readonly Uint8Array[] {
  if (leaves.length <= 1) return []
  const split = leftHalf(leaves.length)
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)]
  return index < split
    ? [...merkleAunts(left, index), merkleRoot(right)]
    : [...merkleAunts(right, index - split), merkleRoot(left)]
}

/** The hash of one leaf, as in proofs. */
export const leafHash = (leaf: Uint8Array): Uint8Array => sha256(LEAF, leaf)

/** A transaction's hash: the SHA-256 of its bytes, upper-case hex. */
export const txHash = (tx: Uint8Array): string => toUpperHex(sha256(tx))
