import { reasonOf } from '../../chain/tx/refusal.js'
import { type Json, SwapError } from '../../engine/errors.js'
import { exitStatusOf } from '../../operations/problem.js'
import { EVIDENCE_WORDS, meaningOf, refusedBy } from '../failures.js'
import { Interrupted } from '../interrupted.js'
import {
  type Entry,
  type Intent,
  isDone,
  isFinal,
  legsLeft,
  type TxRecord,
} from '../journal/intent.js'
import type { OrderReport, SwapReport } from './report-schema.js'
import { orderReportOf, swapReportOf } from './reports.js'
import type { TxOutcome } from './track.js'

export type Report = SwapReport | OrderReport

/** The report of an intent. It is derived from the records alone, so it is never stale. */
export const reportOf = (intent: Intent): Report =>
  intent.orders === undefined ? swapReportOf(intent) : orderReportOf(intent, intent.orders)

/** The report of an intent, and the error that ends the command, if there is one. */
export type ExecutionResult<R extends Report = Report> = {
  readonly report: R
  readonly error: SwapError | undefined
  /** Why the journal is incomplete; `undefined` if it is complete. */
  readonly unwritten: Error | undefined
}

type Members = { readonly [name: string]: Json }

/**
 * The result of an intent, from its records alone.
 *
 * @param outcome the outcome of the entry's transaction
 */
export function resultOf({ intent, at, unwritten }: Entry, outcome: TxOutcome): ExecutionResult {
  const report = reportOf(intent)
  const tx = intent.txs[at]!
  const members = membersOf(report, tx.timeout_height)
  const own =
    outcome.kind === 'unknown' ? unknown(tx, outcome.why, members) : failureOf(intent, tx, members)
  const broken = own === undefined ? belowMinimum(report, members) : undefined
  const isStopped = isFinal(tx) && legsLeft(intent).length > 0
  const isPartial = own === undefined ? !broken && isStopped : report.status === 'partial'
  const error = isPartial ? partial(intent, tx.hash, members, own) : (own ?? broken)
  return { report, error, unwritten }
}

/**
 * The result of an intent whose next leg could not be signed or sent.
 *
 * @throws the cause, if no leg was executed
 */
export function stoppedBy(intent: Intent, cause: Error): ExecutionResult {
  if (!intent.txs.some(isDone)) throw cause
  const report = reportOf(intent)
  const last = intent.txs.at(-1)!
  const error = partial(intent, last.hash, membersOf(report, last.timeout_height), causeOf(cause))
  return { report, error, unwritten: undefined }
}

/** @throws defects of this program */
function causeOf(cause: Error): SwapError {
  if (cause instanceof SwapError) return cause
  if (cause instanceof Interrupted)
    return new SwapError('DECLINED', 'you stopped it before the next leg was sent')
  throw cause
}

/** @param own `undefined` if nothing failed: the process ended between two legs */
function partial(
  { id, orders }: Intent,
  hash: string,
  members: Members,
  own: SwapError | undefined,
): SwapError {
  const parts = orders === undefined ? 'legs' : 'orders'
  const isOfKey = own !== undefined && exitStatusOf(own.code) === exitStatusOf('KEYFILE_NOT_FOUND')
  const first = (isOfKey && own.hint) || `check the remaining ${parts}`
  return new SwapError(
    'PARTIALLY_EXECUTED',
    own === undefined
      ? `some of the ${parts} were executed, and the others never begun`
      : `some of the ${parts} were executed, and then it stopped`,
    {
      why:
        own === undefined
          ? 'it was stopped between them'
          : `${own.message}${own.why === undefined ? '' : `; ${own.why}`}`,
      hint: `${first}; then continue: swap tx resume ${id}`,
      members: { ...members, tx_hash: hash, cause: own?.code ?? null },
    },
  )
}

