import type { Included } from '../../chain/tx/outcome.js'
import { type Json, SwapError } from '../../engine/errors.js'
import { refusedBy } from '../failures.js'
import { type Intent, isOpen, legsLeft, type TxRecord } from '../journal/intent.js'
import type { Chain } from '../ports.js'
import { Interrupted, type Session } from '../session.js'
import { verify } from '../verify.js'
import type { Driven, Entry } from './drive.js'
import { tried, wantedOf } from './look.js'
import { type Executed, type Report, reportOf, type Status } from './report.js'

/** What has come of an intent: its report, and the error that ends the command where there is one. */
export type Conclusion = {
  readonly report: Report
  readonly error: SwapError | undefined
  /** Why the journal does not hold all of it. */
  readonly unwritten: Error | undefined
}

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
  session: Session,
  entry: Entry,
  driven: Driven,
): Promise<Conclusion> {
  const { chain, progress } = session
  const executed = await executedOf(chain, entry.intent, driven)
  for (const { hash } of executed) progress({ stage: 'verified', hash })
  const status = statusOf(entry, driven)
  const report: Report = { ...reportOf(entry.intent, status, executed), replayed: false }
  entry.intent = { ...entry.intent, report }
  const unwritten = kept(session, entry.intent) ?? entry.unwritten
  return { report, error: errorOf(entry, driven, report), unwritten }
}

/**
 * Tells how an intent ended whose report was given before: as it was told then, without asking any
 * node; nothing where it was not told to the end.
 */
export function remembered(intent: Intent, driven: Driven): Conclusion | undefined {
  const report = intent.report as Report | null
  const entry: Entry = { intent, at: intent.txs.length - 1 }
  // What was told while something was open, or could not be looked up, is told anew.
  if (report === null || isOpen(intent) || report.status !== statusOf(entry, driven))
    return undefined
  if (report.verified === null && intent.txs.some(isDone)) return undefined
  return { report, error: errorOf(entry, driven, report), unwritten: undefined }
}

/** Keeps a report with its intent. @returns why that was not possible: the report is given all the same */
function kept({ journal }: Session, intent: Intent): Error | undefined {
  try {
    journal.put(intent)
    return undefined
  } catch (error) {
    if (error instanceof SwapError) return error
    throw error
  }
}

/**
 * Tells how an intent stands whose next leg could not even be signed.
 *
 * @throws what stopped it, where no leg was executed
 */
export async function concludeStopped(
  session: Session,
  intent: Intent,
  cause: Error,
): Promise<Conclusion> {
  if (!intent.txs.some(isDone)) throw cause
  const executed = await executedOf(session.chain, intent, undefined)
  const report: Report = { ...reportOf(intent, 'partial', executed), replayed: false }
  const unwritten = kept(session, { ...intent, report })
  const last = intent.txs.at(-1)!
  const members = membersOf(report, last.timeout_height)
  return { report, error: partial(intent, causeOf(cause), last.hash, members), unwritten }
}

/** @throws what is a bug of ours */
function causeOf(cause: Error): SwapError {
  if (cause instanceof SwapError) return cause
  if (cause instanceof Interrupted)
    return new SwapError('DECLINED', 'you stopped it before the next leg was signed')
  throw cause
}

const isDone = ({ state, code }: TxRecord): boolean => state === 'included' && code === 0

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

/** Nothing failed: the process ended, or was ended, between two legs. */
const unfinished = (
  { id }: Intent,
  hash: string,
  members: { readonly [name: string]: Json },
): SwapError =>
  new SwapError(
    'PARTIALLY_EXECUTED',
    'some of the legs were executed, and the others never begun',
    {
      why: 'it was stopped between them',
      hint: `look at what is left, then go on: swap execute --resume ${id}`,
      members: { ...members, tx_hash: hash, cause: null },
    },
  )

function statusOf({ intent, at }: Entry, driven: Driven): Status {
  if (driven.kind === 'pending') return 'accepted'
  const isIn = driven.kind === 'included' && driven.included.code === 0
  const some = intent.txs.some((tx, i) => i !== at && isDone(tx))
  if (isIn && legsLeft(intent).length === 0) return 'confirmed'
  if (driven.kind === 'unknown') return 'unknown'
  if (isIn || some) return 'partial'
  return driven.kind === 'included' ? 'failed' : STATUS[driven.kind]
}

/** Every transaction of an intent that did what it should, with what it moved. */
async function executedOf(
  chain: Chain,
  intent: Intent,
  driven: Driven | undefined,
): Promise<readonly Executed[]> {
  const done = intent.txs.filter(isDone)
  const all = await Promise.all(
    done.map(async (tx): Promise<readonly Executed[]> => {
      const { hash, legs } = tx
      const isLast = driven?.kind === 'included' && done.at(-1)?.hash === hash
      const isSeen = isLast && driven.included.movements.length > 0
      const included = isSeen ? driven.included : await tried(() => inItsBlock(chain, tx, intent))
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

/** A transaction in the block that is known to hold it: an index may have lost it. */
async function inItsBlock(
  chain: Chain,
  tx: TxRecord,
  { address }: Intent,
): Promise<Included | undefined> {
  const found = await chain.find(tx.hash)
  if (found !== undefined || tx.height === null) return found
  const scan = await chain.scan(wantedOf(tx, address), tx.height, tx.height)
  return scan.kind === 'found' ? scan.included : undefined
}

function errorOf({ intent, at }: Entry, driven: Driven, report: Report): SwapError | undefined {
  const tx = intent.txs[at]!
  const members = membersOf(report, tx.timeout_height)
  const own = failureOf(driven, tx.hash, members)
  if (own === undefined) {
    const broken = driven.kind === 'included' ? belowMinimum(report, members) : undefined
    return (
      broken ?? (report.status === 'partial' ? unfinished(intent, tx.hash, members) : undefined)
    )
  }
  if (report.status !== 'partial') return own
  return partial(intent, own, tx.hash, members)
}

function failureOf(
  driven: Driven,
  hash: string,
  members: { readonly [name: string]: Json },
): SwapError | undefined {
  const untouched = {
    ...{ ...members, tx_hash: hash },
    ...{ codespace: null, chain_code: null, funds: 'untouched' },
  }
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
        why: `its timeout height has passed, and ${driven.why}`,
        hint: 'nothing was sold: run the command again',
        members: untouched,
      })
    case 'replaced':
      return new SwapError('TX_FAILED', 'another transaction of this account took its place', {
        why: driven.why,
        hint: 'nothing was sold: run the command again, and let nothing else sign meanwhile',
        members: untouched,
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
