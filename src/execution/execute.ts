import { sequencesIn } from '../chain/tx/refusal.js'
import type { Coin } from '../engine/market/token.js'
import {
  type Entry,
  type Intent,
  isDone,
  isOpen,
  legsLeft,
  type Owner,
  txOf,
} from './journal/intent.js'
import {
  follow,
  inPlaceOf,
  type KeyedRequest,
  prepareExcluding,
  startedBefore,
  startedUnder,
} from './lifecycle/idempotency.js'
import type { OrderReport, SwapReport } from './lifecycle/report-schema.js'
import { type ExecutionResult, resultOf, stoppedBy } from './lifecycle/result.js'
import { type Excluded, pollConfirmed, refresh, settleOpen } from './lifecycle/settle.js'
import { type TxOutcome, track } from './lifecycle/track.js'
import { requireConfirmedFee } from './plan/build.js'
import { intentOf, type PreparedTx } from './plan/prepared.js'
import { totalMinimum, withRest } from './plan/tolerance.js'
import { type LockedSession, type Session, underLock } from './session.js'
import { sign } from './sign.js'
import { messagesOf, type SwapTask, type Task } from './task.js'

/**
 * Executes a task once: quotes it again, compares nodes, builds, confirms, signs, and tracks the
 * transaction until its outcome is certain. The journal holds everything that was signed, so nothing
 * is signed again while an earlier transaction may still be included.
 *
 * @param newId creates the id of a new intent
 * @param prepared a preparation of mode `batch` that was shown before; it is confirmed and signed unchanged
 */
export async function execute<T extends Task>(
  session: Session,
  task: T,
  newId: () => string,
  prepared?: PreparedTx,
): Promise<ExecutionResult<ReportOf<T>>> {
  const owner = { chainId: session.chain.chainId, address: task.account.address }
  const result = await underLock(session, owner, (locked) =>
    executeLocked(locked, task, owner, { newId, prepared }),
  )
  return result as ExecutionResult<ReportOf<T>>
}

/**
 * The result of an earlier execution of an account under a key of `--once`; `undefined` if there is none.
 *
 * @throws SwapError INVALID_REQUEST if the key was used for another request, BUSY while another process locks the
 *   account
 */
export async function executedBefore(
  session: Session,
  keyed: KeyedRequest,
  address: string,
): Promise<ExecutionResult | undefined> {
  const owner = { chainId: session.chain.chainId, address }
  return underLock(session, owner, async (locked) => {
    // A transaction that every node refused may still be in a block.
    for (const intent of locked.journal.once(owner, keyed.once))
      await refresh(locked, intent, pollConfirmed(locked))
    return startedUnder(locked, keyed, owner)
  })
}

type ReportOf<T extends Task> = T extends SwapTask ? SwapReport : OrderReport

async function executeLocked(
  session: LockedSession,
  task: Task,
  owner: Owner,
  { newId, prepared }: { readonly newId: () => string; readonly prepared: PreparedTx | undefined },
): Promise<ExecutionResult> {
  const before = await startedBefore(session, task, owner)
  if (before !== undefined) return before
  const { settled, excluded } = await settleOpen(session, owner)
  // A transaction that every node refused may still be in a block.
  const found = settled.length > 0 ? await startedBefore(session, task, owner) : undefined
  if (found !== undefined) return found
  const start: Start = { intent: undefined, id: newId(), excluded }
  const result =
    task.terms.mode === 'batch'
      ? await executeBatch(session, task, start, prepared)
      : await executeLegs(session, task, start)
  return excluded === undefined ? result : inPlaceOf(session, task, owner, result)
}

/**
 * Resumes an intent: tracks its open transactions with the same bytes, and executes the remaining legs
 * of one that was interrupted.
 *
 * @param task creates the task of the remaining messages; `undefined` if nothing may be signed
 */
export async function resume(
  unlocked: Session,
  intent: Intent,
  task?: (intent: Intent) => Promise<Task>,
): Promise<ExecutionResult> {
  const owner = { chainId: intent.chain_id, address: intent.address }
  return underLock(unlocked, owner, async (session) => {
    // Another process may have resumed it meanwhile, or have sent the same bytes.
    const last = intent.txs.at(-1)?.hash ?? intent.id
    const known = session.journal.find(intent.id) ?? session.journal.find(last)
    // Bytes that were signed elsewhere are in the journal before they are sent, too.
    if (known === undefined) session.journal.put(intent)
    // Printed bytes are sent by this program once it was told to, and remain so.
    const now: Intent =
      known?.mode === 'handed' ? { ...known, mode: intent.mode } : (known ?? intent)
    const { intent: settled, result } = await follow(session, now)
    const isStopped = now.mode === 'legs' && legsLeft(settled).length > 0
    if (!isStopped || isOpen(settled) || task === undefined) return result
    const { excluded } = await settleOpen(session, owner)
    const rest = await task(settled)
    const ended = await executeLegs(session, rest, { intent: settled, id: intent.id, excluded })
    return excluded === undefined ? ended : inPlaceOf(session, undefined, owner, ended)
  })
}

/** The state that an execution starts from. */
type Start = {
  /** The intent with its earlier transactions; `undefined` for a new one. */
  readonly intent: Intent | undefined
  readonly id: string
  /** An earlier transaction that every node refused: using its sequence excludes it. */
  readonly excluded: Excluded | undefined
}

