import { invalidRequest } from '../../../engine/errors.js'
import { history, isTop, quarantine } from '../../../operations/history/history.js'
import {
  type HistoryAnswer,
  type HistoryRequest,
  readHistoryRequest,
} from '../../../operations/history/history-documents.js'
import type { HistoryAccess } from '../../../operations/history/history-port.js'
import { defaultAddress } from '../../accounts/default-signer.js'
import { withAddresses } from '../../accounts/resolve-address.js'
import type { Context, FlagValues, Run } from '../../command.js'
import { printAnswer } from '../../print-answer.js'
import { isWatched } from '../../watch/watch-options.js'
import { allLegs } from './all-legs.js'
import { catchUp, fillIndex, paidFees } from './fill.js'
import { historyCsv, taxCsv } from './history-csv.js'
import { quarantineCsv, renderLegs, renderQuarantine, renderTop } from './render.js'
import { historyNaming, isTable, NOTHING_YET, noteStanding, standingOf } from './render-context.js'
import {
  type Export,
  exportOf,
  fillingOf,
  historyRequestOf,
  isQuarantine,
  orderHistoryRequestOf,
} from './request.js'

/** Shows executed swaps from the index, which `--sync` fills first. */
export const runHistory: Run = async (context, _args, given) => {
  const flags = await withAddresses(context, given, 'sender', 'owner')
  const request = historyRequestOf(flags)
  const filling = fillingOf(flags)
  const exported = exportOf(flags, request)
  const isAside = isQuarantine(flags)
  const orders = await ordersRequest(context, flags)
  const watching = isWatched(flags) ? await import('./watch-history.js') : undefined
  watching?.requireWatchable(context, flags, request)
  // The request is validated before the index is filled, which may take an hour.
  readHistoryRequest(request)
  const access = await context.history()
  try {
    if (filling !== undefined && !(await fillIndex(context, access, filling))) return
    if (watching !== undefined) return await watching.watchHistory(context, flags, access, request)
    if (filling === undefined) await catchUp(context, access)
    if (orders !== undefined) {
      const { showOrders } = await import('./orders.js')
      return await showOrders(context, access, orders, exported?.range)
    }
    if (isAside) return await showQuarantine(context, access, request)
    if (exported?.format !== undefined) return await showTaxFile(context, access, request, exported)
    await show(context, access, request, exported)
  } finally {
    await access.close()
  }
}

/** The request of `--orders`, whose pair may be given by its tokens. */
async function ordersRequest(context: Context, flags: FlagValues) {
  const request = orderHistoryRequestOf(flags)
  if (request === undefined) return undefined
  const { readOrderHistoryRequest } = await import('../../../operations/history/order-history.js')
  readOrderHistoryRequest(request)
  const { pair } = request
  if (pair === undefined || pair.startsWith(`${context.config.network.prefix}1`)) return request
  const { pairNamed } = await import('../../arguments/pair-name.js')
  const { market } = await context.app.openMarket()
  return { ...request, pair: pairNamed(context, market, pair) }
}

async function show(
  context: Context,
  access: HistoryAccess,
  request: HistoryRequest,
  exported: Export | undefined,
) {
  const { out } = context
  const answer =
    exported === undefined
      ? await history(access, request)
      : await allLegs(access, request, exported.range)
  const standing = await standingOf(context, access, isEmpty(answer))
  const view = { ...historyNaming(context, access, denomsOf(answer)), request }
  const shown = { ...view, standing }
  return printAnswer(context, answer, {
    quiet: () => valuesOf(answer).join('\n'),
    csv: () => historyCsv(answer, view),
    human: () =>
      isTop(answer) ? renderTop(answer, shown, out.style) : renderLegs(answer, shown, out.style),
  })
}

/** Prints a tax file: the swaps of a wallet, by default of the default signer. */
async function showTaxFile(
  context: Context,
  access: HistoryAccess,
  request: HistoryRequest,
  { format, range }: Export,
) {
  const { out, form, config } = context
  const { sender, txHash, affiliate, type } = request
  const isChosen = [sender, txHash, affiliate, type].some((each) => each !== undefined)
  const wallet = isChosen ? request : { ...request, sender: await defaultWallet(context) }
  const answer = await allLegs(access, wallet, range)
  if (form.quiet > 1) return
  if (form.quiet === 1) return out.result(valuesOf(answer).join('\n'))
  if (isEmpty(answer)) out.note(NOTHING_YET)
  noteStanding(out, await access.status())
  if (wallet.sender !== undefined) {
    const { noteOrders } = await import('./orders.js')
    await noteOrders(out, access, wallet.sender, range)
  }
  const fees = paidFees(context)
  const denoms = [...denomsOf(answer), ...[...fees.values()].map(({ denom }) => denom)]
  const naming = historyNaming(context, access, denoms)
  const { chainId } = config.network
  return out.result(taxCsv(answer.items, format!, { ...naming, chainId, fees }))
}

async function defaultWallet(context: Context): Promise<string> {
  const address = await defaultAddress(context)
  if (address !== undefined) {
    context.out.note(`swaps of ${address}`)
    return address
  }
  throw invalidRequest('a tax file covers one wallet, and none is given', '/sender', {
    why: 'there is no default key, and not exactly one key of this network',
    hint: 'name it: --sender main',
  })
}

async function showQuarantine(context: Context, access: HistoryAccess, request: HistoryRequest) {
  const answer = await quarantine(access, request)
  const { form, out } = context
  if (answer.indexed_height === null && form.quiet === 0 && !isTable(context)) out.note(NOTHING_YET)
  const view = { ...historyNaming(context, access, []), request }
  return printAnswer(context, answer, {
    quiet: () => answer.items.map(({ height }) => height).join('\n'),
    csv: () => quarantineCsv(answer),
    human: () => renderQuarantine(answer, view, out.style),
  })
}

const isEmpty = (answer: HistoryAnswer): boolean =>
  isTop(answer) ? answer.to === null : answer.indexed_height === null

/** The values that `-q` prints: transaction hashes, or wallets. */
const valuesOf = (answer: HistoryAnswer): readonly string[] =>
  isTop(answer)
    ? answer.items.map(({ sender }) => sender)
    : [...new Set(answer.items.map(({ tx_hash }) => tx_hash))]

const denomsOf = (answer: HistoryAnswer): readonly string[] =>
  isTop(answer) ? [] : answer.items.flatMap(({ path }) => path)
