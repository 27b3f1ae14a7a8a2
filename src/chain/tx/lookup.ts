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
import { attempt } from '../../platform/attempt.js'
import { fromHex, toBase64 } from '../../platform/encoding.js'
import { heightOf } from '../queries/header.js'
import { ask } from '../rpc/ask.js'
import type { Endpoint } from '../rpc/endpoint.js'
import { faultText, NodeFault, NodeRefusal } from '../rpc/faults.js'
import type { RpcCall } from '../rpc/http/json-rpc.js'
import { check, fromEach, isTrusted, type Pool, soonFrom } from '../rpc/node-pool.js'
import type { Source } from '../rpc/query-source.js'
import { readBlock } from './block-data.js'
import type { IncludedTx, Scan, TxIdentity } from './outcome.js'
import { decodeTxResult } from './result.js'
import { txHashOf } from './unsigned-tx.js'

/**
 * Looks a transaction up in the indexes of all nodes; one that has used its sequence is preferred. Absence proves
 * nothing: indexes lag behind, and lose entries when a node crashes.
 *
 * @throws NodeFault if no node answers
 */
export async function findTx(
  pool: Pool,
  hash: string,
  patienceMs: number,
): Promise<IncludedTx | undefined> {
  const work = async (endpoint: Endpoint, deadlineAt: number) => {
    if (!isTrusted(pool, endpoint)) await check(pool, endpoint, deadlineAt)
    const [outcome] = await ask(endpoint, [txCall(hash)], deadlineAt)
    if (outcome?.ok !== true) return undefined
    return attempt(() => readIndexed(rootCursor(outcome.result), hash), MalformedDocument)
  }
  const answers = await fromEach(pool, pool.clock.now() + patienceMs, work, soonFrom)
  const found = answers.filter((included) => included !== undefined)
  return found.find(({ usedSequence }) => usedSequence) ?? found[0]
}

/** The call whose answer `readIndexed` reads. */
export const txCall = (hash: string): RpcCall => ({
  method: 'tx',
  params: { hash: toBase64(fromHex(hash)), prove: false },
})

/** Reads the answer to `tx`. The bytes have to match the hash. @throws MalformedDocument */
export function readIndexed(node: JsonCursor, hash: string): IncludedTx {
  const bytes = Buffer.from(text(member(node, 'tx')), 'base64')
  if (txHashOf(bytes) !== hash) refuse(member(node, 'tx'), 'must be the requested transaction')
  return decodeTxResult(member(node, 'tx_result'), heightOf(member(node, 'height')))
}

/**
 * Searches blocks from one height to another, both included, for a transaction or another one with its sequence. All
 * later ones are read before another one counts; blocks before it that the node does not have cannot hold the wanted
 * one, since a sequence is used once. A transaction that failed before its messages ran is skipped: it has not used its
 * sequence and may be included again.
 *
 * @param searched `hash/height` of blocks without the sequence, which are not read again; found ones are added
 */
export async function scanBlocks(
  source: Source,
  identity: TxIdentity,
  from: number,
  to: number,
  searched = new Set<string>(),
): Promise<Scan> {
  let replaced: Scan | undefined
  let missing: Scan | undefined
  for (let height = from; height <= to; height += 1) {
    const place = `${identity.hash}/${height}`
    if (searched.has(place)) continue
    try {
      const uses = usesIn(await txsOf(source, height), identity)
      if (uses.length === 0) searched.add(place)
      const scan = await executedUse(source, identity, height, uses)
      if (scan?.kind === 'found') return scan
      replaced ??= scan
    } catch (error) {
      const isReadFault =
        error instanceof NodeFault ||
        error instanceof NodeRefusal ||
        error instanceof MalformedDocument
      if (!isReadFault) throw error
      // A refusal means that the node does not have the block; other faults may be temporary.
      const passes = !(error instanceof NodeRefusal)
      const scan: Scan = { kind: 'incomplete', why: `block ${height}: ${faultText(error)}`, passes }
      if (passes || replaced !== undefined) return scan
      missing ??= scan
    }
  }
  return replaced ?? missing ?? { kind: 'absent' }
}

/** A transaction of a block that is the wanted one, or was signed with its sequence. */
type Use = {
  readonly at: number
  readonly hash: string
  readonly signer: 'own' | 'unnamed'
}

const usesIn = (txs: readonly Uint8Array[], identity: TxIdentity): readonly Use[] =>
  txs.flatMap((bytes, at) => {
    const hash = txHashOf(bytes)
    const signer = hash === identity.hash ? 'own' : signerWith(bytes, identity)
    return signer === undefined ? [] : [{ at, hash, signer }]
  })

/** The first of them that has used the sequence; the wanted one before others. */
async function executedUse(
  source: Source,
  identity: TxIdentity,
  height: number,
  uses: readonly Use[],
): Promise<Scan | undefined> {
  let replaced: Scan | undefined
  for (const { at, hash, signer } of uses) {
    const included = await resultAt(source, height, at)
    if (!included.usedSequence) continue
    if (hash === identity.hash) return { kind: 'found', included }
    const { address, sequence } = identity
    if (signer === 'own' || included.sequences.includes(`${address}/${sequence}`))
      replaced ??= { kind: 'replaced', hash, height, isUnnamed: signer === 'unnamed' }
  }
  return replaced
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
 * Whether the account signed a transaction with the sequence, by its public key; `unnamed` if a signer with the sequence
 * gives none, as accounts that have published theirs may: then the events tell who it is.
 */
const signerWith = (
  txBytes: Uint8Array,
  { publicKey, sequence }: TxIdentity,
): 'own' | 'unnamed' | undefined =>
  // Blocks may hold transactions of other encodings.
  attempt(() => {
    const { signerInfos } = AuthInfo.decode(TxRaw.decode(txBytes).authInfoBytes)
    const keys = signerInfos
      .filter((signer) => signer.sequence === sequence)
      .map((signer) => signer.publicKey)
    const isOwn = keys.some(
      (key) =>
        key?.typeUrl === PubKey.typeUrl &&
        Buffer.from(PubKey.decode(key.value).key).equals(publicKey),
    )
    if (isOwn) return 'own'
    return keys.includes(undefined) ? 'unnamed' : undefined
  })
