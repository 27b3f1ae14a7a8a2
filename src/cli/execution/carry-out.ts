import { flagOf } from '../../config/naming.js'
import { requireOwnConfig } from '../../config/trust.js'
import { invalidRequest, type SwapError } from '../../engine/errors.js'
import { execute, executedBefore, resume } from '../../execution/execute.js'
import { type Intent, isOpen, type Journal } from '../../execution/journal/intent.js'
import type { KeyedRequest } from '../../execution/lifecycle/idempotency.js'
import type { Report } from '../../execution/lifecycle/result.js'
import { prepare } from '../../execution/plan/prepare.js'
import type { Account } from '../../execution/ports.js'
import type { Session } from '../../execution/session.js'
import { messagesOf, type Task } from '../../execution/task.js'
import type { SlippageChoice } from '../../operations/slippage/slippage-documents.js'
import { passwordPromptOf } from '../accounts/passwords.js'
import type { Context, FlagValues } from '../command.js'
import { exitOfError } from '../exit.js'
import { textOf } from '../flags/checked-flag.js'
import { clashing } from '../invalid-request.js'
import { confirmer } from './confirm.js'
import { dryRun, generateOnly, signOnly } from './modes.js'
import { printResult } from './print.js'
import { type Invocation, sessionOf, whileTracking } from './session.js'
import { onceOf } from './terms.js'

/**
 * Runs a command that may sign, with a password prompt, until it ends or ctrl-c stops it. Overrides by a
 * project's configuration file are refused.
 */
export async function whileExecuting(
  context: Context,
  flags: FlagValues,
  work: (call: Invocation) => Promise<void>,
): Promise<void> {
  requireOwnConfig(context.config.projectOverrides)
  await whileTracking(context, flags, async (call) => {
    const asking = passwordPromptOf(context, flags, call.interrupt)
    try {
      await work({ ...call, asking })
    } finally {
      asking.close()
    }
  })
}

/** The session of a task, or of a call that only tracks transactions. Open intents make ctrl-c wait. */
export async function sessionFor(call: Invocation, task?: Task): Promise<Session> {
  const { parts } = call
  const journal: Journal = {
    ...parts.journal,
    put(intent) {
      if (isOpen(intent)) call.hold()
      parts.journal.put(intent)
    },
  }
  return sessionOf({ ...call, parts: { ...parts, journal } }, task && confirmer(call, task))
}

/** Signs and sends what is left of an interrupted execution; `again` makes the task of it. */
export async function resumeRest(
  call: Invocation,
  intent: Intent,
  again: (settled: Intent) => Promise<Task>,
): Promise<void> {
  // The demo chain must be running before its market is read.
  await call.parts.chain()
  const session = await sessionFor(call, await again(intent))
  return printResult(call, await resume(session, intent, again))
}

/** Whether a call of a command needs a key. */
export const signs = (flags: FlagValues): boolean =>
  flags['dryRun'] !== true && flags['generateOnly'] !== true

/** Exit statuses of trades that the market or the account does not allow. */
const NOT_NOW = [3, 5, 6, 11]

/**
 * Returns what `make` builds from the current market and balances. If they do not allow the trade but it was
 * executed before under the same `--once` key, prints that result and returns `undefined`.
 */
export async function unlessExecuted<T>(
  {
    call,
    account,
    incomplete,
    ...asked
  }: Pick<KeyedRequest, 'request' | 'isOrder'> & Pick<CarryOutOptions, 'incomplete'> & Caller,
  make: () => Promise<T>,
): Promise<T | undefined> {
  const { flags } = call
  const once = onceOf(textOf(flags, 'once'))
  try {
    return await make()
  } catch (error) {
    const isExecuted = signs(flags) && flags['signOnly'] !== true
    if (once === null || !isExecuted || !NOT_NOW.includes(exitOfError(error))) throw error
    const session = await sessionFor(call)
    const before = await executedBefore(session, { ...asked, once }, account.address)
    if (before === undefined) throw error
    await printResult(call, { ...before, error: before.error ?? incomplete?.(before.report) })
    return undefined
  }
}

/** A call, and the account that signs for it. */
type Caller = { readonly call: Invocation; readonly account: Account }

/** Why a successful execution is incomplete; `undefined` if it is complete. */
export type Incomplete = (report: Report) => SwapError | undefined

type CarryOutOptions = {
  /** How the slippage was chosen, for the report. */
  readonly slippage?: SlippageChoice | undefined
  readonly incomplete?: Incomplete
}

/** Executes a task, or prints it with `--dry-run`, `--generate-only` or `--sign-only`. */
export async function carryOut(
  call: Invocation,
  task: Task,
  { slippage, incomplete }: CarryOutOptions,
): Promise<void> {
  const { flags } = call
  checkMode(flags)
  if (flags['generateOnly'] === true || flags['signOnly'] === true) requireOne(task)
  const session = await sessionFor(call, task)
  const chosen = slippage && { slippage }
  if (flags['dryRun'] === true) return dryRun(call, session, task, chosen)
  if (flags['generateOnly'] === true) return generateOnly(call, await prepare(session, task))
  if (flags['signOnly'] === true) return signOnly(call, session, task)
  const result = await execute(session, task, call.parts.newId)
  const report = { ...result.report, ...chosen }
  const error = result.error ?? incomplete?.(report)
  return printResult(call, { ...result, report, error })
}

/** @throws SwapError INVALID_REQUEST for two alternatives to signing and sending, or one that a flag has no effect on */
function checkMode(flags: FlagValues): void {
  const modes = ['dryRun', 'generateOnly', 'signOnly'].filter((name) => flags[name] === true)
  const [one, other] = modes.map(flagOf)
  if (one !== undefined && other !== undefined)
    throw clashing(one, other, 'each prints something else', '')
  if (one === '--generate-only' && flags['once'] !== undefined)
    throw clashing(
      one,
      '--once',
      'the key is recorded with the signature, which is made elsewhere',
      '',
    )
}

/** Printing is limited to one transaction: the effects of others would be lost. */
function requireOne(task: Task): void {
  const count = messagesOf(task).length
  if (task.terms.mode === 'batch' || count === 1) return
  throw invalidRequest('--mode legs cannot be printed as one transaction', '/mode', {
    why: `there are ${count} legs, each for a transaction of its own`,
    hint: 'leave --mode legs out: one transaction for all, or quote each leg apart',
  })
}
