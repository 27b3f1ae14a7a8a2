import { SwapError } from '../../engine/errors.js'
import type { Market } from '../../engine/market/market.js'
import type { Coin } from '../../engine/market/token.js'
import { ceilDiv } from '../../engine/math/decimal.js'
import { worthIn } from '../../operations/worth.js'
import { type Interruptible, throwIfInterrupted } from '../interrupted.js'
import { type Intent, type Journal, type Owner, WITHOUT_EFFECT } from '../journal/intent.js'
import type { Signing } from '../journal/intent-schema.js'
import { unreadableFinished } from '../journal/read-intent.js'
import { type Ledger, spentUnattended, type Times } from '../ports.js'
import type { SigningTerms } from '../task.js'

/** The hint to exceed a limit, for people and for agents, whose tools have no flags. */
export const BY_PERSON = 'have a person run it in a terminal, without --yes or --confirm'

/** Value of coins in millionths of a dollar, rounded up; `undefined` without a price. */
export function microUsdOf(market: Market, coins: readonly Coin[]): bigint | undefined {
  const worth = worthIn(market)
  let sum = 0n
  for (const coin of coins) {
    const dollars = worth(coin)
    if (dollars === undefined) return undefined
    sum += ceilDiv(dollars.numerator * 1_000_000n, dollars.denominator)
  }
  return sum
}

/** The records of signatures: of all state folders, and of this one. */
export type SigningRecords = { readonly ledger: Ledger; readonly journal: Journal }

/**
 * Value signed unattended in the last 24 hours, in millionths of a dollar.
 *
 * @throws SwapError LIMIT_EXCEEDED if a finished entry of the journal cannot be read, OUTCOME_UNKNOWN if an open one
 * cannot, NOT_READY if the record of signatures cannot
 */
export const spentLastDay = (records: SigningRecords, owner: Owner, times: Times): bigint =>
  spentBefore(records, records.ledger.read(owner), times)

const spentBefore = (
  { journal }: SigningRecords,
  signings: readonly Signing[],
  times: Times,
): bigint => spentUnattended(signings, times, (signing) => isVoid(journal, signing))

/** Whether a signed transaction certainly spent nothing and never will: printed bytes may be sent by anyone. */
function isVoid(journal: Journal, { id, hash }: Signing): boolean {
  const isPrinted = id === ''
  const intent = intentOf(journal, isPrinted ? hash : id)
  const state = intent?.txs.findLast((each) => each.hash === hash)?.state
  return state !== undefined && WITHOUT_EFFECT.has(state) && !(isPrinted && state === 'abandoned')
}

/** @throws SwapError LIMIT_EXCEEDED for an unreadable finished entry, OUTCOME_UNKNOWN for an open one */
function intentOf(journal: Journal, idOrHash: string): Intent | undefined {
  try {
    return journal.find(idOrHash)
  } catch (error) {
    const unread = unreadableFinished(error)
    throw unread === undefined ? error : sumUnknown(unread.path)
  }
}

const sumUnknown = (file: string): SwapError =>
  limitExceeded('per_day_usd', 'it is not known what was sold in the last 24 hours', {
    why: `an entry of the journal cannot be read: ${file}`,
    hint: `move the file to another folder, then its transaction counts in full; or ${BY_PERSON}`,
  })

/**
 * Records a signature before it is published. Unattended ones must be within the limits, and the same
 * bytes must not belong to two journals, which would both report them.
 *
 * @param limits `undefined` if a person confirms
 * @throws SwapError LIMIT_EXCEEDED, BUSY, OUTCOME_UNKNOWN and NOT_READY as `spentLastDay`; Interrupted if the user
 * stopped it while it was signed
 */
export const claimSigning = (
  records: SigningRecords & Interruptible,
  owner: Owner,
  signing: Omit<Signing, 'micro_usd'>,
  {
    worth,
    limits,
  }: { readonly worth: bigint | undefined; readonly limits?: SigningTerms['limits'] },
): Promise<void> => {
  const micro = limits === undefined ? null : `${worth ?? 0n}`
  return records.ledger.claim(owner, { ...signing, micro_usd: micro }, (before) => {
    throwIfInterrupted(records)
    const { hash, id } = signing
    const same = before.filter((each) => each.hash === hash)
    const other = same.find((each) => each.id !== '' && each.id !== id)
    if (id !== '' && other !== undefined && records.journal.find(other.id) === undefined)
      throw new SwapError('BUSY', 'this transaction was signed from another state folder', {
        why: `${hash} belongs to ${other.id} there`,
        hint: 'wait for it there, then run the command again',
        members: { id: other.id, tx_hash: hash },
      })
    if (limits !== undefined && same.every((each) => isVoid(records.journal, each)))
      requireWithinLimits(limits, worth, () => spentBefore(records, before, signing))
  })
}

/**
 * Checks one more unattended transaction against the spending limits. One that sells nothing, such as a cancel or a
 * claim, always passes.
 *
 * @param worth in millionths of a dollar; `undefined` without a price
 * @param spent computes what was sold in the last 24 hours; called only if a limit depends on it
 * @throws SwapError LIMIT_EXCEEDED
 */
export function requireWithinLimits(
  { perTx, perDay }: SigningTerms['limits'],
  worth: bigint | undefined,
  spent: () => bigint,
): void {
  if (worth === 0n || (perTx === undefined && perDay === undefined)) return
  if (worth === undefined)
    throw limitExceeded('unpriced', 'what is sold has no price, so no limit can be held', {
      why: 'no book connects it to the dollar',
      hint: BY_PERSON,
    })
  if (perTx !== undefined && worth > perTx)
    throw limitExceeded(
      'per_tx_usd',
      `this is above your limit of ${dollars(perTx)} a transaction`,
      {
        why: `it sells ${dollars(worth)} worth`,
        hint: `sell less, raise limits.per_tx_usd, or ${BY_PERSON}`,
      },
    )
  if (perDay === undefined) return
  const before = spent()
  if (before + worth > perDay)
    throw limitExceeded('per_day_usd', `this would pass your limit of ${dollars(perDay)} a day`, {
      why: `it sells ${dollars(worth)} worth, and ${dollars(before)} went in the last 24 hours`,
      hint: `wait, raise limits.per_day_usd, or ${BY_PERSON}`,
    })
}

/** Millionths of a dollar as text, rounded up to cents. */
export const dollars = (micro: bigint): string => {
  const cents = `${ceilDiv(micro, 10_000n)}`.padStart(3, '0')
  return `$${cents.slice(0, -2)}.${cents.slice(-2)}`
}

const limitExceeded = (
  rule: string,
  message: string,
  words: { readonly why: string; readonly hint: string },
): SwapError => new SwapError('LIMIT_EXCEEDED', message, { ...words, members: { rule } })
