import { type Intent, isDone, isOpen, legsLeft } from '../../../execution/journal/intent.js'
import { swapReportOf } from '../../../execution/lifecycle/swap-report.js'
import type { PlanAnswer, PlanDocument } from '../../../operations/plan/plan-document.js'

/** A slice and its state; `key` is that of `--once` under which it is executed next. */
export type SliceProgress = PlanAnswer['slices'][number] & { readonly key: string }

/** What an account has signed under a key of `--once`, newest first. */
type Executed = (key: string) => readonly Intent[]

/**
 * How far an account is with a plan, by the journal alone. A slice that failed on the chain moved nothing
 * and is due again, under a key of its own.
 *
 * @param now milliseconds since 1970
 */
export const progressOf = (
  plan: PlanDocument,
  now: number,
  executed: Executed = () => [],
): readonly SliceProgress[] =>
  plan.slices.map((slice, i) => {
    const { key, intent } = lastAttempt(executed, `plan ${plan.id} ${i + 1}`)
    const isSold = intent !== undefined && legsLeft(intent).length === 0
    const isDue = Date.parse(slice.due) <= now
    return {
      ...slice,
      key,
      state: isSold ? 'done' : intent ? 'open' : isDue ? 'due' : 'waiting',
      received: (isSold && swapReportOf(intent).amount_out?.amount) || null,
      tx_hash: intent?.txs.at(-1)?.hash ?? null,
    }
  })

/** The first attempt that did not fail, with its intent if anything was signed that may take effect. */
function lastAttempt(
  executed: Executed,
  slice: string,
): { readonly key: string; readonly intent?: Intent } {
  for (let attempt = 1; ; attempt += 1) {
    const key = attempt === 1 ? slice : `${slice} ${attempt}`
    const intents = executed(key)
    // One that was executed in part is resumed, and never begun again.
    const intent = intents.find((each) => isOpen(each) || each.txs.some(isDone))
    if (intent !== undefined) return { key, intent }
    if (!intents.some(hasFailed)) return { key }
  }
}

const hasFailed = ({ txs }: Intent): boolean =>
  txs.some((tx) => tx.state === 'included' && !isDone(tx))
