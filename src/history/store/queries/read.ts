import type { Db, Tx } from '../schema.js'

/** Runs several reads in one snapshot of the database. */
export const reading = <T>(db: Db, read: (tx: Tx) => Promise<T>): Promise<T> =>
  db.transaction().setAccessMode('read only').setIsolationLevel('repeatable read').execute(read)
