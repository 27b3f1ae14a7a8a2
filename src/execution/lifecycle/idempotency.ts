import { SwapError } from '../../engine/errors.js'
import {
  type Entry,
  type Intent,
  isDone,
  isFinal,
  isOpen,
  type Owner,
  type TxRecord,
  txOf,
  WITHOUT_EFFECT,
} from '../journal/intent.js'
import { prepare } from '../plan/prepare.js'
import type { PreparedTx } from '../plan/prepared.js'
import type { LockedSession, Session } from '../session.js'
import type { RequestedSwap, SigningTerms, Task } from '../task.js'
import { type ExecutionResult, resultOf } from './result.js'
import { type Excluded, nothingSigned, refresh, settleOpen } from './settle.js'
import { type TxOutcome, track } from './track.js'

/** Tracks every transaction of an intent that is open; sends the same bytes again where that is safe. */
export async function follow(
  session: LockedSession,
  intent: Intent,
): Promise<{ readonly intent: Intent; readonly result: ExecutionResult }> {
  if (intent.txs.length === 0) throw nothingSigned(intent)
  let entry: Entry = { intent, at: intent.txs.length - 1 }
  let outcome: TxOutcome = { kind: 'settled' }
  for (const [at, tx] of intent.txs.entries()) {
    if (isFinal(tx)) continue
    entry = { ...entry, at }
    outcome = await track(session, session.waiting, entry)
    // A refusal ends the first attempt at once; the second one waits for the proof.
    const isRefused = outcome.kind === 'unknown' && txOf(entry).state === 'refused'
    if (isRefused && session.waiting.wait === 'included' && tx.state !== 'refused')
      outcome = await track(session, session.waiting, entry)
  }
  if (!isOpen(entry.intent)) entry.intent = (await refresh(session, entry.intent)).intent
  entry = { ...entry, at: intent.txs.length - 1 }
  return { intent: entry.intent, result: resultOf(entry, outcome) }
}

/** A key of `--once`, and the request under it. */
export type KeyedRequest = Pick<SigningTerms, 'request'> & {
  readonly once: string
  readonly isOrder: boolean
}

/**
 * The result of an earlier execution under the same key.
 *
 * @throws SwapError INVALID_REQUEST if the key was used for another request
 */
export async function startedUnder(
  session: LockedSession,
  keyed: KeyedRequest,
  owner: Owner,
): Promise<ExecutionResult | undefined> {
  for (const intent of session.journal.once(owner, keyed.once)) {
    if (!intent.txs.every(hasNoEffect)) requireSameRequest(keyed, intent)
    const result = await replay(session, intent)
    if (result !== undefined) return result
  }
  return undefined
}

/**
 * The result of an earlier execution under the same key, or of the same quote.
 *
 * @throws SwapError INVALID_REQUEST if the key was used for another request
 */
export async function startedBefore(
  session: LockedSession,
  task: Task,
  owner: Owner,
): Promise<ExecutionResult | undefined> {
  const { journal } = session
  const { once, request } = task.terms
  const keyed = once === null ? undefined : { once, request, isOrder: 'plan' in task }
  const result = keyed && (await startedUnder(session, keyed, owner))
  if (result !== undefined) return result
  if (!('requested' in task) || task.terms.again) return undefined
  const { isExternal, quoteId } = task.requested
  if (!isExternal || quoteId === null) return undefined
  for (const intent of journal.ofQuote(quoteId, owner)) {
    if (!isSameTrade(intent, task.requested)) continue
    // Printed bytes are not awaited here: `settleOpen` refuses to sign while they may be executed.
    if (intent.mode === 'handed' && isOpen(intent)) continue
    const result = await replay(session, intent)
    // A failed swap moved nothing: a quote that is still valid may be tried again.
    if (result !== undefined && result.report.status !== 'failed') return result
  }
  return undefined
}

/**
 * Whether an intent has the legs of a document. Its id has 32 bits: whoever makes documents can make another one with
 * the id of an executed one, whose result would be reported for it.
 */
const isSameTrade = ({ legs }: Intent, { legs: requested }: RequestedSwap): boolean =>
  legs.length === requested.length &&
  legs.every(({ funds, output, pairs }, i) => {
    const leg = requested[i]!
    const isSameCoin = funds.denom === leg.funds.denom && funds.amount === `${leg.funds.amount}`
    // Those of a transaction that was sent elsewhere are in the order of its message.
    const arePairs = `${pairs.toSorted()}` === `${leg.pairs.toSorted()}`
    return isSameCoin && output === leg.output && arePairs
  })

