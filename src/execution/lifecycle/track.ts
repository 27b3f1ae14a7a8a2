import { fromBase64 } from '@cosmjs/encoding'
import type { BroadcastResult } from '../../chain/tx/outcome.js'
import { sequencesIn } from '../../chain/tx/refusal.js'
import { SwapError } from '../../engine/errors.js'
import { throwIfInterrupted } from '../interrupted.js'
import { type Entry, isFinal, legsLeft, type TxRecord, txOf } from '../journal/intent.js'
import type { LockedSession } from '../session.js'
import type { SigningTerms } from '../task.js'
import { hasTimeout, poll, type TxStatus, unlessNodesFail } from './poll.js'
import { recordChange, settle } from './settle.js'

/** How long to wait for a transaction. */
export type Waiting = Pick<SigningTerms, 'wait' | 'waitMs'>

/** The same, from when the tracking of a transaction began. */
type BegunWaiting = Waiting & { readonly begun: number }

/** The members of a session that tracking needs. */
export type Tracking = Omit<LockedSession, 'lock' | 'ledger' | 'confirm' | 'waiting'>

/** How tracking a transaction ended. */
export type TxOutcome =
  /** Its state is final. */
  | { readonly kind: 'settled' }
  /** A node took it, and the caller does not wait. */
  | { readonly kind: 'accepted' }
  | { readonly kind: 'unknown'; readonly why: string }

/** Delays before the same bytes are resent, in milliseconds. */
const RETRY_DELAYS_MS = [250, 500, 1_000, 2_000, 4_000] as const

/** Maximum number of attempts to send bytes that no node has accepted. */
const MAX_ATTEMPTS = 5

/** Blocks without the transaction after which the same bytes are resent, since mempools drop transactions. */
const RESEND_AFTER_BLOCKS = 4

const bytesOf = ({ bytes }: TxRecord): Uint8Array => fromBase64(bytes)

/**
 * Sends a signed transaction and waits until its outcome is certain. For a transaction of
 * another process it continues with the same bytes; nothing is signed here.
 *
 * @throws Interrupted if the user stopped it before anything was sent; SwapError NOT_READY, as `recordSent`
 */
export async function track(session: Tracking, terms: Waiting, entry: Entry): Promise<TxOutcome> {
  const before = txOf(entry)
  if (isFinal(before)) return { kind: 'settled' }
  const waiting = { ...terms, begun: session.clock.now() }
  let seen: TxStatus | undefined
  if (before.state !== 'signed') {
    seen = await statusOf(session, entry)
    const ended = await endOf(session, entry, seen)
    if (ended !== undefined) return ended
  }
  const mayBeSent = before.state !== 'refused' && isOursToSend(entry)
  if (mayBeSent && before.state === 'signed') throwIfInterrupted(session, entry.intent.id)
  if (mayBeSent && (before.state === 'signed' || maySendAgain(session, waiting))) {
    const ended = await send(session, waiting, entry)
    if (ended !== undefined) return ended
    seen = undefined
  }
  const { state, log } = txOf(entry)
  const isAwaited = state === 'accepted' && hasLegsAfter(entry)
  if (waiting.wait === 'included' || isAwaited) return wait(session, waiting, entry, seen)
  return state === 'accepted'
    ? { kind: 'accepted' }
    : { kind: 'unknown', why: log ?? 'no node has confirmed that it accepted it' }
}

/** Not after ctrl-c or the time to wait, nor once another process may have the account: it follows the same bytes. */
const maySendAgain = (
  { clock, interrupt, isHeld }: Tracking,
  { begun, waitMs = Number.POSITIVE_INFINITY }: BegunWaiting,
): boolean => !interrupt.aborted && clock.now() - begun < waitMs && isHeld()

/** Printed bytes are only tracked, never sent. */
const isOursToSend = ({ intent }: Entry): boolean => intent.mode !== 'handed'

/** Whether legs are left for later transactions: none is begun before the one before it was executed. */
const hasLegsAfter = (entry: Entry): boolean =>
  legsLeft(entry.intent).some((leg) => !txOf(entry).legs.includes(leg))

/** Polls once. */
const statusOf = async ({ chain }: Tracking, entry: Entry): Promise<TxStatus> =>
  (await unlessNodesFail(() => poll(chain, txOf(entry), entry.intent.address))) ?? {
    kind: 'open',
    why: 'no node answers',
    height: 0,
    isLate: false,
  }

/** @returns the outcome, if it is certain or disputed */
async function endOf(
  session: Tracking,
  entry: Entry,
  status: TxStatus,
): Promise<TxOutcome | undefined> {
  if (status.kind === 'open') return undefined
  if (status.kind === 'disputed') return unknown(session, entry, status.why)
  await settle(session, entry, status)
  return { kind: 'settled' }
}

