import type { Journal, Owner } from './journal/intent.js'
import type { Ledger } from './ledger.js'
import type { Terms } from './order.js'
import type { SigningView } from './plan/signing-view.js'
import type { Chain, Clock } from './ports.js'

/** The steps of an execution, in order. */
export type Step =
  | { readonly stage: 'quoted'; readonly height: number }
  /** Only one of `of` nodes answered, so nothing could be compared. */
  | { readonly stage: 'uncompared'; readonly of: number }
  | { readonly stage: 'built'; readonly sequence: string }
  | { readonly stage: 'simulated'; readonly gas: string }
  | { readonly stage: 'confirmed_by_user' }
  | { readonly stage: 'unlocked'; readonly name: string }
  | {
      readonly stage: 'signed'
      readonly hash: string
      readonly sequence: string
      readonly until: number
    }
  | { readonly stage: 'accepted'; readonly hash: string; readonly by: string }
  | { readonly stage: 'again'; readonly hash: string; readonly why: string }
  | {
      readonly stage: 'waiting'
      readonly hash: string
      readonly height: number
      readonly until: number
    }
  | { readonly stage: 'included'; readonly hash: string; readonly height: number }
  | { readonly stage: 'verified'; readonly hash: string }

/** Called for every step. */
export type Progress = (step: Step) => void

/** Everything that executing needs of the rest of the program. The rim and the tests fill it. */
export type Session = {
  readonly chain: Chain
  readonly journal: Journal
  /** What all state folders of this user have signed. */
  readonly ledger: Ledger
  readonly clock: Clock
  readonly progress: Progress
  /** Aborted when the person wants it to stop. */
  readonly interrupt: AbortSignal
  /** Holds the account: nobody else on this machine signs for it meanwhile. @throws SwapError BUSY */
  lock(owner: Owner): Promise<{ release(): void }>
  /**
   * Shows what will be signed and asks whether it shall be.
   *
   * @throws SwapError DECLINED, CONFIRMATION_REQUIRED
   */
  confirm(view: SigningView): Promise<void>
  /** How long something is waited for that no order speaks of. */
  readonly waiting: Pick<Terms, 'wait' | 'waitMs'>
  /** How often the chain is looked at, in milliseconds, and how long it may stand still. */
  readonly pollIntervalMs: number
  readonly stallMs: number
}

/** The person has stopped it before anything was sent. */
export class Interrupted extends Error {
  constructor() {
    super('stopped before anything was sent')
    this.name = 'Interrupted'
  }
}

/** Stops where nothing has been sent yet, if the person wants it to. @throws Interrupted */
export function throwIfInterrupted({ interrupt }: Pick<Session, 'interrupt'>): void {
  if (interrupt.aborted) throw new Interrupted()
}
