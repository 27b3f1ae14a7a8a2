import type { Denom, Token } from '../../market/token.js'
import type { HistoryPort } from './port.js'

/** How far a run of the index has come. */
export type IndexProgress = {
  /** Blocks that this run has written. */
  readonly done: number
  readonly left: number
  /** Blocks a second. */
  readonly rate: number
  /** Milliseconds that are left at this rate; `undefined` before there is one. */
  readonly leftMs: number | undefined
  readonly swaps: number
  readonly quarantined: number
}

/** What a run of the index did. */
export type IndexRun = IndexProgress & {
  /** Blocks that no node has any more. */
  readonly pruned: readonly { readonly from: number; readonly to: number }[]
  /** Whether nothing is missing but those. */
  readonly complete: boolean
  readonly ms: number
}

/** What to index. */
export type IndexOptions = {
  /** The first block that is wanted, in place of the configured one. */
  readonly from: number | undefined
  /** Begin anew. */
  readonly anew: boolean
  /** Ends the run; what is written stays. */
  readonly signal: AbortSignal
  progress(progress: IndexProgress): void
  failed(error: unknown): void
}

/** The history as a command has it: it may read, and fill the index itself. */
export type HistoryAccess = HistoryPort & {
  /** A token as people know it, also of a denom that no market has any more. */
  token(denom: Denom): Token
  /** Indexes everything up to the block that is the newest now. @throws SwapError BUSY */
  index(options: IndexOptions): Promise<IndexRun>
  close(): Promise<void>
}
