import { sequencesIn } from '../chain/tx/refusal.js'
import { SwapError } from '../engine/errors.js'
import { type Entry, type Intent, isDone, isOpen, legsLeft, txOf } from './journal/intent.js'
import { follow, startedBefore } from './lifecycle/idempotency.js'
import { type ExecutionResult, resultOf, stoppedBy } from './lifecycle/result.js'
import { settleOpen } from './lifecycle/settle.js'
import { type TxOutcome, track } from './lifecycle/track.js'
import type { Order } from './order.js'
import { intentOf, legRecord, type Prepared, prepare } from './plan/prepare.js'
import type { Session } from './session.js'
import { sign } from './sign.js'

/**
 * Executes an order once: requotes it, compares nodes, builds, confirms, signs, and tracks the
 * transaction until its outcome is certain. The journal holds everything that was signed, so nothing
 * is signed again while an earlier transaction may still be included.
 *
 * @param newId creates the id of a new intent
 * @param prepared what was shown before, of mode `batch`: confirmed and signed as it is
 */
export async function execute(
  session: Session,
  order: Order,
  newId: () => string,
  prepared?: Prepared,
): Promise<ExecutionResult> {
  const owner = { chainId: session.chain.chainId, address: order.account.address }
  const lock = await session.lock(owner)
  try {
    const before = await startedBefore(session, order, owner)
    if (before !== undefined) return before
    const { settled, sequence } = await settleOpen(session, owner)
    // A transaction that every node refused may be in a block all the same.
    const found = settled.length > 0 ? await startedBefore(session, order, owner) : undefined
    if (found !== undefined) return found
    const start: Start = { intent: undefined, id: newId(), sequence }
    return order.terms.mode === 'batch'
      ? await executeBatch(session, order, start, prepared)
      : await executeLegs(session, order, start)
  } finally {
    lock.release()
  }
}

/**
 * Resumes an intent: tracks its open transactions with the same bytes, and executes the remaining legs
 * of one that was interrupted.
 *
 * @param order creates the order of the remaining legs; `undefined` where nothing may be signed
 */
export async function resume(
  session: Session,
  intent: Intent,
  order?: (intent: Intent) => Promise<Order>,
): Promise<ExecutionResult> {
  const owner = { chainId: intent.chain_id, address: intent.address }
  const lock = await session.lock(owner)
  try {
    // Another process may have resumed it since, or have sent the same bytes.
    const last = intent.txs.at(-1)?.hash ?? intent.id
    const known = session.journal.find(intent.id) ?? session.journal.find(last)
    const now = known === undefined ? intent : { ...known, mode: intent.mode }
    const { intent: settled, result } = await follow(session, now)
    const isStopped = now.mode === 'legs' && legsLeft(settled).length > 0
    if (!isStopped || isOpen(settled) || order === undefined) return result
    const { sequence } = await settleOpen(session, owner)
    const rest = await order(settled)
    return await executeLegs(session, rest, { intent: settled, id: intent.id, sequence })
  } finally {
    lock.release()
  }
}

/** The state that an execution starts from. */
type Start = {
  /** The intent with its earlier transactions; `undefined` for a new one. */
  readonly intent: Intent | undefined
  readonly id: string
  /** The sequence of an earlier transaction that every node refused: using it excludes that one. */
  readonly sequence: bigint | undefined
}

/** One transaction with a message for each leg: all of it or nothing. */
async function executeBatch(
  session: Session,
  order: Order,
  { id, sequence }: Start,
  shown?: Prepared,
): Promise<ExecutionResult> {
  let intent: Intent | undefined
  for (let attempt = 1; ; attempt += 1) {
    const prepared = attempt === 1 && shown ? shown : await prepare(session, order)
    if (attempt === 1) requireSequence(prepared, sequence)
    await session.confirm(prepared.view)
    session.progress({ stage: 'confirmed_by_user' })
    intent = batchIntent(session, order, prepared, intent, id)
    const entry = await sign(session, order, prepared, intent, prepared.built.legs)
    const outcome = await track(session, order.terms, entry)
    const shouldRetry = attempt === 1 && (await isReplaced(session, entry, outcome))
    if (!shouldRetry) return resultOf(entry, outcome)
    intent = entry.intent
  }
}

