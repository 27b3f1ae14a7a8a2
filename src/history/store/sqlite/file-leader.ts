import { StoreFault } from '../fault.js'
import { type ProcessMark, thisProcess } from './process.js'
import { breakRecord, isGone, type Record, readRecord, takeRecord, touchRecord } from './record.js'

/** A leader shows every two seconds that it lives; one silent for ten is taken for stopped. */
const BEAT_MS = 2_000
const SILENT_MS = 10_000

/** The record that one process leads the database in a file. */
export type FileLead = {
  readonly lost: AbortSignal
  release(): void
}

/**
 * Takes the lead of the database at `path`: from nobody, from the dead, or from a process that has
 * stopped; what that one writes when it wakes is fenced off by the epoch in the database.
 *
 * @throws StoreFault `BUSY` naming who leads.
 */
export function leadFile(path: string): FileLead {
  const record = `${path}.leader`
  const owner = thisProcess()
  for (let attempts = 0; !takeRecord(record, owner); attempts += 1) {
    const found = readRecord(record)
    if (attempts >= 10 || (found !== undefined && !isStale(found))) throw ledBy(path, found)
    if (found !== undefined) breakRecord(record, isStale)
  }
  const lost = new AbortController()
  const beat = setInterval(() => {
    if (isOwn(record)) touchRecord(record)
    else lost.abort()
  }, BEAT_MS).unref()
  return {
    lost: lost.signal,
    release: () => {
      clearInterval(beat)
      breakRecord(record, ({ owner: by }) => by !== undefined && same(by))
    },
  }
}

const isStale = (record: Record): boolean =>
  isGone(record, SILENT_MS) || (record.owner !== undefined && record.ageMs > SILENT_MS)

const same = (owner: ProcessMark): boolean => {
  const own = thisProcess()
  return owner.pid === own.pid && owner.host === own.host && owner.start === own.start
}

const isOwn = (record: string): boolean => {
  const owner = readRecord(record)?.owner
  return owner !== undefined && same(owner)
}

const ledBy = (path: string, record: Record | undefined): StoreFault =>
  new StoreFault('led', 'another process fills the history database', {
    why: `process ${record?.owner?.pid ?? 'unknown'}${record?.owner ? ` on ${record.owner.host}` : ''} leads ${path}`,
    hint: 'reading works meanwhile; stop that process to fill the index from here',
  })
