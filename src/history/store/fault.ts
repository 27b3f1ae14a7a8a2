import { type ErrorCode, type ErrorFacts, SwapError } from '../../engine/errors.js'

const codes = {
  locked: 'BUSY',
  led: 'BUSY',
  lost: 'BUSY',
  full: 'NOT_READY',
  readonly: 'NOT_READY',
  down: 'NOT_READY',
  slow: 'OVERLOADED',
  corrupt: 'NOT_READY',
  foreign: 'INVALID_REQUEST',
  newer: 'INVALID_REQUEST',
  decoder: 'NOT_READY',
  unlinked: 'UPSTREAM_INVALID_DATA',
} as const satisfies Readonly<Record<string, ErrorCode>>

export type FaultKind = keyof typeof codes

/** A failure of the history's database. `kind` decides whether an indexer retries. */
export class StoreFault extends SwapError {
  constructor(
    readonly kind: FaultKind,
    message: string,
    facts: ErrorFacts = {},
  ) {
    super(codes[kind], message, facts)
  }
}

/** The messages that failures of files and servers share. */
const messages = {
  locked: 'the history database is locked by another process',
  full: 'the disk of the history database is full',
  readonly: 'the file system of the history database is read-only',
  corrupt: 'the history database is damaged',
  down: 'the history database cannot be used',
  slow: 'the history database has too much to do',
} as const satisfies Partial<Record<FaultKind, string>>

/** The failures that drivers report. */
export type DriverFault = keyof typeof messages

export const driverFault = (kind: DriverFault, why: string, hint: string): StoreFault =>
  new StoreFault(kind, messages[kind], { why, hint })

/** The hint for an overloaded database. */
export const TRY_AGAIN = 'try again in some seconds'

/** The fault of a row that was changed. */
export const unreadableRow = (why: string): StoreFault =>
  driverFault(
    'corrupt',
    `a row cannot be read: ${why}`,
    'fill it anew from the chain: swap history --reindex, or fill another one: --database',
  )

/** The leader as it is recorded; both are null before the first one. */
export type StoredLeader = { readonly host: string | null; readonly pid: number | null }

/** The fault of a process that cannot lead because another one does. */
export const ledBy = (leader: StoredLeader | undefined, place: string): StoreFault =>
  new StoreFault('led', 'another process fills the history database', {
    why: `process ${leader?.pid ?? 'unknown'} on ${leader?.host ?? 'an unknown host'} leads ${place}`,
    hint: 'reading works meanwhile; stop that process to fill the index from here',
  })

/** Runs an operation on the database; errors of the driver become `StoreFault`s. */
export async function withStoreFaults<T>(
  use: () => Promise<T>,
  faultOf: (error: unknown) => StoreFault | undefined,
): Promise<T> {
  try {
    return await use()
  } catch (error) {
    if (error instanceof SwapError) throw error
    // Of an amount or a JSON text in a row that was changed.
    if (error instanceof SyntaxError) throw unreadableRow(error.message)
    throw faultOf(error) ?? error
  }
}
