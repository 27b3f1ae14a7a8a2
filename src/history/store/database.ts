import type { StoreFault } from './fault.js'
import type { Db, Flavour } from './schema.js'

/** The right to write, as the database itself grants it, with the connection that writes. */
export type Lead = {
  readonly writes: Db
  readonly lost: AbortSignal
  release(): Promise<void>
}

/** An open database of either kind: all that the one code path knows of it. */
export type Database = {
  readonly flavour: Flavour
  /** A path, or a URL without its password. */
  readonly place: string
  readonly reads: Db
  /** @throws StoreFault `BUSY` when another process leads. */
  lead(): Promise<Lead>
  /** What a driver's failure means; nothing for a bug of ours. */
  faultOf(error: unknown): StoreFault | undefined
  /** After the leads have been released. */
  close(): Promise<void>
}
