import { fromHex, sha256, toBase64 } from '../../../platform/encoding.js'
import {
  type Block,
  type Chain,
  type Header,
  type IndexedTx,
  rfc3339,
  type TxResult,
} from '../../blocks/chain.js'
import {
  BLOCK_PROTOCOL,
  leafHash,
  MAX_BYTES,
  MAX_GAS,
  merkleAunts,
  merkleRootHex,
  partsOf,
} from '../../blocks/hashing.js'
import type { ChainEvent } from '../../modules/contract.js'

const idJson = (hash: string, total: number, partsHash: string) => ({
  hash,
  parts: { total, hash: partsHash },
})

export const blockIdJson = ({ hash, partsHash, size }: Block) =>
  idJson(hash, partsOf(size), partsHash)

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
      signature: toBase64(block.signature),
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

/** `block_id` and `block` */
export const wholeBlockJson = (chain: Chain, block: Block) => ({
  block_id: blockIdJson(block),
  block: {
    header: headerJson(block.header),
    data: { txs: block.txs.map(({ bytes }) => toBase64(bytes)) },
    evidence: { evidence: [] },
    last_commit: lastCommitJson(chain, block.header),
  },
})

const eventsJson = (events: readonly ChainEvent[]) =>
  events.map(({ type, attributes }) => ({
    type,
    attributes: attributes.map(({ key, value }) => ({ key, value, index: true })),
  }))

/** A result as blocks have it: no data at all when the transaction failed. */
export const txResultJson = (result: TxResult) => ({
  code: result.code,
  data: result.data.length > 0 ? toBase64(result.data) : null,
  log: result.log,
  info: '',
  gas_wanted: String(result.gasWanted),
  gas_used: String(result.gasUsed),
  events: eventsJson(result.events),
  codespace: result.codespace,
})

/** The result of a check, without events. */
export const checkJson = (result: TxResult) => ({
  ...txResultJson({ ...result, events: [] }),
  data: toBase64(result.data),
})

/** The result of a transaction that was not included in a block. */
export const noResultJson = txResultJson({
  code: 0,
  codespace: '',
  log: '',
  data: new Uint8Array(),
  gasWanted: 0n,
  gasUsed: 0n,
  events: [],
})

function proofJson({ block, index, tx }: IndexedTx) {
  // A block's data hash is over the hashes of its transactions.
  const leaves = block.txs.map(({ bytes }) => sha256(bytes))
  return {
    root_hash: merkleRootHex(leaves),
    data: toBase64(tx.bytes),
    proof: {
      total: String(leaves.length),
      index: String(index),
      leaf_hash: toBase64(leafHash(leaves[index] ?? new Uint8Array())),
      aunts: merkleAunts(leaves, index).map(toBase64),
    },
  }
}

/** A committed transaction as `tx` and `tx_search` answer it. */
export const txJson = (found: IndexedTx, prove: boolean) => ({
  hash: found.tx.hash,
  height: String(found.block.header.height),
  index: found.index,
  tx_result: txResultJson(found.tx.result),
  tx: toBase64(found.tx.bytes),
  ...(prove && { proof: proofJson(found) }),
})

/** Consensus parameters, zeros written out. */
export const consensusParamsJson = {
  block: { max_bytes: String(MAX_BYTES), max_gas: String(MAX_GAS) },
  evidence: {
    max_age_num_blocks: '100000',
    max_age_duration: '172800000000000',
    max_bytes: '1048576',
  },
  validator: { pub_key_types: ['ed25519'] },
  version: { app: '0' },
  abci: { vote_extensions_enable_height: '0' },
}

/** The parameter updates of every block: the parameters do not change. */
const updatesJson = { ...consensusParamsJson, version: {}, abci: {} }

/** `block_results` */
export const blockResultsJson = (block: Block) => ({
  height: String(block.header.height),
  txs_results: block.txs.length > 0 ? block.txs.map(({ result }) => txResultJson(result)) : null,
  finalize_block_events: [],
  validator_updates: null,
  consensus_param_updates: updatesJson,
  app_hash: toBase64(fromHex(block.appHash)),
})

/** A result in an event: fields that are zero or empty are left out. */
export const sparseResultJson = (result: TxResult) => ({
  ...(result.code !== 0 && { code: result.code }),
  ...(result.data.length > 0 && { data: toBase64(result.data) }),
  ...(result.log !== '' && { log: result.log }),
  ...(result.gasWanted !== 0n && { gas_wanted: String(result.gasWanted) }),
  ...(result.gasUsed !== 0n && { gas_used: String(result.gasUsed) }),
  ...(result.events.length > 0 && { events: eventsJson(result.events) }),
  ...(result.codespace !== '' && { codespace: result.codespace }),
})
