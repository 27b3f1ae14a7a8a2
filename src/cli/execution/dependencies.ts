import type { Journal, Owner } from '../../execution/journal/intent.js'
import type { Chain, Ledger } from '../../execution/ports.js'
import type { AccountLock } from '../../execution/session.js'
import type { PlanDocument } from '../../operations/plan/plan-documents.js'

export type ExecutionParts = {
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
