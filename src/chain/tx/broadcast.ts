import { ask } from '../transport/ask.js'
import type { Endpoint } from '../transport/endpoint.js'
import { NodeFault, type NodeFaultKind } from '../transport/faults.js'
import { check, noted, type Pool } from '../transport/pool.js'
import { isObject, type RpcOutcome } from '../transport/wire/json-rpc.js'
import { nodeText } from '../transport/wire/mask.js'
import { type Reason, type Refused, reasonOf } from './failure.js'
import { txHashOf } from './hash.js'

/** What is known after the bytes of a transaction were handed to nodes. */
export type Sent =
  /** A node has them: they wait for a block, or are in one. */
  | { readonly kind: 'accepted'; readonly by: string }
  /** Every node that could be asked has looked at them and does not want them. */
  | ({ readonly kind: 'refused'; readonly by: string; readonly reason: Reason } & Refused)
  /** No connection came about: nobody can have them. */
  | { readonly kind: 'unsent'; readonly why: string }
  /** Some node may have them, and may pass them on. */
  | { readonly kind: 'unknown'; readonly why: string }

/** Faults before the first byte of a request on a connection of its own. */
const BEFORE: ReadonlySet<NodeFaultKind> = new Set([
  ...(['refused', 'unreachable', 'unknown_host', 'tls', 'closed', 'no_endpoint'] as const),
])

/**
 * Hands the bytes of a transaction to one node after the other until one has them. The same bytes
 * may be sent any number of times: a chain executes them once at most.
 *
 * @param patienceMs for each node
 */
export async function broadcast(
  pool: Pool,
  txBytes: Uint8Array,
  patienceMs: number,
): Promise<Sent> {
  const tries: Sent[] = []
  for (const endpoint of pool.endpoints) {
    if (endpoint.dropped !== undefined) continue
    const sent = await handTo(pool, endpoint, txBytes, patienceMs)
    if (sent.kind === 'accepted') return sent
    tries.push(sent)
  }
  // What is not certain of one node is not certain of all.
  return (
    tries.find(({ kind }) => kind === 'unknown') ??
    tries.find(({ kind }) => kind === 'refused') ??
    tries[0] ?? { kind: 'unsent', why: 'there is no node to send it to' }
  )
}

async function handTo(
  pool: Pool,
  endpoint: Endpoint,
  txBytes: Uint8Array,
  patienceMs: number,
): Promise<Sent> {
  const until = pool.clock.now() + patienceMs
  try {
    await noted(endpoint, () => check(pool, endpoint, until))
  } catch (error) {
    if (!(error instanceof NodeFault)) throw error
    return { kind: 'unsent', why: error.message }
  }
  try {
    const call = {
      method: 'broadcast_tx_sync',
      params: { tx: Buffer.from(txBytes).toString('base64') },
    }
    const [outcome] = await noted(endpoint, () => ask(endpoint, [call], until))
    return sentBy(endpoint, outcome, txBytes)
  } catch (error) {
    if (!(error instanceof NodeFault)) throw error
    return { kind: BEFORE.has(error.kind) ? 'unsent' : 'unknown', why: error.message }
  }
}

/** CometBFT's own words for bytes that it has seen; it has no code for it. */
const KNOWN = /tx already exists in cache/
const FULL = /mempool is full/

function sentBy(
  { shown, secrets }: Endpoint,
  outcome: RpcOutcome | undefined,
  txBytes: Uint8Array,
): Sent {
  if (outcome === undefined) return { kind: 'unknown', why: `${shown} said nothing` }
  if (!outcome.ok) {
    const { code, text } = outcome
    if (KNOWN.test(text)) return { kind: 'accepted', by: shown }
    if (FULL.test(text))
      return { kind: 'refused', by: shown, reason: 'busy', codespace: 'sdk', code: 20, log: text }
    return { kind: 'unknown', why: `${shown} answered: ${text} (${code})` }
  }
  const { result } = outcome
  if (!isObject(result)) return { kind: 'unknown', why: `${shown} answered nonsense` }
  const { code = 0, codespace = '', log = '', hash } = result
  if (typeof code !== 'number' || typeof codespace !== 'string' || typeof log !== 'string')
    return { kind: 'unknown', why: `${shown} answered nonsense` }
  if (typeof hash !== 'string' || hash.toUpperCase() !== txHashOf(txBytes))
    return { kind: 'unknown', why: `${shown} answered for another transaction` }
  const refused = { codespace, code, log: nodeText(log, secrets) }
  const reason = reasonOf(refused)
  if (code === 0 || reason === 'known') return { kind: 'accepted', by: shown }
  return { kind: 'refused', by: shown, reason, ...refused }
}
