import type { Config } from '../../../config/load.js'
import type { Market } from '../../../engine/market/market.js'
import type { Owner } from '../../../execution/journal/intent.js'
import { type SigningRecords, spentLastDay } from '../../../execution/plan/limits.js'
import type { Allowance } from './render-confirm.js'
import { systemClock } from './session.js'

/** What the configured limits leave to `--yes` now; `undefined` where there are none. */
export function allowanceOf(
  { values }: Config,
  records: SigningRecords,
  owner: Owner,
  { time }: Pick<Market, 'time'>,
): Allowance | undefined {
  const { limitsPerTxUsd: perTx, limitsPerDayUsd: perDay } = values
  if (perTx === undefined && perDay === undefined) return undefined
  const times = { chain_time: time, local_time: systemClock.time() }
  const left = (perDay ?? 0n) - spentLastDay(records, owner, times)
  return { perTx, perDay, leftToday: perDay === undefined ? undefined : left > 0n ? left : 0n }
}
