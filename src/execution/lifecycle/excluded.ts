import { SwapError } from '../../engine/errors.js'
import { isDone, type Owner } from '../journal/intent.js'
import type { Prepared } from '../plan/prepared.js'
import type { Session } from '../session.js'
import type { Task } from '../task.js'
import { startedBefore } from './idempotency.js'
import type { ExecutionResult } from './result.js'
import { type Excluded, settleOpen } from './settle.js'

/**
 * Checks, before a signature, that a preparation excludes the transaction that it has to exclude.
 *
 * @throws SwapError BUSY, where that one may have been included meanwhile: both would be executed
 */
export function requireSequence({ built }: Prepared, excluded: Excluded | undefined): void {
  const { sequence } = built.decoded
  if (excluded === undefined || sequence === excluded.sequence) return
  throw perhapsExecuted(excluded, `the account is at ${sequence} by now, and nothing was signed`)
}

/**
 * What is reported of a transaction that was to exclude an earlier one: where that one was included in
 * its place, the result of the earlier one under the same key or of the same quote; else the result,
 * with an error that names what was executed.
 *
 * @throws SwapError BUSY, where it is not certain whether the earlier one was executed
 */
export async function inPlaceOf(
  session: Session,
  task: Task,
  owner: Owner,
  result: ExecutionResult,
): Promise<ExecutionResult> {
  const { error, report } = result
  if (error === undefined || report.txs.some(({ state }) => state !== 'replaced')) return result
  const { settled, excluded } = await settleOpen(session, owner)
  if (excluded !== undefined)
    throw perhapsExecuted(excluded, 'another transaction of the account has used it')
  const earlier = await startedBefore(session, task, owner)
  if (earlier !== undefined) return earlier
  const done = settled.flatMap(({ txs }) => txs).find(isDone)
  if (done === undefined) return result
  const instead = new SwapError(
    error.code,
    'an earlier transaction of this account was executed in place of this one',
    {
      why: `every node had refused ${done.hash}, and it is in block ${done.height} all the same`,
      hint: `look at it: swap tx show ${done.hash}; run the command again only to execute this one as well`,
      members: error.members,
    },
  )
  return { ...result, error: instead }
}

const perhapsExecuted = ({ id, hash, sequence }: Excluded, why: string): SwapError =>
  new SwapError('BUSY', 'an earlier transaction of this account may have been executed', {
    why: `${hash} has sequence ${sequence}; ${why}`,
    hint: `find out: swap tx wait ${hash}; then run the command again if this one is still wanted`,
    members: { id, tx_hash: hash },
  })
