import { type ErrorCode, type ErrorFacts, SwapError } from '../../engine/errors.js'

/** Kinds of database failures. */
export type FaultKind =
  | 'locked'
  | 'led'
  | 'lost'
  | 'full'
  | 'readonly'
  | 'down'
  | 'slow'
  | 'corrupt'
  | 'foreign'
  | 'newer'
  | 'decoder'
  | 'unlinked'

const codes: Readonly<Record<FaultKind, ErrorCode>> = {
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
}

/** A failure of the history's database. `kind` decides whether an indexer retries. */
export class StoreFault extends SwapError {
  constructor(
    readonly kind: FaultKind,
    message: string,
    swaps: ErrorFacts = {},
  ) {
    super(codes[kind], message, swaps)
  }
}

/** Runs an operation on the database; errors of the driver become `StoreFault`s. */
export async function guarded<T>(
  use: () => Promise<T>,
  faultOf: (error: unknown) => StoreFault | undefined,
): Promise<T> {
  try {
    return await use()
  } catch (error) {
    if (error instanceof SwapError) throw error
    throw faultOf(error) ?? error
  }
}
