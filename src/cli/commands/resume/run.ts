import { SwapError } from '../../../engine/errors.js'
import { resume } from '../../../execution/execute.js'
import type { Intent } from '../../../execution/journal/intent.js'
import type { Report } from '../../../execution/lifecycle/report.js'
import type { ExecutionResult } from '../../../execution/lifecycle/result.js'
import { stringify } from '../../../operations/json.js'
import type { Context, FlagValues } from '../../command.js'
import type { ExecutionParts } from '../execute/dependencies.js'
import { printReport, printResult } from '../execute/print.js'
import { interruptible, sessionOf } from '../execute/session.js'

/** Tracks signed transactions until their outcome is certain. Signs nothing. */
export async function runResume(
  context: Context,
  [word]: readonly string[],
  flags: FlagValues,
): Promise<void> {
  await interruptible(
    context,
    async (interrupt) => {
      const parts = await context.execution()
      const follow = async (intent: Intent) => {
        const session = await sessionOf(context, parts, flags, {
          interrupt,
          confirm: neverConfirms,
        })
        return resume(session, intent)
      }
      if (word === undefined) return resumeAll(context, parts, follow)
      return printResult(context, await follow(intentNamed(context, parts, word)), flags)
    },
    always,
  )
}

/** The first ctrl-c waits for one more poll: something was signed. */
const always = (): boolean => true

/** Resumes every open intent of this network; the worst error decides the exit code. */
async function resumeAll(
  context: Context,
  parts: ExecutionParts,
  follow: (intent: Intent) => Promise<ExecutionResult>,
): Promise<void> {
  const { config, out, form } = context
  const open = parts.journal.open().filter(({ chain_id }) => chain_id === config.network.chainId)
  const reports: Report[] = []
  let worst: SwapError | undefined
  for (const intent of open) {
    const { report, error, unwritten } = await follow(intent)
    if (unwritten !== undefined) out.note(unwritten.message)
    reports.push(report)
    if (error !== undefined && (worst === undefined || error.code === 'OUTCOME_UNKNOWN'))
      worst = error
  }
  if (form.kind === 'json' && worst === undefined)
    await out.result(stringify({ network: config.network.name, executions: reports }))
  if (form.kind !== 'json') for (const report of reports) await printReport(context, report)
  if (open.length === 0 && form.kind !== 'json' && form.quiet === 0)
    await out.result('Nothing is open: everything that was signed here is settled.')
  if (worst !== undefined) throw worst
}

const neverConfirms = (): never => {
  throw new Error('following signs nothing')
}

/** The intent of an id or of a hash, on the network that is meant. @throws SwapError TX_NOT_FOUND */
export function intentNamed(
  { config }: Context,
  { journal }: ExecutionParts,
  word: string,
): Intent {
  const intent = journal.find(word)
  if (intent !== undefined && intent.chain_id === config.network.chainId) return intent
  throw new SwapError('TX_NOT_FOUND', `the journal does not know ${word.slice(0, 80)}`, {
    why:
      intent === undefined
        ? 'it was not signed on this machine'
        : `it is of ${intent.network}, and this is ${config.network.name}`,
    hint: intent === undefined ? 'list what it knows: swap journal' : `say -n ${intent.network}`,
    members: { tx_hash: word.slice(0, 80) },
  })
}
