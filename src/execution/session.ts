import { SwapError } from '../engine/errors.js'
import type { Clock } from '../platform/clock.js'
import type { FileLock } from '../platform/lock-file.js'
import type { Intent, Journal, Owner } from './journal/intent.js'
import type { SigningView } from './plan/signing-view.js'
import type { Chain, Ledger } from './ports.js'
import type { SigningTerms } from './task.js'

/** The steps of an execution, in order. */
export type Step =
  | { readonly stage: 'quoted'; readonly height: number }
  /** Only one of `of` nodes answered, so nothing could be compared. */
  | { readonly stage: 'uncompared'; readonly of: number }
  | { readonly stage: 'built'; readonly sequence: string }
  | { readonly stage: 'simulated'; readonly gas: string }
  | { readonly stage: 'confirmed_by_user' }
  | { readonly stage: 'unlocked'; readonly name: string }
  /** A program of the user signs, which may prompt. */
  | { readonly stage: 'signer_asked'; readonly name: string }
  | {
      readonly stage: 'signed'
      readonly hash: string
      readonly sequence: string
      readonly until: number
    }
  | { readonly stage: 'accepted'; readonly hash: string; readonly by: string }
  /** Another transaction of the account used its sequence, so another one is built and confirmed. */
  | { readonly stage: 'replaced'; readonly hash: string }
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
type Progress = (step: Step) => void

/** What an execution depends on. */
export type Session = {
  readonly chain: Chain
  readonly journal: Journal
  /** Signatures from all state folders of this user. */
  readonly ledger: Ledger
  readonly clock: Clock
  readonly progress: Progress
  /** Aborted by ctrl-c. */
  readonly interrupt: AbortSignal
  /** Locks the account against other processes of this machine. @throws SwapError BUSY */
  lock(owner: Owner): Promise<AccountLock>
  /**
   * Shows what will be signed and waits for a confirmation.
   *
   * @throws SwapError DECLINED, CONFIRMATION_REQUIRED
   */
  confirm(view: SigningView): Promise<void>
  /** How long to wait for transactions of earlier intents. */
  readonly waiting: Pick<SigningTerms, 'wait' | 'waitMs'>
  /** Poll interval, and longest time without a new block, in milliseconds. */
  readonly pollIntervalMs: number
  readonly stallMs: number
}

export type AccountLock = Pick<FileLock, 'isHeld' | 'release'>

/**
 * A session with the lock of an account. Its journal refuses changes once the lock is lost, so that nothing is sent that
 * was not sent before, and entries that another process has changed are not replaced.
 */
export type LockedSession = Session & Pick<AccountLock, 'isHeld'>

/** Works while no other process of this machine signs for an account. @throws SwapError BUSY */
export async function underLock<T>(
  session: Session,
  owner: Owner,
  work: (locked: LockedSession) => Promise<T>,
): Promise<T> {
  const { isHeld, release } = await session.lock(owner)
  const { journal } = session
  const guarded = (write: (intent: Intent) => void) => (intent: Intent) => {
    requireLock({ journal, isHeld }, intent)
    write(intent)
  }
  const { put, requireRoom } = journal
  try {
    return await work({
      ...session,
      isHeld,
      journal: { ...journal, put: guarded(put), requireRoom: guarded(requireRoom) },
    })
  } finally {
    release()
  }
}

/** Called before each signature for an intent. @throws SwapError BUSY if another process may sign for the account */
export function requireLock(
  { journal, isHeld }: Pick<LockedSession, 'journal' | 'isHeld'>,
  { id }: Pick<Intent, 'id'>,
): void {
  if (isHeld()) return
  const isKnown = journal.find(id) !== undefined
  throw new SwapError('BUSY', 'this process has lost its lock', {
    why: 'another one took it over while this one was stopped, or its file was removed',
    hint: isKnown
      ? `nothing more was sent; see what was, and go on: swap tx resume ${id}`
      : 'nothing was sent; run the command again',
    members: { ...(isKnown && { id }) },
  })
}
