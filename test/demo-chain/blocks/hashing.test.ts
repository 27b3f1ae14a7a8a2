import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { Block as BlockMessage } from 'cosmjs-types/tendermint/types/block'
import { describe, test } from 'vitest'
import {
  type Header,
  nanoseconds,
  rfc3339,
  timestampOf,
} from '../../../src/demo-chain/blocks/chain.js'
import {
  blockId,
  commitSignature,
  consensusHash,
  dataHash,
  headerHash,
  headerMessage,
  leafHash,
  merkleAunts,
  merkleRoot,
  partsHash,
  partsOf,
  validatorsHash,
  voteBytes,
} from '../../../src/demo-chain/blocks/hashing.js'
import { validatorOf } from '../../../src/demo-chain/blocks/seal-block.js'
import { fromHex, sha256 } from '../../../src/platform/encoding.js'
import { readJson } from '../../support/vectors.js'

type Id = {
  readonly hash: string
  readonly parts: { readonly total: number; readonly hash: string }
}
type Signature = { readonly timestamp: string; readonly signature: string }
type Commit = {
  readonly height: string
  readonly block_id: Id
  readonly signatures: readonly [Signature]
}
type Recorded = {
  readonly block: {
    readonly block_id: Id
    readonly block: {
      readonly header: Record<string, string> & { readonly last_block_id: Id }
      readonly data: { readonly txs: readonly string[] }
      readonly last_commit: Commit
    }
  }
  readonly commit: { readonly commit: Commit }
  readonly validator: { readonly address: string; readonly pub_key: { readonly value: string } }
}

const recorded = readJson<Recorded>('recorded_block.json')
const { block } = recorded.block
const publicKey = Buffer.from(recorded.validator.pub_key.value, 'base64')
const txs = block.data.txs.map((tx) => Buffer.from(tx, 'base64'))

const member = (name: string): string => block.header[name] ?? ''
const header: Header = {
  chainId: member('chain_id'),
  height: Number(member('height')),
  time: nanoseconds(member('time')),
  lastBlockHash: block.header.last_block_id.hash,
  lastPartsHash: block.header.last_block_id.parts.hash,
  lastPartsTotal: block.header.last_block_id.parts.total,
  lastCommitHash: member('last_commit_hash'),
  dataHash: member('data_hash'),
  validatorsHash: member('validators_hash'),
  nextValidatorsHash: member('next_validators_hash'),
  consensusHash: member('consensus_hash'),
  appHash: member('app_hash'),
  lastResultsHash: member('last_results_hash'),
  evidenceHash: member('evidence_hash'),
  proposer: member('proposer_address'),
}

describe('the hashes of a recorded block', () => {
  test('are computed: of the block itself', () => {
    assert.equal(headerHash(header), recorded.block.block_id.hash)
  })

  test('are computed: of its transactions, validators and consensus parameters', () => {
    assert.equal(dataHash(txs), member('data_hash'))
    assert.equal(validatorsHash(publicKey), member('validators_hash'))
    assert.equal(consensusHash(), member('consensus_hash'))
  })

  test('are computed: of the commit that it contains', () => {
    const { last_commit: last } = block
    const [signature] = last.signatures
    const encoded = commitSignature({
      header,
      signature: Buffer.from(signature.signature, 'base64'),
      signedAt: nanoseconds(signature.timestamp),
    })
    assert.deepEqual(Buffer.from(encoded.validatorAddress), fromHex(recorded.validator.address))
    const message = BlockMessage.fromPartial({
      header: headerMessage(header),
      data: { txs },
      evidence: { evidence: [] },
      lastCommit: {
        height: BigInt(last.height),
        round: 0,
        blockId: blockId(last.block_id.hash, last.block_id.parts.hash, last.block_id.parts.total),
        signatures: [encoded],
      },
    })
    const bytes = BlockMessage.encode(message).finish()
    assert.equal(partsHash(bytes), recorded.block.block_id.parts.hash)
    assert.equal(partsOf(bytes.length), recorded.block.block_id.parts.total)
  })

  test('are signed by the validator', () => {
    const { block_id: id, signatures } = recorded.commit.commit
    const voted = { hash: id.hash, partsHash: id.parts.hash, parts: id.parts.total }
    const bytes = voteBytes(header, voted, nanoseconds(signatures[0].timestamp))
    const x = publicKey.toString('base64url')
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    assert.ok(verify(null, bytes, key, Buffer.from(signatures[0].signature, 'base64')))
  })
})

test('a time is printed with as many fractional digits as it has', () => {
  for (const [time, text] of [
    [1_777_636_800_000_000_000n, '2026-05-01T12:00:00Z'],
    [1_777_636_800_500_000_000n, '2026-05-01T12:00:00.5Z'],
    [1_777_636_800_000_000_001n, '2026-05-01T12:00:00.000000001Z'],
  ] as const) {
    assert.equal(rfc3339(time), text)
    assert.equal(nanoseconds(text), time)
    assert.equal(timestampOf(time).nanos, Number(time % 1_000_000_000n))
  }
})

test('a Merkle proof verifies every leaf of a tree of any size', () => {
  for (let size = 1; size < 20; size++) {
    const leaves = Array.from({ length: size }, (_, at) => Uint8Array.of(at))
    const root = Buffer.from(merkleRoot(leaves))
    leaves.forEach((leaf, index) => {
      assert.deepEqual(
        Buffer.from(climb(leafHash(leaf), index, size, merkleAunts(leaves, index))),
        root,
      )
    })
  }
})

/** The root that a leaf's hash and its proof lead to. */
function climb(
  hash: Uint8Array,
  index: number,
  size: number,
  aunts: readonly Uint8Array[],
): Uint8Array {
  const aunt = aunts.at(-1)
  if (size === 1 || !aunt) return hash
  const split = 2 ** Math.ceil(Math.log2(size) - 1)
  const rest = aunts.slice(0, -1)
  return index < split
    ? sha256(Uint8Array.of(1), climb(hash, index, split, rest), aunt)
    : sha256(Uint8Array.of(1), aunt, climb(hash, index - split, size - split, rest))
}

test('a demo chain has a validator of its own, always the same', () => {
  const validator = validatorOf('demo-1', 1)
  assert.deepEqual(validator.publicKey, validatorOf('demo-1', 1).publicKey)
  assert.notDeepEqual(validator.publicKey, validatorOf('demo-1', 2).publicKey)
  assert.equal(validator.address.length, 40)
})
