import type { Config } from '../../../config/load.js'
import type { Journal, Owner } from '../../../execution/journal/intent.js'
import { dayBefore, mostOfDay, spentUnattended } from '../../../execution/plan/limits.js'
import type { Allowance } from './render-confirm.js'
import { systemClock } from './session.js'

/** What the configured limits leave to `--yes` now; `undefined` where there are none. */
export function allowanceOf(
  { values }: Config,
  journal: Journal,
  owner: Owner,
): Allowance | undefined {
  const { limitsPerTxUsd: perTx, limitsPerDayUsd: perDay } = values
  if (perTx === undefined && perDay === undefined) return undefined
  const today = journal.recent(mostOfDay, dayBefore(systemClock.time()))
  const left = (perDay ?? 0n) - spentUnattended(today, owner)
  return { perTx, perDay, leftToday: perDay === undefined ? undefined : left > 0n ? left : 0n }
}