/** @throws SwapError BUSY, where a refused transaction was included meanwhile: both would be executed */
function requireSequence({ built }: Prepared, sequence: bigint | undefined): void {
  const { sequence: now } = built.decoded
  if (sequence === undefined || now === sequence) return
  throw new SwapError('BUSY', 'an earlier transaction of this account may have been executed', {
    why: `it has sequence ${sequence}, and the account is at ${now} by now`,
    hint: 'run the command again: it is settled first',
    members: { tx_hash: null },
  })
}

/** The intent of a preparation, with the transactions that were signed for it before. */
function batchIntent(
  session: Session,
  order: Order,
  prepared: Prepared,
  before: Intent | undefined,
  id: string,
): Intent {
  const fresh = intentOf(session, order, prepared, id)
  return before === undefined ? fresh : { ...fresh, created: before.created, txs: before.txs }
}

/** Longest wait for the transaction that used the sequence of a refused one, in milliseconds. */
const WATCH_MS = 20_000

/**
 * Whether another transaction has certainly used the sequence of one that every node refused: only
 * then may it be built again.
 */
async function isReplaced(session: Session, entry: Entry, outcome: TxOutcome): Promise<boolean> {
  const tx = txOf(entry)
  if (outcome.kind === 'settled') return tx.state === 'replaced' && tx.code !== null
  if (tx.state !== 'refused') return false
  const named = sequencesIn(tx.log ?? '')
  // With a sequence above the account's, the transaction may still be included once it is reached.
  if (named === undefined || named.expected <= named.got) return false
  await track(session, { wait: 'included', waitMs: WATCH_MS }, entry)
  return txOf(entry).state === 'replaced'
}

/** One transaction per leg, in order; stops at the first failure. */
async function executeLegs(session: Session, order: Order, start: Start): Promise<ExecutionResult> {
  let { intent } = start
  for (let isFirst = true; ; isFirst = false) {
    let entry: Entry
    try {
      entry = await signNext(session, order, { ...start, intent, isFirst })
    } catch (error) {
      // An executed leg is reported even if the next one cannot be signed.
      if (intent === undefined || !(error instanceof Error)) throw error
      return stoppedBy(intent, error)
    }
    const outcome = await track(session, order.terms, entry)
    intent = entry.intent
    if (!isDone(txOf(entry)) || legsLeft(intent).length === 0) return resultOf(entry, outcome)
  }
}

type Next = Start & { readonly isFirst: boolean }

/** Quotes, builds and signs the next remaining leg. All of them are confirmed before the first. */
async function signNext(session: Session, order: Order, next: Next): Promise<Entry> {
  const { intent, isFirst, id, sequence } = next
  const all = intent === undefined ? order.requested.legs.map((_, i) => i) : legsLeft(intent)
  const left = isFirst ? all : all.slice(0, 1)
  const prepared = await prepare(session, order, left)
  if (isFirst) {
    requireSequence(prepared, sequence)
    await session.confirm(prepared.view)
    session.progress({ stage: 'confirmed_by_user' })
  }
  const renewal =
    intent === undefined ? intentOf(session, order, prepared, id) : renewed(intent, left, prepared)
  const places = prepared.built.legs.map((i) => left[i]!)
  return sign(session, order, prepared, renewal, places)
}

/** The intent with the new amounts of the remaining legs. */
const renewed = (intent: Intent, left: readonly number[], { plan }: Prepared): Intent => ({
  ...intent,
  legs: intent.legs.map((leg, i) => {
    const at = left.indexOf(i)
    return at < 0 ? leg : { ...legRecord(plan.legs[at]!), quoted: leg.quoted }
  }),
})