/** @returns the outcome, if it is certain already or every node refuses */
async function send(
  session: Tracking,
  waiting: BegunWaiting,
  entry: Entry,
): Promise<TxOutcome | undefined> {
  const { chain, clock, interrupt, progress } = session
  let isDoubtful = txOf(entry).state !== 'signed'
  let refusal: Extract<BroadcastResult, { kind: 'refused' }> | undefined
  for (let attempts = 1; ; attempts += 1) {
    const wasAccepted = txOf(entry).state === 'accepted'
    // From here on a node may have the bytes, even if this process is killed.
    if (!wasAccepted) recordSent(session, entry)
    const answer = await chain.broadcast(bytesOf(txOf(entry)))
    if (answer.kind === 'refused') refusal = answer
    // A node that refused the bytes had them, even if none can be reached by now.
    const sent = answer.kind === 'unsent' ? (refusal ?? answer) : answer
    if (sent.kind === 'accepted' || wasAccepted) {
      recordChange(session, entry, { state: 'accepted', log: null })
      if (sent.kind === 'accepted')
        progress({ stage: 'accepted', hash: txOf(entry).hash, by: sent.by })
      return undefined
    }
    isDoubtful ||= sent.kind === 'unknown'
    // A refused memo, unlike a refused sequence, proves that the transaction is in no block.
    if (sent.kind === 'refused' && sent.reason === 'memo') isDoubtful = false
    recordChange(session, entry, afterAttempt(sent, isDoubtful))
    const mayRepeat = sent.kind !== 'refused' || (!isDoubtful && mayBeAcceptedLater(sent))
    if (mayRepeat && attempts < MAX_ATTEMPTS && maySendAgain(session, waiting)) {
      progress({ stage: 'again', hash: txOf(entry).hash, why: wordsOf(sent) })
      await clock.sleep(RETRY_DELAYS_MS[Math.min(attempts, RETRY_DELAYS_MS.length) - 1]!, interrupt)
      if (maySendAgain(session, waiting)) continue
    }
    if (isDoubtful) return undefined
    return sent.kind === 'refused' ? outcomeOfRefused(session, entry) : abandon(session, entry)
  }
}

/** @throws SwapError NOT_READY if the journal cannot be written: the bytes stay signed and unsent */
function recordSent(session: Tracking, entry: Entry): void {
  try {
    recordChange(session, entry, { state: 'sent', code: null, codespace: null })
  } catch (error) {
    throw unsent(session, entry, error)
  }
}

/**
 * The error of a transaction that was signed, and whose change the journal refused before it was sent. A write may take
 * effect although it fails, where only the flush of the folder does: the entry is read again.
 *
 * @returns the cause, if it is a defect or the journal has no such transaction
 */
export function unsent(
  { journal }: Pick<Tracking, 'journal'>,
  entry: Entry,
  cause: unknown,
): unknown {
  const { id } = entry.intent
  const { hash: tx_hash, timeout_height } = txOf(entry)
  const state = journal.find(id)?.txs.find(({ hash }) => hash === tx_hash)?.state
  if (!(cause instanceof SwapError) || state === undefined) return cause
  const first =
    cause.code === 'NOT_READY' ? 'free some space or make the folder writable; then ' : ''
  const hint =
    state === 'signed'
      ? `run the command again, which gives ${tx_hash} up, or send it after all: swap tx resume ${id}`
      : `see what the journal has of it, and send it if that is open: swap tx resume ${id}; a new one may have to wait for block ${timeout_height}`
  return new SwapError(cause.code, `${cause.message}, so what was signed was not sent`, {
    why: cause.why ?? '',
    hint: `${first}${hint}`,
    members: { ...cause.members, id, tx_hash, timeout_height, funds: 'untouched' },
  })
}

/**
 * Gives up bytes that no node has. Where the journal cannot be written it still has them as sent, and a later process
 * may send them: then the outcome is unknown.
 */
function abandon(session: Tracking, entry: Entry): TxOutcome {
  const { state } = txOf(entry)
  recordChange(session, entry, { state: 'abandoned' })
  if (entry.unwritten === undefined) return { kind: 'settled' }
  const why = `${txOf(entry).log ?? ''}; the journal could not be written, so swap tx resume may still send it`
  recordChange(session, entry, { state: state === 'refused' ? state : 'sent' })
  return { kind: 'unknown', why }
}

