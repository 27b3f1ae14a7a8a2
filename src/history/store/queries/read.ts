import type { Db, Tx } from '../schema.js'

/** Runs reads that answer together as of one moment. */
export const reading = <T>(db: Db, read: (tx: Tx) => Promise<T>): Promise<T> =>
  db.transaction().setAccessMode('read only').setIsolationLevel('repeatable read').execute(read)
