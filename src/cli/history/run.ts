import type { HistoryAccess } from '../../app/history/access.js'
import { type HistoryAnswer, history, isTop } from '../../app/history/history.js'
import { type HistoryRequest, readHistoryRequest } from '../../app/history/request.js'
import { stringify } from '../../app/json.js'
import type { HistoryContext } from '../../render/history/context.js'
import { historyCsv } from '../../render/history/csv.js'
import { renderLegs } from '../../render/history/legs.js'
import { renderTop } from '../../render/history/top.js'
import { refuseMore } from '../arguments.js'
import type { Context, FlagValues } from '../command.js'
import { isWatched } from '../watch/options.js'
import { fill } from './fill.js'
import { fillingOf, historyRequestOf } from './request.js'

/** Shows what was executed, from the index; fills that first where it is asked to. */
export async function runHistory(
  context: Context,
  args: readonly string[],
  flags: FlagValues,
): Promise<void> {
  refuseMore('history', args)
  const request = historyRequestOf(flags)
  const filling = fillingOf(flags)
  // What is wrong with the call is said before an hour of work and not after it.
  readHistoryRequest(request)
  const access = await context.history()
  try {
    if (filling !== undefined && !(await fill(context, access, filling))) return
    if (isWatched(flags)) {
      const { watchHistory } = await import('../watch/history.js')
      return await watchHistory(context, flags, access, request)
    }
    await show(context, access, request)
  } finally {
    await access.close()
  }
}

async function show(
  { out, form, config }: Context,
  access: HistoryAccess,
  request: HistoryRequest,
): Promise<void> {
  const answer = await history(access, request)
  if (form.quiet > 1) return
  if (form.quiet === 1) return out.result(valuesOf(answer).join('\n'))
  if (form.kind === 'json') return out.result(stringify(answer))
  const view: HistoryContext = {
    network: config.network.name,
    request,
    tokens: tokensOf(answer, access, config.network.tokens),
    aliases: config.aliases,
    human: form.human,
  }
  if (form.kind === 'csv') return out.result(historyCsv(answer, view))
  return out.result(
    isTop(answer) ? renderTop(answer, view, out.style) : renderLegs(answer, view, out.style),
  )
}

/** The one thing that a script wants of each: the transaction, or the wallet. */
const valuesOf = (answer: HistoryAnswer): readonly string[] =>
  isTop(answer)
    ? answer.items.map(({ sender }) => sender)
    : [...new Set(answer.items.map(({ tx_hash }) => tx_hash))]

/** The tokens of the network, and those of the answer besides. */
function tokensOf(
  answer: HistoryAnswer,
  access: HistoryAccess,
  known: HistoryContext['tokens'],
): HistoryContext['tokens'] {
  const denoms = isTop(answer) ? [] : answer.items.flatMap(({ path }) => path)
  return new Map([...known, ...denoms.map((denom) => [denom, access.token(denom)] as const)])
}
