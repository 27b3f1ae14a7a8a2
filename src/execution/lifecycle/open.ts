import { SwapError } from '../../engine/errors.js'
import { type Intent, isFinal, type Owner, type TxRecord } from '../journal/intent.js'
import type { Session } from '../session.js'
import { type Entry, note, settle } from './drive.js'
import { look } from './look.js'

/**
 * Finds out what has become of everything that was signed for an account before, without sending
 * anything. Something new may be signed only when nothing of it can still come in addition.
 *
 * @returns the intents that are settled by now
 * @throws SwapError BUSY, where something may still come
 */
export async function settleOpen(session: Session, owner: Owner): Promise<readonly Intent[]> {
  const settled: Intent[] = []
  for (const intent of session.journal.open(owner))
    settled.push(await settleIntent(session, intent))
  return settled
}

async function settleIntent(session: Session, intent: Intent): Promise<Intent> {
  let now = intent
  for (const [at, tx] of intent.txs.entries()) {
    if (isFinal(tx)) continue
    const entry: Entry = { intent: now, at }
    await settleTx(session, entry)
    now = entry.intent
  }
  return now
}

async function settleTx(session: Session, entry: Entry): Promise<void> {
  const { chain, journal } = session
  const tx = entry.intent.txs[entry.at]!
  // The journal says "broadcasting" before the first byte leaves: nobody has ever had this one.
  if (tx.state === 'signed' && !tx.maybe_sent)
    return note(journal, entry, { state: 'abandoned', log: 'the process ended before it was sent' })
  const fate = await look(chain, tx, entry.intent.address)
  if (fate.kind !== 'open') {
    settle(session, entry, fate)
    return
  }
  if (await isHarmless(session, entry.intent.address, tx)) return
  throw new SwapError('BUSY', 'an earlier transaction of this account may still come', {
    why: `${tx.hash}: ${fate.why}`,
    hint: `wait for it: swap resume ${entry.intent.id}`,
    members: { id: entry.intent.id, tx_hash: tx.hash, timeout_height: tx.timeout_height },
  })
}

/**
 * A transaction that every node has refused does no harm as long as the next one takes the same
 * sequence: then at most one of both can be executed.
 */
async function isHarmless({ chain }: Session, address: string, tx: TxRecord): Promise<boolean> {
  if (tx.state !== 'refused' || tx.maybe_sent) return false
  const standings = await chain.standings(address)
  return standings.length > 0 && standings.every(({ sequence }) => sequence === BigInt(tx.sequence))
}
