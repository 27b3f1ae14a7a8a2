import { type HistoryAnswer, history, isTop } from '../../../operations/history/history.js'
import type { HistoryAccess } from '../../../operations/history/history-access.js'
import {
  type HistoryRequest,
  readHistoryRequest,
} from '../../../operations/history/history-request.js'
import { quarantine } from '../../../operations/history/quarantine.js'
import { stringify } from '../../../operations/json.js'
import { withAddresses } from '../../accounts/resolve-address.js'
import type { Context, FlagValues } from '../../command.js'
import { isWatched } from '../../watch/watch-options.js'
import { catchUp } from './catch-up.js'
import { filled } from './fill.js'
import type { HistoryContext } from './render-context.js'
import { historyCsv } from './render-csv.js'
import { renderLegs } from './render-legs.js'
import { quarantineCsv, renderQuarantine } from './render-quarantine.js'
import { renderTop } from './render-top.js'
import { fillingOf, historyRequestOf, isQuarantine } from './request.js'

/** Shows what was executed, from the index; fills that first where it is asked to. */
export async function runHistory(
  context: Context,
  _args: readonly string[],
  given: FlagValues,
): Promise<void> {
  const flags = await withAddresses(context, given, 'sender')
  const request = historyRequestOf(flags)
  const filling = fillingOf(flags)
  const isAside = isQuarantine(flags, request)
  // What is wrong with the call is said before an hour of work and not after it.
  readHistoryRequest(request)
  const access = await context.history()
  try {
    if (filling !== undefined && !(await filled(context, access, filling))) return
    if (isWatched(flags)) {
      const { watchHistory } = await import('./watch-history.js')
      return await watchHistory(context, flags, access, request)
    }
    if (filling === undefined) await catchUp(context, access)
    if (isAside) return await showQuarantine(context, access, request)
    await show(context, access, request)
  } finally {
    await access.close()
  }
}

async function show(context: Context, access: HistoryAccess, request: HistoryRequest) {
  const { out, form, config } = context
  const answer = await history(access, request)
  if (form.quiet > 1) return
  if (form.quiet === 1) return out.result(valuesOf(answer).join('\n'))
  if (isEmpty(answer) && !isForPeople(context)) out.note(NOTHING_YET)
  if (form.kind === 'json') return out.result(stringify(answer))
  const view: HistoryContext = {
    ...viewOf(context, request),
    tokens: tokensOf(answer, access, config.network.tokens),
    standing: isForPeople(context) ? await access.status() : undefined,
  }
  if (form.kind === 'csv') return out.result(historyCsv(answer, view))
  return out.result(
    isTop(answer) ? renderTop(answer, view, out.style) : renderLegs(answer, view, out.style),
  )
}

async function showQuarantine(context: Context, access: HistoryAccess, request: HistoryRequest) {
  const { out, form } = context
  const answer = await quarantine(access, request)
  if (form.quiet > 1) return
  if (form.quiet === 1) return out.result(answer.items.map(({ height }) => height).join('\n'))
  if (form.kind === 'json') return out.result(stringify(answer))
  if (form.kind === 'csv') return out.result(quarantineCsv(answer))
  return out.result(renderQuarantine(answer, viewOf(context, request), out.style))
}

/** For who sees no more than that there are no rows. */
const NOTHING_YET = 'nothing is indexed yet; fill the index once: swap history --sync'

const isEmpty = (answer: HistoryAnswer): boolean =>
  isTop(answer) ? answer.to === null : answer.indexed_height === null

const viewOf = ({ config, form }: Context, request: HistoryRequest): HistoryContext => ({
  network: config.network.name,
  request,
  tokens: config.network.tokens,
  aliases: config.aliases,
  human: form.human,
})

const isForPeople = ({ out, form }: Context): boolean =>
  form.kind === 'human' && (out.style.tty || form.human)

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
