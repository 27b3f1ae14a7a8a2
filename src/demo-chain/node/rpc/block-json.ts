import type { Block, Header } from '../../blocks/block.js'
import type { Chain } from '../../blocks/chain.js'
import { partsOf } from '../../blocks/encoding.js'
import { BLOCK_PROTOCOL } from '../../blocks/hashing.js'
import { rfc3339 } from '../../blocks/time.js'

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

const idJson = (hash: string, total: number, partsHash: string) => ({
  hash,
  parts: { total, hash: partsHash },
})

export const blockIdJson = ({ hash, partsHash, size }: Block) =>
  idJson(hash, partsOf(size), partsHash)

/** The id of no block. */
export const noBlockId = idJson('', 0, '')

export const headerJson = (header: Header) => ({
  version: { block: String(BLOCK_PROTOCOL) },
  chain_id: header.chainId,
  height: String(header.height),
  time: rfc3339(header.time),
  last_block_id: idJson(header.lastBlockHash, header.lastPartsTotal, header.lastPartsHash),
  last_commit_hash: header.lastCommitHash,
  data_hash: header.dataHash,
  validators_hash: header.validatorsHash,
  next_validators_hash: header.nextValidatorsHash,
  consensus_hash: header.consensusHash,
  app_hash: header.appHash,
  last_results_hash: header.lastResultsHash,
  evidence_hash: header.evidenceHash,
  proposer_address: header.proposer,
})

/** The validator's commit for a block. */
export const commitJson = (block: Block) => ({
  height: String(block.header.height),
  round: 0,
  block_id: blockIdJson(block),
  signatures: [
    {
      block_id_flag: 2,
      validator_address: block.header.proposer,
      timestamp: rfc3339(block.signedAt),
      signature: base64(block.signature),
    },
  ],
})

/** The commit that a block carries: for the block before it, if that is known. */
function lastCommitJson(chain: Chain, { lastBlockHash, lastPartsHash, ...header }: Header) {
  const previous = chain.block(header.height - 1)
  if (previous) return commitJson(previous)
  const height = lastBlockHash === '' ? 0 : header.height - 1
  return {
    height: String(height),
    round: 0,
    block_id: idJson(lastBlockHash, header.lastPartsTotal, lastPartsHash),
    signatures: [],
  }
}

const blockJson = (chain: Chain, { header, txs }: Block) => ({
  header: headerJson(header),
  data: { txs: txs.map(({ bytes }) => base64(bytes)) },
  evidence: { evidence: [] },
  last_commit: lastCommitJson(chain, header),
})

/** `block_id` and `block` */
export const wholeBlockJson = (chain: Chain, block: Block) => ({
  block_id: blockIdJson(block),
  block: blockJson(chain, block),
})
