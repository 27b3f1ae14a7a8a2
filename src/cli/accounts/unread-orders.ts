import { type MarketOrders, unreadText } from '../../operations/orders/read-orders.js'
import type { Context } from '../command.js'

/** Notes that orders are missing where the answer itself does not say so: in a pipe, in CSV, with `-q`. */
export function noteUnread({ form, out }: Context, unread: MarketOrders['unread']): void {
  const isShown = form.kind === 'json' || (out.style.tty && form.kind !== 'csv' && form.quiet === 0)
  if (unread.length > 0 && !isShown) out.note(unreadText(unread))
}
