import {
  acquireLock,
  type FileLock,
  LockHeld,
  type LockRules,
} from '../../../platform/lock-file.js'
import { StoreFault } from '../fault.js'

/** A leader that is silent for five heartbeats counts as stopped. */
const rules: LockRules = {
  heartbeatMs: 2_000,
  remoteSilenceMs: 10_000,
  stoppedMs: 10_000,
  unreadableMs: 5_000,
}

/**
 * Takes the lead of the database at `path` if there is no leader, or if the leader has ended or
 * stopped; what a stopped leader writes later is fenced off by the epoch in the database.
 *
 * @throws StoreFault `BUSY` that names the leader
 */
export async function leadFile(path: string): Promise<FileLock> {
  try {
    return await acquireLock(`${path}.leader`, 0, rules)
  } catch (error) {
    throw error instanceof LockHeld ? ledBy(path, error) : error
  }
}

const ledBy = (path: string, { holder }: LockHeld): StoreFault =>
  new StoreFault('led', 'another process fills the history database', {
    why: `process ${holder?.pid ?? 'unknown'}${holder ? ` on ${holder.host}` : ''} leads ${path}`,
    hint: 'reading works meanwhile; stop that process to fill the index from here',
  })
