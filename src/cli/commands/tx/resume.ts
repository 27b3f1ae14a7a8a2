import { SwapError } from '../../../engine/errors.js'
import { parseOrderId } from '../../../engine/orders/order-price.js'
import { resume } from '../../../execution/execute.js'
import { type Intent, isUnfinished, type OrderRecord } from '../../../execution/journal/intent.js'
import type { ExecutionResult, Report } from '../../../execution/lifecycle/result.js'
import { fixedDraft, type OrderDraft } from '../../../operations/orders/order-preview.js'
import { sentence } from '../../../render/layout.js'
import { passwordPromptOf } from '../../accounts/passwords.js'
import type { Context, FlagValues, Run } from '../../command.js'
import { accountOfIntent } from '../../execution/account.js'
import { resumeRest, whileExecuting } from '../../execution/carry-out.js'
import type { ExecutionParts } from '../../execution/dependencies.js'
import { printDocument, printReport, printResult } from '../../execution/print.js'
import { sessionOf, type Tracking, whileTracking } from '../../execution/session.js'
import { isUnattended } from '../../execution/terms.js'
import { runExecute } from '../execute/run.js'
import { journalCsv } from '../journal/journal-csv.js'
import { orderTask } from '../order/sign.js'
import { intentOnNetwork, notInJournal } from './show.js'

/**
 * Tracks signed transactions until their outcome is final. The remaining legs of an interrupted execution are
 * signed after a confirmation or with `--yes`.
 */
export const runResume: Run = async (context, [word], flags) => {
  const parts = await context.execution()
  const named = word === undefined ? undefined : intentNamed(context, parts, word)
  if (named !== undefined && isUnfinished(named) && canSign(context, flags))
    return named.orders === undefined
      ? runExecute(context, [], { ...flags, resume: named.id })
      : resumeOrders(context, named, flags)
  await whileTracking(context, flags, async (call) => {
    // The first ctrl-c waits for one more poll: something was signed.
    call.hold()
    const follow = async (intent: Intent) => resume(await sessionOf(call), intent)
    if (named === undefined) return resumeAll(call, follow)
    return printResult(call, await follow(named))
  })
}

/** Whether a confirmation was given or a terminal can ask for it. */
function canSign(context: Context, flags: FlagValues): boolean {
  if (isUnattended(flags)) return true
  const asking = passwordPromptOf(context, flags)
  const isAsked = asking.terminal() !== undefined
  asking.close()
  return isAsked
}

/**
 * Resumes every open intent of this network. A failure does not stop the others: the worst error decides the
 * exit status, and its document has the reports of all.
 */
async function resumeAll(
  { context, parts, flags }: Tracking,
  follow: (intent: Intent) => Promise<ExecutionResult>,
): Promise<void> {
  const { config, out, form } = context
  const open = parts.journal.open().filter(({ chain_id }) => chain_id === config.network.chainId)
  const reports: Report[] = []
  let worst: SwapError | undefined
  for (const intent of open) {
    const { report, error, unwritten } = await follow(intent).catch(stoppedBy)
    if (unwritten !== undefined) out.note(unwritten.message)
    if (report !== undefined) reports.push(report)
    if (error === undefined) continue
    if (report === undefined) out.note(`${intent.id} was not followed: ${error.message}`)
    if (worst === undefined || error.code === 'OUTCOME_UNKNOWN') worst = error
  }
  const executions = { network: config.network.name, executions: reports }
  // The document of an error has them.
  if (form.kind !== 'json' || worst === undefined)
    await printAll({ context, parts, flags }, executions)
  if (open.length === 0 && form.kind === 'human' && form.quiet === 0)
    await out.result(sentence(NONE_OPEN, out.style))
  if (worst === undefined) return
  throw worst.with({ members: { ...worst.members, ...executions } })
}

/** Prints the reports of all, each in the form of the call. */
async function printAll(
  { context, parts, flags }: Pick<Tracking, 'context' | 'parts' | 'flags'>,
  answer: { readonly executions: readonly Report[] },
): Promise<void> {
  const { config, out, form } = context
  const { executions } = answer
  if (form.quiet === 0 && form.kind === 'json') return printDocument(context, flags, answer)
  if (form.quiet === 0 && form.kind === 'csv') {
    // The columns of a swap's report are not those of an order's.
    const resumed = executions.flatMap(({ id }) => parts.journal.find(`${id}`) ?? [])
    return out.result(journalCsv(resumed, config.network.tokens))
  }
  for (const report of executions) await printReport(context, report)
}

const NONE_OPEN = 'No open transactions: the outcome of each one signed here is final.'

/** The error of an intent that could not be tracked, e.g. since another process holds its account. */
function stoppedBy(error: unknown): Partial<ExecutionResult> {
  if (error instanceof SwapError) return { error }
  throw error
}

/** The intent of an id or a hash on the selected network. @throws SwapError TX_NOT_FOUND */
function intentNamed(context: Context, parts: ExecutionParts, word: string): Intent {
  const intent = intentOnNetwork(context, parts, word)
  if (intent === undefined) throw notInJournal(word)
  return intent
}

/** Signs and sends the remaining order messages of an interrupted execution. */
const resumeOrders = (context: Context, intent: Intent, flags: FlagValues): Promise<void> =>
  whileExecuting(context, flags, (call) =>
    resumeRest(call, intent, async (settled) => {
      const { orders = [] } = settled
      const account = await accountOfIntent(context, settled, flags, call.asking)
      const task = await orderTask(context, account, orders.map(draftOf), flags)
      return { ...task, terms: { ...task.terms, mode: 'legs' } }
    }),
  )

/** The message of a record, as it was confirmed. */
function draftOf({ pair, entries }: OrderRecord): OrderDraft {
  const sent = entries.map(({ id, target }) => {
    const { side, price } = parseOrderId(id)!
    return { side, price, target: target === null ? undefined : BigInt(target) }
  })
  return fixedDraft(pair, sent)
}