/** The error of a transaction whose outcome is not certain. */
function unknown(tx: TxRecord, why: string, members: Members): SwapError {
  const { hash, state, code, codespace } = tx
  const common = { ...members, tx_hash: hash, funds: 'unknown' }
  if (state !== 'refused')
    return new SwapError(
      'OUTCOME_UNKNOWN',
      'sent, or perhaps sent, and not certain: do NOT send it again',
      { why, hint: `wait, then ask: swap tx wait ${hash}`, members: common },
    )
  const reason = reasonOf({ code: code ?? 0, codespace: codespace ?? '', log: tx.log ?? '' })
  const { code: cause, message, hint } = meaningOf(reason)
  return new SwapError('OUTCOME_UNKNOWN', `${message}: refused, which is not proof yet`, {
    why,
    hint: `wait for the proof: swap tx wait ${hash}; then ${hint}`,
    members: { ...common, cause, codespace, chain_code: code },
  })
}

/** The error of a transaction whose state is final; `undefined` for a successful one. */
function failureOf({ mode }: Intent, tx: TxRecord, members: Members): SwapError | undefined {
  const { hash, height, state, code, codespace, log, evidence } = tx
  const words = log ?? ''
  const refusal = { code: code ?? 0, codespace: codespace ?? '', log: words }
  const why = evidence === undefined ? words : `${words} (${EVIDENCE_WORDS[evidence]})`
  const untouched = {
    ...members,
    tx_hash: hash,
    codespace: null,
    chain_code: null,
    funds: 'untouched',
  }
  if (state === 'included' && code === 0) return undefined
  // A refused one may also be proven to be in no block.
  const wasRefused = (state === 'expired' || state === 'abandoned') && code !== null
  if (state === 'included' || wasRefused) {
    const holder = wasRefused ? undefined : (height ?? 0)
    const refused = { ...refusal, reason: reasonOf(refusal), hash, height: holder, evidence }
    return refusedBy(refused, members)
  }
  // The command that sent bytes would send the same ones.
  const again = mode === 'bytes' ? 'sign a new one' : 'run the command again'
  if (state === 'expired')
    return new SwapError('TX_FAILED', 'the transaction was in no block, and never will be', {
      why: `its timeout height has passed, and ${why}`,
      hint: `nothing was sold: ${again}`,
      members: untouched,
    })
  if (state === 'replaced')
    return new SwapError('TX_FAILED', 'another transaction of this account took its place', {
      why,
      hint: `nothing was sold: ${again}, and let nothing else sign meanwhile`,
      members: untouched,
    })
  if (state === 'abandoned')
    return new SwapError('UPSTREAM_ERROR', 'it was given up, and nothing was sent', {
      why,
      hint: 'run the command again, or name another node: --rpc',
      members: { ...members, tx_hash: hash, upstream: null, funds: 'untouched' },
    })
  return undefined
}

/**
 * The error if a contract paid less than the minimum of a leg, which shows that it is broken or malicious, unless the
 * balances contradict the events: those are the claim of a node.
 */
function belowMinimum(report: Report, members: Members): SwapError | undefined {
  if (!('legs' in report)) return undefined
  const { legs, amount_out, to, verified } = report
  const at = legs.findIndex(
    ({ received, min_return }) => received !== null && BigInt(received) < BigInt(min_return),
  )
  if (at < 0) return undefined
  const { received, min_return, output, tx_hash } = legs[at]!
  const [message, hint] =
    verified?.balances === false
      ? [
          'the swap was executed, and a node reports events that contradict the balances',
          `do not repeat it; read the balances from another node: swap balances ${to} --rpc <url>`,
        ]
      : [
          'the swap was executed, and paid less than promised',
          'do not trade through this router any more, and report it',
        ]
  return new SwapError('BELOW_MINIMUM', message, {
    why: `leg ${at + 1} demanded ${min_return} of ${output}, and ${received} came (atomics)`,
    hint,
    members: {
      ...members,
      tx_hash,
      min_return,
      received,
      funds: 'moved',
      amount_out: amount_out as Json,
    },
  })
}

const membersOf = (report: Report, timeoutHeight: number): Members => ({
  id: report.id,
  state: report.status,
  evidence: report.evidence,
  timeout_height: timeoutHeight,
  ...('legs' in report
    ? {
        legs: report.legs as unknown as Json,
        left_behind: report.left_behind as unknown as Json,
      }
    : { orders: report.orders as unknown as Json }),
})
