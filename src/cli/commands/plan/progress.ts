import { invalidRequest } from '../../../engine/errors.js'
import {
  type Intent,
  isDone,
  isOpen,
  type Journal,
  legsLeft,
  type Owner,
} from '../../../execution/journal/intent.js'
import { swapReportOf } from '../../../execution/lifecycle/reports.js'
import type { PlanAnswer, PlanDocument } from '../../../operations/plan/plan-documents.js'

/** A slice and its state; `key` is the `--once` key of its next execution. */
export type SliceProgress = PlanAnswer['slices'][number] & { readonly key: string }

/** What the `--once` keys of all slices of a plan begin with. */
const keyPrefix = ({ id }: Pick<PlanDocument, 'id'>): string => `plan ${id} `

/** Intents signed under a `--once` key, newest first. */
type IntentsOf = (key: string) => readonly Intent[]

/**
 * The progress of an account by its journal. A slice whose transaction failed on the chain moved no coins and
 * is due again, under a new key.
 *
 * @param now milliseconds since 1970
 * @throws SwapError INVALID_REQUEST if a slice is not the one that was signed
 */
export const progressOf = (
  plan: PlanDocument,
  now: number,
  executed: IntentsOf = () => [],
): readonly SliceProgress[] =>
  plan.slices.map((slice, i) => {
    const { key, intent } = lastAttempt(executed, `${keyPrefix(plan)}${i + 1}`)
    if (intent !== undefined) requireSameSlice(plan, i, intent)
    const isSold = intent !== undefined && isSoldBy(intent)
    const isDue = Date.parse(slice.due) <= now
    return {
      ...slice,
      key,
      state: stateOf(intent, isDue),
      received: isSold ? (swapReportOf(intent).amount_out?.amount ?? null) : null,
      tx_hash: intent?.txs.at(-1)?.hash ?? null,
    }
  })

const isSoldBy = (intent: Intent): boolean => legsLeft(intent).length === 0

/** The state of a slice with the intent of its last attempt, if that signed something that may take effect. */
function stateOf(intent: Intent | undefined, isDue: boolean): SliceProgress['state'] {
  if (intent !== undefined) return isSoldBy(intent) ? 'done' : 'open'
  return isDue ? 'due' : 'waiting'
}

/** A clock may be set back between the moment at which a slice is due and its signature. */
const CLOCK_STEP_MS = 60_000

/**
 * Slices are known by their position: in a changed file, those of other amounts or times would count as executed. None is
 * signed before it is due.
 */
function requireSameSlice(plan: PlanDocument, at: number, { id, legs, created }: Intent): void {
  const { amount, due } = plan.slices[at]!
  const trade = (sold: bigint | string, from: string, to: string) => `${sold} ${from} for ${to}`
  const written = trade(amount, plan.input.denom, plan.output)
  const sum = legs.reduce((all, { funds }) => all + BigInt(funds.amount), 0n)
  const executed = trade(sum, legs[0]?.funds.denom ?? '', legs[0]?.output ?? '')
  const isEarly = Date.parse(created) < Date.parse(due) - CLOCK_STEP_MS
  if (written === executed && !isEarly) return
  throw invalidRequest(
    `the plan ${plan.id} was changed after its slice ${at + 1} was signed`,
    `/slices/${at}`,
    {
      why: isEarly
        ? `the file has it due ${due}, and ${id} was signed ${created}`
        : `the file has ${written}, and ${id} sold ${executed} (atomics)`,
      hint: 'restore the file; what is left can be divided in a new plan: swap plan twap',
    },
  )
}

/** The first attempt that did not fail, with its intent if something was signed that may take effect. */
function lastAttempt(
  executed: IntentsOf,
  slice: string,
): { readonly key: string; readonly intent?: Intent } {
  for (let attempt = 1; ; attempt += 1) {
    const key = attempt === 1 ? slice : `${slice} ${attempt}`
    const intents = executed(key)
    // A partly executed intent is resumed, never started again.
    const intent = intents.find(mayHaveSold)
    if (intent !== undefined) return { key, intent }
    if (!intents.some(hasFailed)) return { key }
  }
}

const hasFailed = ({ txs }: Intent): boolean =>
  txs.some((tx) => tx.state === 'included' && !isDone(tx))

/** Whether an intent may have sold coins, or still may. */
const mayHaveSold = (intent: Intent): boolean => isOpen(intent) || intent.txs.some(isDone)

/** An execution of a plan by another account on this machine, with the word that `--from` names it by. */
export function executionByOther(
  plan: PlanDocument,
  { address }: Owner,
  journal: Pick<Journal, 'keyed'>,
): (Pick<Intent, 'id' | 'address'> & { readonly from: string }) | undefined {
  const other = journal
    .keyed(keyPrefix(plan))
    .find(
      (intent) =>
        intent.chain_id === plan.chain_id && intent.address !== address && mayHaveSold(intent),
    )
  return other && { ...other, from: other.key ?? other.address }
}

/**
 * Refuses a plan that another account on this machine executes: each would sell the whole amount.
 *
 * @throws SwapError INVALID_REQUEST
 */
export function requireOwnPlan(
  plan: PlanDocument,
  owner: Owner,
  journal: Pick<Journal, 'keyed'>,
): void {
  const other = executionByOther(plan, owner, journal)
  if (other === undefined) return
  throw invalidRequest(`another account executes the plan ${plan.id}`, '/from', {
    why: `${other.id} is of ${other.address}, and each account would sell the whole amount`,
    hint: `go on with --from ${other.from}; or write a plan for this account: swap plan twap`,
  })
}