/** One atomic transaction with a message for each leg. */
async function executeBatch(
  session: LockedSession,
  task: Task,
  { id, excluded }: Start,
  shown?: PreparedTx,
): Promise<ExecutionResult> {
  let intent: Intent | undefined
  for (let attempt = 1; ; attempt += 1) {
    const first = attempt === 1 ? shown : undefined
    const prepared = await prepareExcluding(session, task, excluded, { shown: first })
    await session.confirm(prepared.view)
    session.progress({ stage: 'confirmed_by_user' })
    // The intent of the second attempt has the transaction of the first.
    const earlier = intent && { created: intent.created, txs: intent.txs }
    intent = { ...intentOf(session, task, prepared, id), ...earlier }
    const entry = await sign(session, task, prepared, intent, prepared.indexes)
    const tracked = await track(session, task.terms, entry)
    if (attempt > 1) return resultOf(entry, tracked)
    const outcome = await watchSequence(session, entry, tracked)
    // The transaction to exclude may have used the sequence: then both would be executed.
    if (excluded !== undefined || !isReplaced(entry, outcome)) return resultOf(entry, outcome)
    intent = entry.intent
    session.progress({ stage: 'replaced', hash: txOf(entry).hash })
  }
}

/** Longest wait for the transaction that used the sequence of a refused one, in milliseconds. */
const WATCH_MS = 20_000

/** The outcome of a refused transaction, after waiting for another one that used its sequence, if there is one. */
async function watchSequence(
  session: LockedSession,
  entry: Entry,
  outcome: TxOutcome,
): Promise<TxOutcome> {
  const { state, log } = txOf(entry)
  const named = state === 'refused' ? sequencesIn(log ?? '') : undefined
  // With a sequence above the account's, the transaction may still be included once it is reached.
  if (named === undefined || named.expected <= named.got) return outcome
  const watched = await track(session, { wait: 'included', waitMs: WATCH_MS }, entry)
  return watched.kind === 'settled' ? watched : outcome
}

/**
 * Whether another transaction has certainly used the sequence of one that every node refused: only
 * then may it be built again.
 */
function isReplaced(entry: Entry, outcome: TxOutcome): boolean {
  const { state, code } = txOf(entry)
  return outcome.kind === 'settled' && state === 'replaced' && code !== null
}

/** One transaction per leg, in order; stops at the first failure. */
async function executeLegs(
  session: LockedSession,
  task: Task,
  start: Start,
): Promise<ExecutionResult> {
  let { intent } = start
  const total = totalMinimum(task, intent)
  let confirmedFee: readonly Coin[] | undefined
  for (;;) {
    let entry: Entry
    let outcome: TxOutcome
    try {
      const signed = await signNext(session, task, { ...start, intent, total, confirmedFee })
      confirmedFee ??= signed.fee
      entry = signed.entry
      intent = entry.intent
      outcome = await track(session, task.terms, entry)
    } catch (error) {
      // An executed leg is reported even if the next one cannot be signed or sent.
      if (intent === undefined || !(error instanceof Error)) throw error
      return stoppedBy(intent, error)
    }
    intent = entry.intent
    if (!isDone(txOf(entry)) || legsLeft(intent).length === 0) return resultOf(entry, outcome)
  }
}

type NextLeg = Start & {
  /** Minimum output of all legs. */
  readonly total: bigint
  /** The fee of the first transaction, which was confirmed; `undefined` before that. */
  readonly confirmedFee: readonly Coin[] | undefined
}

/** Quotes, builds and signs the next remaining leg. All legs are confirmed before the first one. */
async function signNext(
  session: LockedSession,
  task: Task,
  next: NextLeg,
): Promise<{ readonly entry: Entry; readonly fee: readonly Coin[] }> {
  const { intent, confirmedFee, id, total, excluded } = next
  const isFirst = confirmedFee === undefined
  const all = intent === undefined ? messagesOf(task) : legsLeft(intent)
  const left = isFirst || 'plan' in task ? all : all.slice(0, 1)
  const owing = withRest(task, intent, { total, legs: left, isConfirmed: !isFirst })
  const prepared = await prepareExcluding(session, owing, isFirst ? excluded : undefined, { left })
  if (isFirst) {
    await session.confirm(prepared.view)
    session.progress({ stage: 'confirmed_by_user' })
  } else await requireConfirmedFee(prepared, confirmedFee)
  const renewal = {
    ...(intent === undefined
      ? intentOf(session, task, prepared, id)
      : withNewTxs(intent, left, prepared)),
    ...(total > 0n && { min_out: `${total}` }),
  }
  const places = prepared.indexes.map((i) => left[i]!)
  const entry = await sign(session, task, prepared, renewal, places)
  return { entry, fee: prepared.built.decoded.fee }
}

/** The intent with new amounts of the remaining legs. */
function withNewTxs(intent: Intent, left: readonly number[], { records }: PreparedTx): Intent {
  const merged = <T>(before: readonly T[], now: readonly T[], keep: (old: T, fresh: T) => T) =>
    before.map((old, i) => (left.includes(i) ? keep(old, now[left.indexOf(i)]!) : old))
  return {
    ...intent,
    legs: merged(intent.legs, records.legs, ({ quoted }, fresh) => ({ ...fresh, quoted })),
    ...(intent.orders && {
      orders: merged(intent.orders, records.orders ?? [], (_, fresh) => fresh),
    }),
  }
}
