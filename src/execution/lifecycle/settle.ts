import type { Evidence, IncludedTx } from '../../chain/tx/outcome.js'
import { errorCode, SwapError } from '../../engine/errors.js'
import { coinFrom } from '../../operations/document-parts.js'
import {
  type Entry,
  type FillRecord,
  type Intent,
  isFinal,
  isOpen,
  type Owner,
  type TxRecord,
  txOf,
} from '../journal/intent.js'
import { type Session, underLock } from '../session.js'
import { verify, verifyOrders } from '../verify.js'
import { type FinalStatus, poll, unlessNodesFail } from './poll.js'

type SettleContext = Pick<Session, 'chain' | 'journal' | 'progress'>

/**
 * Updates the record of a transaction, in the journal first. Once the journal has it as sent, a failed write does not
 * end tracking: the next process reads the outcome from the chain again.
 *
 * @throws SwapError NOT_READY if the write fails before that: only what the journal has as sent is sent
 */
export function recordChange(
  { journal }: Pick<Session, 'journal'>,
  entry: Entry,
  change: Partial<TxRecord>,
): void {
  const txs = entry.intent.txs.map((tx, i) => (i === entry.at ? { ...tx, ...change } : tx))
  const intent = { ...entry.intent, txs }
  try {
    journal.put(intent)
    entry.unwritten = undefined
  } catch (error) {
    const isSentOnDisk = txOf(entry).state !== 'signed' || entry.unwritten !== undefined
    if (!isSentOnDisk || !(error instanceof SwapError)) throw error
    entry.unwritten = error
  }
  entry.intent = intent
}

/** Records a final status: the state of the transaction and the coins moved, in one write. */
export async function settle(
  session: SettleContext,
  entry: Entry,
  status: FinalStatus,
): Promise<void> {
  const { hash, code, log } = txOf(entry)
  const { evidence } = status
  if (status.kind === 'included') {
    session.progress({ stage: 'included', hash, height: status.included.height })
    await settleIncluded(session, entry, status.included, evidence)
    return
  }
  const proof =
    status.kind === 'replaced'
      ? `${status.hash} used its sequence in block ${status.height}`
      : status.why
  // The log keeps the node's refusal as the reason, followed by the proof.
  const words = code === null || log === null ? proof : `${log}; ${proof}`
  recordChange(session, entry, { state: status.kind, log: words, evidence })
}

async function settleIncluded(
  session: SettleContext,
  entry: Entry,
  included: IncludedTx,
  evidence: Evidence,
): Promise<void> {
  const fill = await fillOfTx(session.chain, entry, included)
  const { height, code, codespace, log } = included
  recordChange(session, entry, {
    state: 'included',
    height,
    code,
    codespace,
    log,
    evidence,
    fill,
  })
  if (code === 0) session.progress({ stage: 'verified', hash: txOf(entry).hash })
}

/** The coins that an included transaction moved. */
function fillOfTx(
  chain: Session['chain'],
  entry: Entry,
  included: IncludedTx,
): Promise<FillRecord> {
  const { address, recipient, contract, legs, orders } = entry.intent
  const places = txOf(entry).legs
  if (orders !== undefined)
    return verifyOrders(
      chain,
      included,
      address,
      places.map((i) => orders[i]!.funds.map(coinFrom)),
    )
  const messages = places.map((i) => {
    const { funds, output } = legs[i]!
    return { funds: coinFrom(funds), output }
  })
  return verify(chain, included, { address, recipient, contract, messages })
}

/** An intent whose open transactions were polled once; `why` is set if one is still open. */
export type PolledIntent = { readonly intent: Intent; readonly why: string | undefined }

/** Polls every open transaction of an intent once, and settles those with a certain outcome. Sends nothing. */
export async function refresh(
  session: SettleContext,
  intent: Intent,
  pollTx = poll,
): Promise<PolledIntent> {
  let now = intent
  let why: string | undefined
  for (const at of intent.txs.keys()) {
    const entry: Entry = { intent: now, at }
    why = (await refreshTx(session, entry, pollTx)) ?? why
    now = entry.intent
  }
  return { intent: now, why }
}

/**
 * Settles the transactions of an intent as far as possible without waiting or sending. Returns the intent unchanged,
 * with the reason in `why`, if another process locks the account or no node answers.
 */
export async function refreshIfFree(session: Session, intent: Intent): Promise<PolledIntent> {
  const owner = { chainId: intent.chain_id, address: intent.address }
  try {
    return await underLock(session, owner, (locked) =>
      refresh(locked, locked.journal.find(intent.id) ?? intent),
    )
  } catch (error) {
    const code = errorCode(error) ?? ''
    const isPassing = code === 'BUSY' || code === 'NOT_READY' || code.startsWith('UPSTREAM_')
    if (!isPassing || !(error instanceof Error)) throw error
    return { intent, why: isOpen(intent) ? error.message : undefined }
  }
}