/** Whether the same bytes may be accepted soon: the mempool is full, or the node is behind the one with the account state. */
function mayBeAcceptedLater({
  reason,
  log,
}: Extract<BroadcastResult, { kind: 'refused' }>): boolean {
  const named = reason === 'sequence' ? sequencesIn(log) : undefined
  return reason === 'busy' || (named !== undefined && named.expected < named.got)
}

/**
 * The record after an attempt that was not accepted. Once a node may have the bytes, a refusal proves nothing: nodes
 * refuse the sequence of bytes that they already have in the mempool or in a block.
 */
function afterAttempt(
  sent: Exclude<BroadcastResult, { kind: 'accepted' }>,
  isDoubtful: boolean,
): Partial<TxRecord> {
  const log = wordsOf(sent)
  if (isDoubtful) return { state: 'sent', log }
  if (sent.kind !== 'refused') return { state: 'signed', log }
  return { state: 'refused', code: sent.code, codespace: sent.codespace, log }
}

const wordsOf = (sent: { readonly why?: string; readonly log?: string }): string =>
  sent.why ?? sent.log ?? ''

/**
 * Every node refused. That does not prove that none has the bytes, except for a node that this program runs itself.
 */
async function outcomeOfRefused(session: Tracking, entry: Entry): Promise<TxOutcome> {
  const { chain } = session
  const tx = txOf(entry)
  const status = await unlessNodesFail(() => poll(chain, tx, entry.intent.address))
  const proven = status && (await endOf(session, entry, status))
  if (proven !== undefined) return proven
  if (chain.isOwn) return abandon(session, entry)
  const open = status?.kind === 'open' ? status : undefined
  const now = open ? ` as of block ${open.height}` : ' that is known'
  const until = hasTimeout(tx) ? `may be until block ${tx.timeout_height}` : 'may be at any time'
  const unproven = `it is in no block${now}, and ${open?.isLate ? open.why : until}`
  const why = `${tx.log || 'no reason is given'}; ${open?.isShown ? open.why : unproven}`
  return { kind: 'unknown', why }
}

/** @param seen the status of a poll that was just made */
async function wait(
  session: Tracking,
  { begun, ...waiting }: BegunWaiting,
  entry: Entry,
  seen: TxStatus | undefined,
): Promise<TxOutcome> {
  const { chain, clock, interrupt, isHeld, pollIntervalMs, progress } = session
  let highest = 0
  let moved = clock.now()
  let sentAt = 0
  let late = Number.POSITIVE_INFINITY
  for (let status = seen ?? (await statusOf(session, entry)); ; ) {
    const tx = txOf(entry)
    if (status.kind !== 'open') return (await endOf(session, entry, status))!
    const now = clock.now()
    if (status.height > highest) {
      highest = status.height
      moved = now
      if (sentAt === 0) sentAt = highest
      progress({ stage: 'waiting', hash: tx.hash, height: highest, until: tx.timeout_height })
    }
    if (status.isLate) late = Math.min(late, now)
    const over = reasonToStop({ ...session, ...waiting }, tx, {
      waited: now - begun,
      quiet: now - moved,
      late: now - late,
    })
    if (over !== undefined || interrupt.aborted) {
      const { why } = status
      return unknown(session, entry, over === undefined ? why : `${over}; ${why}`)
    }
    if (highest >= sentAt + RESEND_AFTER_BLOCKS && tx.state !== 'refused' && isOursToSend(entry)) {
      sentAt = highest
      if (isHeld()) await chain.broadcast(bytesOf(tx))
    }
    await clock.sleep(pollIntervalMs, interrupt)
    status = await statusOf(session, entry)
  }
}

/** Milliseconds since tracking began, since the last new block, and since the timeout height passed. */
type Elapsed = { readonly waited: number; readonly quiet: number; readonly late: number }

/** The reason to stop waiting; `undefined` to continue. */
function reasonToStop(
  { waitMs, stallMs }: Pick<Waiting, 'waitMs'> & Pick<Tracking, 'stallMs'>,
  tx: TxRecord,
  { waited, quiet, late }: Elapsed,
): string | undefined {
  if (waitMs !== undefined && waited >= waitMs) return `it was waited for ${waitMs / 1_000} s`
  if (late >= stallMs)
    return 'its timeout height has passed, and these nodes do not have the blocks up to it; try one that keeps older blocks: --rpc'
  if (quiet >= stallMs) return `no node has shown a new block for ${Math.round(stallMs / 1000)} s`
  return !hasTimeout(tx) && waited >= stallMs ? 'it has no timeout height' : undefined
}

function unknown(session: Tracking, entry: Entry, why: string): TxOutcome {
  if (txOf(entry).state === 'sent') recordChange(session, entry, { log: why })
  return { kind: 'unknown', why }
}
