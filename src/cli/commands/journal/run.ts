import { SwapError } from '../../../engine/errors.js'
import { type Intent, isOpen } from '../../../execution/journal/intent.js'
import { unreadNote } from '../../../execution/journal/journal.js'
import { reportOf } from '../../../execution/lifecycle/result.js'
import { refreshIfFree } from '../../../execution/lifecycle/settle.js'
import type { Context, FlagValues, Run } from '../../command.js'
import { sessionOf, whileTracking } from '../../execution/session.js'
import { limitFlag } from '../../flags/command-flags.js'
import { printAnswer } from '../../print-answer.js'
import { journalCsv } from './journal-csv.js'
import { renderJournal } from './render.js'

const MAX_LIMIT = limitFlag.schema.maximum!

/** Shows intents that this machine has signed and sent. Nodes are queried only for open ones. */
export const runJournal: Run = async (context, _args, flags) => {
  const { out, form, config } = context
  const { journal } = await context.execution()
  const isCsv = form.kind === 'csv'
  const most = isCsv && flags['limit'] === undefined ? MAX_LIMIT : limitFlag.read(flags)
  const recent = journal.recent(MAX_LIMIT)
  const all = recent.intents.filter(({ chain_id }) => chain_id === config.network.chainId)
  if (form.kind !== 'json') for (const each of recent.unread) out.note(unreadNote(each))
  if (form.quiet > 1) return
  const intents = await refreshOpen(context, flags, all.slice(0, most))
  const newest = { network: config.network.name, total: all.length, intents }
  const document = {
    ...newest,
    intents: intents.map(intentDocument),
    unread: recent.unread,
  }
  return printAnswer(context, document, {
    quiet: () => intents.map(({ id }) => id).join('\n'),
    csv: () => journalCsv(intents, config.network.tokens),
    human: () => renderJournal(newest, namingOf(context), out.style),
  })
}

export const namingOf = ({ config }: Context) => ({
  tokens: config.network.tokens,
  aliases: config.aliases,
  explorer: config.network.explorer,
})

/** Updates open intents with their status on the chain. */
async function refreshOpen(
  context: Context,
  flags: FlagValues,
  intents: readonly Intent[],
): Promise<readonly Intent[]> {
  if (!intents.some(isOpen)) return intents
  try {
    return await whileTracking(context, flags, async (call) => {
      const session = await sessionOf(call)
      const now: Intent[] = []
      for (const intent of intents)
        now.push(isOpen(intent) ? (await refreshIfFree(session, intent)).intent : intent)
      return now
    })
  } catch (error) {
    // The journal is readable without its network.
    if (!(error instanceof SwapError)) throw error
    context.out.note(`open entries were not updated: ${error.message}`)
    return intents
  }
}

/** The document of an intent without the signed bytes, which any holder could broadcast. */
export const intentDocument = (intent: Intent): object => ({
  ...intent,
  open: isOpen(intent),
  report: reportOf(intent),
  txs: intent.txs.map(({ bytes: _, public_key: __, ...tx }) => tx),
})
