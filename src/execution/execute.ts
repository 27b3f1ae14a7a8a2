import { sequencesIn } from '../chain/tx/refusal.js'
import { type Intent, isOpen, legsLeft } from './journal/intent.js'
import { type Conclusion, conclude, concludeStopped } from './lifecycle/conclude.js'
import { type Driven, drive, type Entry } from './lifecycle/drive.js'
import { settleOpen } from './lifecycle/open.js'
import { doneBefore, drivingOf, follow } from './lifecycle/replay.js'
import type { Order } from './order.js'
import { intentOf, legRecord, type Prepared, prepare } from './plan/prepare.js'
import type { Session } from './session.js'
import { sign } from './sign.js'

/**
 * Executes what is wanted, once: quotes anew, compares, builds, asks, signs, and follows the
 * transaction until its fate is certain. Whatever happens to this process or to the nodes, the journal
 * knows what was signed, and nothing is signed a second time while the first may still come.
 *
 * @param newId names a new intent
 */
export async function execute(
  session: Session,
  order: Order,
  newId: () => string,
): Promise<Conclusion> {
  const owner = { chainId: session.chain.chainId, address: order.account.address }
  const lock = await session.lock(owner)
  try {
    const told = await doneBefore(session, order, owner)
    if (told !== undefined) return told
    const settled = await settleOpen(session, owner)
    // What no node wanted may have come all the same.
    const found = settled.length > 0 ? await doneBefore(session, order, owner) : undefined
    if (found !== undefined) return found
    return order.terms.mode === 'batch'
      ? await executeBatch(session, order, newId())
      : await executeLegs(session, order, undefined, newId())
  } finally {
    lock.release()
  }
}

/**
 * Goes on with an intent that was begun before: follows what is under way, with the same bytes, and
 * executes the legs that are left of one that was stopped.
 *
 * @param order of the legs that are left; `undefined` where nothing may be signed
 */
export async function resume(
  session: Session,
  intent: Intent,
  order?: (intent: Intent) => Promise<Order>,
): Promise<Conclusion> {
  const owner = { chainId: intent.chain_id, address: intent.address }
  const lock = await session.lock(owner)
  try {
    // Another process may have gone on with it meanwhile, or begun with the same bytes.
    const last = intent.txs.at(-1)?.hash ?? intent.id
    const known = session.journal.find(intent.id) ?? session.journal.find(last)
    const now = known === undefined ? intent : { ...known, mode: intent.mode }
    const settled = await follow(session, now)
    const isStopped = now.mode === 'legs' && legsLeft(settled.entry.intent).length > 0
    const isSettled = !isOpen(settled.entry.intent)
    if (!isStopped || !isSettled || order === undefined) return settled.conclusion
    await settleOpen(session, owner)
    const rest = await order(settled.entry.intent)
    return await executeLegs(session, rest, settled.entry.intent, intent.id)
  } finally {
    lock.release()
  }
}

/** One transaction with a message for each leg: all of it or nothing. */
async function executeBatch(session: Session, order: Order, id: string): Promise<Conclusion> {
  let intent: Intent | undefined
  for (let attempt = 1; ; attempt += 1) {
    const prepared = await prepare(session, order)
    await session.confirm(prepared.view)
    session.progress({ stage: 'confirmed_by_user' })
    intent = begun(session, order, prepared, intent, id)
    const entry = await sign(session, order, prepared, intent, prepared.built.legs)
    const driven = await drive(drivingOf(session, order), entry)
    const taken = attempt === 1 && (await isTaken(session, entry, driven))
    if (!taken) return conclude(session, entry, driven)
    intent = entry.intent
  }
}

/** The intent of a preparation; one that was begun keeps what was signed for it. */
function begun(
  session: Session,
  order: Order,
  prepared: Prepared,
  before: Intent | undefined,
  id: string,
): Intent {
  const fresh = intentOf(session, order, prepared, id)
  return before === undefined ? fresh : { ...fresh, created: before.created, txs: before.txs }
}

/** How long a refused transaction is watched until something else is seen in its place. */
const WATCH_MS = 20_000

/**
 * Whether somebody else has certainly used the sequence of a transaction that no node wanted: only
 * then may it be built anew.
 */
async function isTaken(session: Session, entry: Entry, driven: Driven): Promise<boolean> {
  // No node has ever had it: nothing of it can have been meant twice.
  if (driven.kind === 'replaced') return !entry.intent.txs[entry.at]!.maybe_sent
  if (driven.kind !== 'refused' || driven.refusal.reason !== 'sequence') return false
  const told = sequencesIn(driven.refusal.log)
  // A sequence that is too high was a lie; what was signed with it may come when it is reached.
  if (told === undefined || told.expected <= told.got) return false
  const watching = { ...drivingOf(session), until: 'included', waitMs: WATCH_MS } as const
  const fate = await drive(watching, entry)
  return fate.kind === 'replaced'
}

/** A transaction for each leg, one after the other; it stops at the first that fails. */
async function executeLegs(
  session: Session,
  order: Order,
  before: Intent | undefined,
  id: string,
): Promise<Conclusion> {
  let intent = before
  for (let isFirst = true; ; isFirst = false) {
    let entry: Entry
    try {
      entry = await signNext(session, order, { intent, isFirst, id })
    } catch (error) {
      // Once a leg is executed, what stops the next one does not undo it.
      if (intent === undefined || intent.txs.length === 0 || !(error instanceof Error)) throw error
      return concludeStopped(session, intent, error)
    }
    const driven = await drive(drivingOf(session, order), entry)
    intent = entry.intent
    const isDone = driven.kind === 'included' && driven.included.code === 0
    if (!isDone || legsLeft(intent).length === 0) return conclude(session, entry, driven)
  }
}

type Next = {
  readonly intent: Intent | undefined
  readonly isFirst: boolean
  readonly id: string
}

/** Quotes, builds and signs the next leg that is left. All that are left are shown before the first. */
async function signNext(session: Session, order: Order, next: Next): Promise<Entry> {
  const { intent, isFirst, id } = next
  const all = intent === undefined ? order.wanted.legs.map((_, i) => i) : legsLeft(intent)
  const left = isFirst ? all : all.slice(0, 1)
  const prepared = await prepare(session, order, left)
  if (isFirst) {
    await session.confirm(prepared.view)
    session.progress({ stage: 'confirmed_by_user' })
  }
  const renewal =
    intent === undefined ? intentOf(session, order, prepared, id) : renewed(intent, left, prepared)
  const places = prepared.built.legs.map((i) => left[i]!)
  return sign(session, order, prepared, renewal, places)
}

/** The legs that are left with their new numbers; those that are done keep theirs. */
const renewed = (intent: Intent, left: readonly number[], { plan }: Prepared): Intent => ({
  ...intent,
  legs: intent.legs.map((leg, i) => {
    const at = left.indexOf(i)
    return at < 0 ? leg : { ...legRecord(plan.legs[at]!), quoted: leg.quoted }
  }),
})
