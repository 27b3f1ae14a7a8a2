import { toBase64 } from '../../platform/encoding.js'
import { isObject } from '../../platform/json-object.js'
import { ask } from '../rpc/ask.js'
import type { Endpoint } from '../rpc/endpoint.js'
import { NodeFault } from '../rpc/faults.js'
import type { RpcOutcome } from '../rpc/http/json-rpc.js'
import { nodeText } from '../rpc/http/mask.js'
import { check, type Pool, trackHealth } from '../rpc/node-pool.js'
import type { BroadcastResult } from './outcome.js'
import { reasonOf } from './refusal.js'
import { txHashOf } from './unsigned-tx.js'

/**
 * Sends the bytes of a transaction to every node, since one that accepts them may forward them to none. Repeating is
 * safe: a chain executes the same bytes at most once.
 *
 * @param patienceMs time limit for each node
 */
export async function broadcast(
  pool: Pool,
  txBytes: Uint8Array,
  patienceMs: number,
): Promise<BroadcastResult> {
  const usable = pool.endpoints.filter(({ dropped }) => dropped === undefined)
  const tries = usable.map((endpoint) => handTo(pool, endpoint, txBytes, patienceMs))
  const accepted = tries.map(async (each) => {
    const outcome = await each
    if (outcome.kind !== 'accepted') throw new Error(outcome.kind)
    return outcome
  })
  // The transaction is tracked from the first acceptance on, while slower nodes still get it.
  return Promise.any(accepted).catch(async () => {
    const outcomes = await Promise.all(tries)
    // One uncertain answer makes the whole attempt uncertain.
    return (
      outcomes.find(({ kind }) => kind === 'unknown') ??
      outcomes.find(({ kind }) => kind === 'refused') ??
      outcomes[0] ?? { kind: 'unsent', why: 'there is no node to send it to' }
    )
  })
}

async function handTo(
  pool: Pool,
  endpoint: Endpoint,
  txBytes: Uint8Array,
  patienceMs: number,
): Promise<BroadcastResult> {
  const deadlineAt = pool.clock.now() + patienceMs
  try {
    await trackHealth(endpoint, () => check(pool, endpoint, deadlineAt))
  } catch (error) {
    if (!(error instanceof NodeFault)) throw error
    return { kind: 'unsent', why: error.message }
  }
  try {
    const call = {
      method: 'broadcast_tx_sync',
      params: { tx: toBase64(txBytes) },
    }
    const [outcome] = await trackHealth(endpoint, () => ask(endpoint, [call], deadlineAt))
    return sentBy(endpoint, outcome, txBytes)
  } catch (error) {
    if (!(error instanceof NodeFault)) throw error
    // Only if no connection was established can no node have the bytes.
    return { kind: error.isUnsent ? 'unsent' : 'unknown', why: error.message }
  }
}

/** CometBFT's message for known bytes, which has no code. */
const KNOWN = /tx already exists in cache/
const FULL = /mempool is full/

function sentBy(
  { shown, secrets }: Endpoint,
  outcome: RpcOutcome | undefined,
  txBytes: Uint8Array,
): BroadcastResult {
  if (outcome === undefined) return { kind: 'unknown', why: `${shown} sent no answer` }
  if (!outcome.ok) {
    const { code, text } = outcome
    if (KNOWN.test(text)) return { kind: 'accepted', by: shown }
    if (FULL.test(text))
      return { kind: 'refused', by: shown, reason: 'busy', codespace: 'sdk', code: 20, log: text }
    return { kind: 'unknown', why: `${shown} answered: ${text} (${code})` }
  }
  const { result } = outcome
  if (!isObject(result)) return { kind: 'unknown', why: `${shown} sent a malformed answer` }
  const { code = 0, codespace = '', log = '', hash } = result
  if (!isCode(code) || typeof codespace !== 'string' || typeof log !== 'string')
    return { kind: 'unknown', why: `${shown} sent a malformed answer` }
  if (typeof hash !== 'string' || hash.toUpperCase() !== txHashOf(txBytes))
    return { kind: 'unknown', why: `${shown} answered for another transaction` }
  const refusal = {
    code,
    codespace: nodeText(codespace, secrets),
    log: nodeText(log, secrets),
  }
  const reason = reasonOf(refusal)
  if (code === 0 || reason === 'known') return { kind: 'accepted', by: shown }
  return { kind: 'refused', by: shown, reason, ...refusal }
}

/** Whether a value is a code of CometBFT, an unsigned integer of 32 bits. */
const isCode = (value: unknown): value is number =>
  typeof value === 'number' && value === value >>> 0