/** Refuses a key that was used for another request. Intents of earlier versions tell only swaps from orders. */
function requireSameRequest(keyed: KeyedRequest, { id, once, request, orders }: Intent): void {
  const isSameKind = keyed.isOrder === (orders !== undefined)
  const isSame = request === undefined || request === keyed.request
  if (isSameKind && isSame) return
  throw new SwapError('INVALID_REQUEST', `the key ${once} was used for another request`, {
    why: `under it ${id} executed: ${request ?? (orders === undefined ? 'a swap' : 'orders')}`,
    hint: 'nothing was executed for this one; use a key of its own for each request: --once <key>',
    members: { id, once },
  })
}

/** The result of an intent; `undefined` if it had no effect. */
async function replay(
  session: LockedSession,
  intent: Intent,
): Promise<ExecutionResult | undefined> {
  if (intent.txs.every(hasNoEffect)) return undefined
  const { intent: now, result } = await follow(session, intent)
  if (now.txs.every(hasNoEffect)) return undefined
  return { ...result, report: { ...result.report, replayed: true } }
}

/** Transactions that were only signed or refused are settled, or excluded by sequence, before a new one is signed. */
const hasNoEffect = ({ state }: TxRecord): boolean =>
  state === 'signed' || state === 'refused' || WITHOUT_EFFECT.has(state)

/**
 * Prepares a transaction that excludes an earlier one: with its sequence, and with another timeout height, since equal
 * bytes would be one transaction that two intents report as their own.
 *
 * @param shown a preparation that was shown before, which is used if it fits
 * @throws SwapError BUSY if the earlier one may have been included meanwhile: both would be executed
 */
export async function prepareExcluding(
  session: Session,
  task: Task,
  excluded: Excluded | undefined,
  { shown, left }: { readonly shown?: PreparedTx | undefined; readonly left?: readonly number[] },
): Promise<PreparedTx> {
  let prepared = shown ?? (await prepare(session, task, left))
  let { deadlineBlocks } = task.terms
  while (excluded?.timeoutHeights.includes(Number(prepared.built.decoded.timeoutHeight))) {
    deadlineBlocks -= 1
    const terms = { ...task.terms, deadlineBlocks }
    prepared = await prepare(session, { ...task, terms } as Task, left)
  }
  requireSequence(prepared, excluded)
  return prepared
}

/** @throws SwapError BUSY unless a preparation uses the sequence of the transaction to exclude */
export function requireSequence({ built }: PreparedTx, excluded: Excluded | undefined): void {
  const { sequence } = built.decoded
  if (excluded === undefined || sequence === excluded.sequence) return
  throw perhapsExecuted(excluded, `the account is at ${sequence} by now, and nothing was signed`)
}

/**
 * The result of a transaction that was to exclude an earlier one. If the earlier one was included instead: its result,
 * if it has the same key or quote, otherwise the own result with an error that names the executed one.
 *
 * @param task `undefined` for a resumed intent, whose own key and quote name no earlier one
 * @throws SwapError BUSY if it is uncertain whether the earlier one was executed
 */
export async function inPlaceOf(
  session: LockedSession,
  task: Task | undefined,
  owner: Owner,
  result: ExecutionResult,
): Promise<ExecutionResult> {
  const { error, report } = result
  const last = report.txs.at(-1)
  if (error === undefined || last?.state !== 'replaced') return result
  const { settled, excluded } = await settleOpen(session, owner)
  if (excluded !== undefined)
    throw perhapsExecuted(excluded, 'another transaction of the account has used it')
  const earlier = task && (await startedBefore(session, task, owner))
  if (earlier !== undefined) return earlier
  const done = settled
    .flatMap(({ txs }) => txs)
    .find((tx) => isDone(tx) && tx.sequence === last.sequence)
  if (done === undefined) return result
  const instead = new SwapError(
    error.code,
    'an earlier transaction of this account was executed in place of this one',
    {
      why: `every node had refused ${done.hash}, and it is in block ${done.height} all the same`,
      hint: `look at it: swap tx show ${done.hash}; run the command again only to execute this one as well`,
      members: error.members,
    },
  )
  return { ...result, error: instead }
}

const perhapsExecuted = ({ id, hash, sequence }: Excluded, why: string): SwapError =>
  new SwapError('BUSY', 'an earlier transaction of this account may have been executed', {
    why: `${hash} has sequence ${sequence}; ${why}`,
    hint: `find out: swap tx wait ${hash}; then run the command again if this one is still wanted`,
    members: { id, tx_hash: hash },
  })
