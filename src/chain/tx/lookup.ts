import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import { AuthInfo, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import {
  items,
  type JsonCursor,
  MalformedDocument,
  member,
  refuse,
  rootCursor,
  text,
} from '../../engine/snapshot/json-cursor.js'
import { fromHex, toBase64 } from '../../platform/encoding.js'
import { ask } from '../rpc/ask.js'
import { NodeFault, NodeRefusal } from '../rpc/faults.js'
import { check, isTrusted, type Pool, trackHealth } from '../rpc/node-pool.js'
import type { Source } from '../rpc/query-source.js'
import { readBlock } from './block-data.js'
import type { IncludedTx, Scan, TxIdentity } from './outcome.js'
import { decodeTxResult } from './result.js'
import { txHashOf } from './unsigned-tx.js'

/**
 * Looks a transaction up in the index of each node. Absence proves nothing: indexes lag behind, and lose entries when a
 * node crashes.
 *
 * @throws NodeFault if no node answers
 */
export async function findTx(
  pool: Pool,
  hash: string,
  patienceMs: number,
): Promise<IncludedTx | undefined> {
  const params = { hash: toBase64(fromHex(hash)), prove: false }
  let last: NodeFault | undefined
  let answers = 0
  for (const endpoint of pool.endpoints) {
    if (endpoint.dropped !== undefined) continue
    const deadlineAt = pool.clock.now() + patienceMs
    try {
      const [outcome] = await trackHealth(endpoint, async () => {
        if (!isTrusted(pool, endpoint)) await check(pool, endpoint, deadlineAt)
        return ask(endpoint, [{ method: 'tx', params }], deadlineAt)
      })
      answers += 1
      if (outcome?.ok === true) return readIndexed(rootCursor(outcome.result), hash)
    } catch (error) {
      if (error instanceof MalformedDocument) continue
      if (!(error instanceof NodeFault)) throw error
      last = error
    }
  }
  if (answers === 0 && last !== undefined) throw last
  return undefined
}

/** Reads the answer to `tx`. The bytes have to match the hash. @throws MalformedDocument */
export function readIndexed(node: JsonCursor, hash: string): IncludedTx {
  const bytes = Buffer.from(text(member(node, 'tx')), 'base64')
  if (txHashOf(bytes) !== hash) refuse(member(node, 'tx'), 'must be the requested transaction')
  return decodeTxResult(member(node, 'tx_result'), heightOf(member(node, 'height')))
}

function heightOf(node: JsonCursor): number {
  const digits = text(node)
  return /^[1-9]\d{0,14}$/.test(digits) ? Number(digits) : refuse(node, 'must be a height')
}

/**
 * Searches blocks from one height to another, both included, for a transaction or another one with its sequence. A
 * transaction that failed before its messages ran is skipped: it has not used its sequence and may be included again.
 */
export async function scanBlocks(
  source: Source,
  identity: TxIdentity,
  from: number,
  to: number,
): Promise<Scan> {
  for (let height = from; height <= to; height += 1) {
    try {
      const scan = await findUse(source, identity, height)
      if (scan !== undefined) return scan
    } catch (error) {
      const isReadFault =
        error instanceof NodeFault ||
        error instanceof NodeRefusal ||
        error instanceof MalformedDocument
      if (!isReadFault) throw error
      // A refusal means that the node does not have the block; other faults may be temporary.
      const passes = !(error instanceof NodeRefusal)
      return { kind: 'incomplete', why: `block ${height}: ${error.message}`, passes }
    }
  }
  return { kind: 'absent' }
}

/** The transaction of a block that has used the sequence; there is at most one. */
async function findUse(
  source: Source,
  identity: TxIdentity,
  height: number,
): Promise<Scan | undefined> {
  const txs = await txsOf(source, height)
  for (const [at, bytes] of txs.entries()) {
    const hash = txHashOf(bytes)
    const isSameHash = hash === identity.hash
    if (!isSameHash && !usesSequence(bytes, identity)) continue
    const included = await resultAt(source, height, at)
    if (!included.usedSequence) continue
    return isSameHash ? { kind: 'found', included } : { kind: 'replaced', hash, height }
  }
  return undefined
}

async function txsOf(source: Source, height: number): Promise<readonly Uint8Array[]> {
  const answer = await source.call('block', { height: `${height}` })
  return readBlock(rootCursor(answer), height).txs
}

async function resultAt(source: Source, height: number, at: number): Promise<IncludedTx> {
  const results = rootCursor(await source.call('block_results', { height: `${height}` }))
  const node = items(member(results, 'txs_results'))[at]
  if (node === undefined) throw new MalformedDocument('/txs_results', 'must hold every transaction')
  return decodeTxResult(node, height)
}

/**
 * Whether a transaction is signed by the same account with the same sequence. The public key may be absent if the
 * account has published it; then the address has to be in the messages.
 */
function usesSequence(txBytes: Uint8Array, { address, publicKey, sequence }: TxIdentity): boolean {
  try {
    const { bodyBytes, authInfoBytes } = TxRaw.decode(txBytes)
    return AuthInfo.decode(authInfoBytes).signerInfos.some((signer) => {
      if (signer.sequence !== sequence) return false
      if (signer.publicKey === undefined) return Buffer.from(bodyBytes).includes(address)
      const { typeUrl, value } = signer.publicKey
      return typeUrl === PubKey.typeUrl && Buffer.from(PubKey.decode(value).key).equals(publicKey)
    })
  } catch {
    // Blocks may hold transactions of other encodings.
    return false
  }
}
