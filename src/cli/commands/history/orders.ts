import type { HistoryAccess } from '../../../operations/history/history-port.js'
import {
  type OrderHistoryRequest,
  orderHistory,
} from '../../../operations/history/order-history.js'
import { plainStyle } from '../../../render/style.js'
import type { Context } from '../../command.js'
import { printAnswer } from '../../print-answer.js'
import { asOnePage, withoutPages } from './all-legs.js'
import type { DateRange } from './date-range.js'
import { NOTHING_YET, withoutOrders } from './index-state.js'
import { historyNaming } from './render-context.js'
import { orderChangesCsv, renderOrderChanges } from './render-orders.js'

/** Prints changes of orders: a page, or all of a range of dates. */
export async function showOrders(
  context: Context,
  access: HistoryAccess,
  request: OrderHistoryRequest,
  range: DateRange | undefined,
): Promise<void> {
  const { out, form } = context
  const answer =
    range === undefined
      ? await orderHistory(access, request)
      : asOnePage(await orderHistory(withoutPages(access, range), request))
  const isTable = form.kind === 'human' && out.style.tty
  if (!isTable && form.quiet < 2) {
    if (answer.indexed_height === null) out.note(NOTHING_YET)
    for (const line of withoutOrders(answer.without_orders, plainStyle)) out.note(line)
  }
  const denoms = answer.items.flatMap((item) => [item.offer_denom, item.receive_denom])
  const view = {
    ...historyNaming(context, access, denoms),
    request,
    standing: isTable ? await access.status() : undefined,
  }
  return printAnswer(context, answer, {
    quiet: () => [...new Set(answer.items.map(({ tx_hash }) => tx_hash))].join('\n'),
    csv: () => orderChangesCsv(answer, view),
    human: () => renderOrderChanges(answer, view, out.style),
  })
}
