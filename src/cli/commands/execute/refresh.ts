import { type Intent, isOpen } from '../../../execution/journal/intent.js'
import { type Polled, refresh } from '../../../execution/lifecycle/settle.js'
import type { Session } from '../../../execution/session.js'

/**
 * Settles what can be settled of an intent without waiting or sending. An intent that another process
 * holds, or whose nodes do not answer, stays as it is; `why` says so.
 */
export async function refreshed(session: Session, intent: Intent): Promise<Polled> {
  const owner = { chainId: intent.chain_id, address: intent.address }
  try {
    const lock = await session.lock(owner)
    try {
      return await refresh(session, session.journal.find(intent.id) ?? intent)
    } finally {
      lock.release()
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const isPassing = code === 'BUSY' || code === 'NOT_READY' || code.startsWith('UPSTREAM_')
    if (!isPassing || !(error instanceof Error)) throw error
    return { intent, why: isOpen(intent) ? error.message : undefined }
  }
}
