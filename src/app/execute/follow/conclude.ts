import { type Json, SwapError } from '../../../errors.js'
import type { Chain, Included } from '../ports.js'
import type { Session } from '../session.js'
import { type Driven, type Entry, tried } from './drive.js'
import { refusedBy } from './failures.js'
import { type Intent, legsLeft } from './intent.js'
import { type Executed, type Report, reportOf, type Status } from './report.js'
import { verify } from './verify.js'

/** What has come of an intent: its report, and the error that ends the command where there is one. */
export type Conclusion = { readonly report: Report; readonly error: SwapError | undefined }

const STATUS: Readonly<Record<Exclude<Driven['kind'], 'included' | 'pending'>, Status>> = {
  expired: 'expired',
  replaced: 'replaced',
  refused: 'refused',
  abandoned: 'abandoned',
  unknown: 'unknown',
}

/**
 * Tells how an intent stands after its last transaction was driven as far as it came. What was
 * executed is looked up anew and verified; the report is kept with the intent.
 */
export async function conclude(
  { chain, journal, progress }: Session,
  entry: Entry,
  driven: Driven,
): Promise<Conclusion> {
  const executed = await executedOf(chain, entry.intent, driven)
  for (const { hash } of executed) progress({ stage: 'verified', hash })
  const status = statusOf(entry, driven)
  const report: Report = { ...reportOf(entry.intent, status, executed), replayed: false }
  entry.intent = { ...entry.intent, report }
  journal.put(entry.intent)
  return { report, error: errorOf(entry, driven, report) }
}

/** Tells how an intent stands whose next leg could not even be signed. */
export async function concludeStopped(
  { chain, journal }: Session,
  intent: Intent,
  cause: Error,
): Promise<Conclusion> {
  const executed = await executedOf(chain, intent, undefined)
  const report: Report = { ...reportOf(intent, 'partial', executed), replayed: false }
  journal.put({ ...intent, report })
  const last = intent.txs.at(-1)!
  const own = cause instanceof SwapError ? cause : new SwapError('INTERNAL', cause.message)
  if (executed.length === 0) throw cause
  return { report, error: partial(intent, own, last.hash, membersOf(report, last.timeout_height)) }
}

const partial = (
  { id }: Intent,
  own: SwapError,
  hash: string,
  members: { readonly [name: string]: Json },
): SwapError =>
  new SwapError('PARTIALLY_EXECUTED', 'some of the legs were executed, and then it stopped', {
    why: `${own.message}${own.why === undefined ? '' : `; ${own.why}`}`,
    hint: `look at what is left, then go on: swap execute --resume ${id}`,
    members: { ...members, tx_hash: hash, cause: own.code },
  })

function statusOf({ intent, at }: Entry, driven: Driven): Status {
  if (driven.kind === 'pending') return 'accepted'
  const isDone = driven.kind === 'included' && driven.included.code === 0
  const some = intent.txs.some((tx, i) => i !== at && tx.state === 'included' && tx.code === 0)
  if (isDone && legsLeft(intent).length === 0) return 'confirmed'
  if (driven.kind === 'unknown') return 'unknown'
  if (isDone || some) return 'partial'
  return driven.kind === 'included' ? 'failed' : STATUS[driven.kind]
}

/** Every transaction of an intent that did what it should, with what it moved. */
async function executedOf(
  chain: Chain,
  intent: Intent,
  driven: Driven | undefined,
): Promise<readonly Executed[]> {
  const done = intent.txs.filter((tx) => tx.state === 'included' && tx.code === 0)
  const all = await Promise.all(
    done.map(async ({ hash, legs }): Promise<readonly Executed[]> => {
      const isLast = driven?.kind === 'included' && done.at(-1)?.hash === hash
      const included: Included | undefined = isLast
        ? driven.included
        : await tried(() => chain.find(hash))
      if (included === undefined) return []
      const { address, recipient, contract } = intent
      const messages = legs.map((i) => {
        const { funds, output } = intent.legs[i]!
        return { funds: { denom: funds.denom, amount: BigInt(funds.amount) }, output }
      })
      const fill = await verify(chain, included, { address, recipient, contract, messages })
      return [{ hash, included, fill, fee: fill.fee }]
    }),
  )
  return all.flat()
}

function errorOf({ intent, at }: Entry, driven: Driven, report: Report): SwapError | undefined {
  const tx = intent.txs[at]!
  const members = membersOf(report, tx.timeout_height)
  const own = failureOf(driven, tx.hash, members)
  if (own === undefined)
    return driven.kind === 'included' ? belowMinimum(report, members) : undefined
  if (report.status !== 'partial') return own
  return partial(intent, own, tx.hash, members)
}

function failureOf(
  driven: Driven,
  hash: string,
  members: { readonly [name: string]: Json },
): SwapError | undefined {
  switch (driven.kind) {
    case 'pending':
      return undefined
    case 'included': {
      const { code, codespace, log, reason, height } = driven.included
      if (code === 0) return undefined
      return refusedBy({ reason, codespace, code, log, hash, height }, members)
    }
    case 'refused':
      return refusedBy({ ...driven.refusal, hash, height: undefined }, members)
    case 'expired':
      return new SwapError('TX_FAILED', 'the transaction was in no block, and never will be', {
        why: `its timeout height has passed, and block ${driven.height} shows its sequence unused`,
        hint: 'nothing was sold: run the command again',
        members: {
          ...members,
          tx_hash: hash,
          codespace: null,
          chain_code: null,
          funds: 'untouched',
        },
      })
    case 'replaced':
      return new SwapError('TX_FAILED', 'another transaction of this account took its place', {
        why: `${driven.hash} used its sequence in block ${driven.height}`,
        hint: 'nothing was sold: run the command again, and let nothing else sign meanwhile',
        members: {
          ...members,
          tx_hash: hash,
          codespace: null,
          chain_code: null,
          funds: 'untouched',
        },
      })
    case 'abandoned':
      return new SwapError('UPSTREAM_ERROR', 'no node could be reached, so nothing was sent', {
        why: driven.why,
        hint: 'run the command again, or name another node: --rpc',
        members: { ...members, tx_hash: hash, upstream: null, funds: 'untouched' },
      })
    case 'unknown':
      return new SwapError(
        'OUTCOME_UNKNOWN',
        'sent, or perhaps sent, and not seen in a block: do NOT send it again',
        {
          why: driven.why,
          hint: `wait, then ask: swap tx wait ${hash}`,
          members: { ...members, tx_hash: hash, funds: 'unknown' },
        },
      )
  }
}

/** A contract that pays less than it was told to has broken its word. */
function belowMinimum(
  { legs, amount_out }: Report,
  members: { readonly [name: string]: Json },
): SwapError | undefined {
  const at = legs.findIndex(
    ({ received, min_return }) => received !== null && BigInt(received) < BigInt(min_return),
  )
  if (at < 0) return undefined
  const { received, min_return, output, tx_hash } = legs[at]!
  return new SwapError('BELOW_MINIMUM', 'the swap was executed, and paid less than promised', {
    why: `leg ${at + 1} demanded ${min_return} of ${output}, and ${received} came (atomics)`,
    hint: 'do not trade through this router any more, and report it',
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

const membersOf = (report: Report, timeoutHeight: number): { readonly [name: string]: Json } => ({
  id: report.id,
  state: report.status,
  timeout_height: timeoutHeight,
  legs: report.legs as unknown as Json,
  left_behind: report.left_behind as unknown as Json,
})
