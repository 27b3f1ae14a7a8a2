import type { SignedTx, Unsigned } from '../../chain/tx/unsigned-tx.js'
import type { Journal, Owner } from '../../execution/journal/intent.js'
import type { Chain, Codec, Ledger } from '../../execution/ports.js'
import type { AccountLock } from '../../execution/session.js'
import type { PlanDocument } from '../../operations/plan/plan-documents.js'

/** Transactions as the SDK's JSON and as bytes. */
export type SdkTx = {
  /** Whether a document has the outer shape of a transaction, valid or not. */
  looksLike(document: unknown): boolean
  /** @throws SwapError INVALID_REQUEST */
  read(document: unknown): Unsigned & Partial<SignedTx>
  unsigned(tx: Unsigned): object
  signed(tx: SignedTx): object
  /** Decodes a signed transaction. @throws SwapError INVALID_REQUEST */
  decode(txBytes: Uint8Array): SignedTx
}

export type ExecutionParts = {
  readonly codec: Codec
  readonly sdk: SdkTx
  readonly journal: Journal
  readonly ledger: Ledger
  /** Acquires the lock of an account. @throws SwapError BUSY */
  lock(owner: Owner, waitMs: number): Promise<AccountLock>
  /** The same for a plan. @throws SwapError BUSY */
  lockPlan(plan: Pick<PlanDocument, 'chain_id' | 'id'>, waitMs: number): Promise<AccountLock>
  newId(): string
  /** The chain; starts the demo chain if it is not running. */
  chain(): Promise<Chain>
  /** Interval of polling the chain, in milliseconds. */
  readonly pollIntervalMs: number
}
