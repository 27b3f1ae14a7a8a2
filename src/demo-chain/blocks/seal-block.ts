import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { Block as BlockMessage } from 'cosmjs-types/tendermint/types/block'
import { sha256, toUpperHex } from '../../platform/encoding.js'
import type { Block, BlockTx, Header, Validator } from './chain.js'
import {
  blockMessage,
  commitHash,
  consensusHash,
  dataHash,
  headerHash,
  merkleRootHex,
  partsHash,
  partsOf,
  resultsHash,
  validatorsHash,
  voteBytes,
} from './hashing.js'

/** PKCS #8 before a raw Ed25519 seed. */
const HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The validator of a chain, derived from its id and seed; its key is not a secret. */
export type SigningValidator = Validator & { sign(bytes: Uint8Array): Uint8Array }

export function validatorOf(chainId: string, seed: number): SigningValidator {
  const raw = sha256(Buffer.from(`swap demo validator ${chainId} ${seed}`))
  const key: KeyObject = createPrivateKey({
    key: Buffer.concat([HEAD, raw]),
    format: 'der',
    type: 'pkcs8',
  })
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' })
  const publicKey = Buffer.from(x, 'base64url')
  return {
    address: toUpperHex(sha256(publicKey).subarray(0, 20)),
    publicKey,
    sign: (bytes) => sign(null, bytes, key),
  }
}

/** The inputs of a new block. */
type BlockInput = {
  readonly chainId: string
  readonly height: number
  /** Nanoseconds since 1970. */
  readonly time: bigint
  readonly previous: Block | undefined
  readonly txs: readonly BlockTx[]
  /** Of the state after the block. */
  readonly appHash: string
  readonly validator: SigningValidator
}

/** The state's fingerprint after `changes` (text) were made to the state with fingerprint `before`. */
export const appHashAfter = (before: string, changes: string): string =>
  toUpperHex(sha256(Buffer.from(before), Buffer.from(changes)))

/** Seals a block: its header, hashes and the validator's signature. */
export function sealBlock(input: BlockInput): Block {
  const { txs, appHash, previous, validator } = input
  const header = headerOf(input)
  const bytes = txs.map((tx) => tx.bytes)
  const encoded = BlockMessage.encode(blockMessage(header, bytes, previous)).finish()
  const hash = headerHash(header)
  const parts = partsHash(encoded)
  // A real validator signs slightly later; here the vote has the block's time.
  const signedAt = input.time
  const voted = { hash, partsHash: parts, parts: partsOf(encoded.length) }
  return {
    header,
    hash,
    partsHash: parts,
    txs,
    appHash,
    signature: validator.sign(voteBytes(header, voted, signedAt)),
    signedAt,
    size: encoded.length,
  }
}

const nothing = merkleRootHex([])

function headerOf(input: BlockInput): Header {
  const { chainId, height, time, previous, txs, appHash, validator } = input
  const validators = validatorsHash(validator.publicKey)
  return {
    chainId,
    height,
    time,
    lastBlockHash: previous?.hash ?? '',
    lastPartsHash: previous?.partsHash ?? '',
    lastPartsTotal: previous ? partsOf(previous.size) : 0,
    lastCommitHash: commitHash(previous),
    dataHash: dataHash(txs.map((tx) => tx.bytes)),
    validatorsHash: validators,
    nextValidatorsHash: validators,
    consensusHash: consensusHash(),
    // The first block is that of the genesis state itself.
    appHash: previous?.appHash ?? appHash,
    lastResultsHash: previous ? resultsHash(previous.txs.map((tx) => tx.result)) : nothing,
    evidenceHash: nothing,
    proposer: validator.address,
  }
}