/** @returns why the transaction is still open */
async function refreshTx(
  session: SettleContext,
  entry: Entry,
  pollTx: typeof poll,
): Promise<string | undefined> {
  const tx = txOf(entry)
  if (isFinal(tx)) {
    await completeFill(session, entry, tx)
    return undefined
  }
  // `sent` is recorded before the first byte is sent, so no node has these bytes.
  if (tx.state === 'signed') {
    recordChange(session, entry, {
      state: 'abandoned',
      log: 'the process ended before it was sent',
    })
    return undefined
  }
  const status = await pollTx(session.chain, tx, entry.intent.address)
  if (status.kind === 'open' || status.kind === 'disputed') return status.why
  await settle(session, entry, status)
  return undefined
}

/** Computes the fill of an included transaction that an earlier version recorded without it. */
async function completeFill(session: SettleContext, entry: Entry, tx: TxRecord): Promise<void> {
  const { state, height, hash, fill } = tx
  if (state !== 'included' || height === null || fill !== undefined) return
  const seen = await unlessNodesFail(() => session.chain.inspect(hash, height))
  if (seen?.kind === 'included')
    await settleIncluded(session, entry, seen.included, tx.evidence ?? seen.evidence)
}

/** A transaction that every node refused; the next one excludes it by using its sequence. */
export type Excluded = {
  readonly id: string
  readonly hash: string
  readonly sequence: bigint
  /** The timeout heights of all such transactions. */
  readonly timeoutHeights: readonly number[]
}

/** Polls until a transaction of the newest block is confirmed by the header of the next one. */
export const pollConfirmed =
  ({ clock, interrupt, pollIntervalMs, stallMs }: Session): typeof poll =>
  async (...call) => {
    const until = clock.now() + stallMs
    for (;;) {
      const status = await poll(...call)
      const isAwaited = status.kind === 'open' && status.isProvisional === true
      if (!isAwaited || clock.now() >= until || interrupt.aborted) return status
      await clock.sleep(pollIntervalMs, interrupt)
    }
  }

/**
 * Settles everything signed for an account earlier, without sending anything. A new transaction may
 * be signed only when none of it can still be executed in addition.
 *
 * @returns the intents, and the transaction whose sequence the next one must use, if there is one
 * @throws SwapError BUSY, if an earlier transaction may still be executed
 */
export async function settleOpen(
  session: Session,
  owner: Owner,
): Promise<{ readonly settled: readonly Intent[]; readonly excluded: Excluded | undefined }> {
  const settled: Intent[] = []
  let excluded: Excluded | undefined
  for (const open of session.journal.open(owner)) {
    const { intent, why } = await refresh(session, open, pollConfirmed(session))
    settled.push(intent)
    for (const tx of intent.txs.filter((each) => !isFinal(each))) {
      if (!(await isExcludedBySequence(session, intent.address, tx)))
        throw stillOpen(intent, tx, why)
      const timeoutHeights = [...(excluded?.timeoutHeights ?? []), tx.timeout_height]
      const { hash, sequence } = tx
      excluded = { id: intent.id, hash, sequence: BigInt(sequence), timeoutHeights }
    }
  }
  return { settled, excluded }
}

/** The error of an intent without a transaction. */
export const nothingSigned = ({ id }: Pick<Intent, 'id'>): SwapError =>
  new SwapError('NOT_FOUND', `nothing was signed for ${id}`, {
    why: 'it was stopped before that',
    hint: 'run the command again',
    members: { id },
  })

const stillOpen = ({ id }: Intent, tx: TxRecord, why = 'it was not settled'): SwapError =>
  new SwapError('BUSY', 'an earlier transaction of this account may still be executed', {
    why: `${tx.hash}: ${why}`,
    hint: `wait for it: swap tx resume ${id}`,
    members: { id, tx_hash: tx.hash, timeout_height: tx.timeout_height },
  })

/**
 * Whether a new transaction excludes one that every node has refused: with the same sequence, at most
 * one of both can be executed.
 */
async function isExcludedBySequence(
  { chain }: Session,
  address: string,
  tx: TxRecord,
): Promise<boolean> {
  if (tx.state !== 'refused') return false
  const accountStates = await chain.accountStates(address)
  return (
    accountStates.length > 0 &&
    accountStates.every(({ sequence }) => sequence === BigInt(tx.sequence))
  )
}
