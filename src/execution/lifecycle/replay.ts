import { SwapError } from '../../engine/errors.js'
import { type Intent, isFinal, isOpen, type Owner, type TxRecord } from '../journal/intent.js'
import type { Order } from '../order.js'
import type { Session } from '../session.js'
import { type Conclusion, conclude, remembered } from './conclude.js'
import { type Driven, type Driving, drive, type Entry } from './drive.js'
import type { Report } from './report.js'

/** How a transaction is driven: waited for as the order says, else as the session does. */
export const drivingOf = (session: Session, order?: Order): Driving => {
  const { chain, journal, clock, progress, interrupt, everyMs, stillMs } = session
  const { wait: until, waitMs } = order?.terms ?? session.waiting
  return { chain, journal, clock, progress, interrupt, everyMs, stillMs, waitMs, until }
}

export type Followed = { readonly entry: Entry; readonly conclusion: Conclusion }

/** Follows every transaction of an intent that may still come; what has ended is told from memory. */
export async function follow(session: Session, intent: Intent): Promise<Followed> {
  if (intent.txs.length === 0)
    throw new SwapError('NOT_FOUND', `nothing was signed for ${intent.id}`, {
      why: 'it was stopped before that',
      hint: 'run the command again',
      members: { id: intent.id },
    })
  const entry: Entry = { intent, at: intent.txs.length - 1 }
  let last: { entry: Entry; driven: Driven } | undefined
  for (const [at, tx] of intent.txs.entries()) {
    if (isFinal(tx) && at !== entry.at) continue
    const each: Entry = { intent: last?.entry.intent ?? intent, at }
    last = { entry: each, driven: await drive(drivingOf(session), each) }
  }
  const { entry: end, driven } = last!
  const conclusion = remembered(end.intent, driven) ?? (await conclude(session, end, driven))
  return { entry: end, conclusion }
}

/** What was done before under the same key, or of the same quote: told, and not done again. */
export async function doneBefore(
  session: Session,
  { terms, wanted }: Order,
  owner: Owner,
): Promise<Conclusion | undefined> {
  const { journal } = session
  if (terms.once !== null)
    for (const intent of journal.once(owner, terms.once)) {
      const told = await replay(session, intent)
      if (told !== undefined) return told
    }
  if (terms.again || !wanted.isGiven || wanted.quoteId === null) return undefined
  for (const intent of journal.ofQuote(owner, wanted.quoteId)) {
    // What somebody else may send is not waited for here: nothing is signed beside it anyway.
    if (intent.mode === 'handed' && isOpen(intent)) continue
    const told = await replay(session, intent)
    // What failed has moved nothing: a quote that is still good may be tried again.
    if (told !== undefined && told.report.status !== 'failed') return told
  }
  return undefined
}

/** What came of an intent; nothing where that is certainly nothing. */
async function replay(session: Session, intent: Intent): Promise<Conclusion | undefined> {
  if (intent.txs.every(isNothing)) return undefined
  const { conclusion, entry } = await follow(session, intent)
  if (entry.intent.txs.every(isNothing)) return undefined
  const report: Report = { ...conclusion.report, replayed: true }
  return { ...conclusion, report }
}

/** A transaction that has done nothing; one that nobody ever had is settled before a new one is signed. */
const isNothing = ({ state, maybe_sent }: TxRecord): boolean =>
  ['abandoned', 'expired', 'replaced'].includes(state) ||
  (!maybe_sent && ['signed', 'refused'].includes(state))
