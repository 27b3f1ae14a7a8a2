import { Block as BlockMessage } from 'cosmjs-types/tendermint/types/block'
import { Commit, Header as HeaderMessage } from 'cosmjs-types/tendermint/types/types'
import type { Block, Header } from './block.js'
import { BLOCK_PROTOCOL, blockId, commitSignature } from './hashing.js'
import { fromHex, toHex } from './hex.js'
import { merkleRoot } from './merkle.js'
import { timestampOf } from './time.js'

export const headerMessage = (header: Header): HeaderMessage =>
  HeaderMessage.fromPartial({
    version: { block: BLOCK_PROTOCOL, app: 0n },
    chainId: header.chainId,
    height: BigInt(header.height),
    time: timestampOf(header.time),
    lastBlockId: blockId(header.lastBlockHash, header.lastPartsHash, header.lastPartsTotal),
    lastCommitHash: fromHex(header.lastCommitHash),
    dataHash: fromHex(header.dataHash),
    validatorsHash: fromHex(header.validatorsHash),
    nextValidatorsHash: fromHex(header.nextValidatorsHash),
    consensusHash: fromHex(header.consensusHash),
    appHash: fromHex(header.appHash),
    lastResultsHash: fromHex(header.lastResultsHash),
    evidenceHash: fromHex(header.evidenceHash),
    proposerAddress: fromHex(header.proposer),
  })

/** The commit for a block, as the next block carries it; an empty one before the first. */
export const commitMessage = (
  block:
    | Pick<Block, 'header' | 'hash' | 'partsHash' | 'size' | 'signature' | 'signedAt'>
    | undefined,
): Commit =>
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
  return toHex(merkleRoot(parts))
}

/** How many parts an encoded block has. */
export const partsOf = (size: number): number => Math.ceil(size / PART)
