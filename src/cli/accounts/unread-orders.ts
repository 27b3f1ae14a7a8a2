import { counted } from '../../engine/math/counted.js'
import { type MarketOrders, unreadText } from '../../operations/orders/read-orders.js'
import { paragraph } from '../../render/layout.js'
import type { Style } from '../../render/style.js'
import type { Context } from '../command.js'

/** That orders of some pairs are missing, beside a table. */
export const unreadLines = ({ length }: MarketOrders['unread'], style: Style): readonly string[] =>
  length === 0 ? [] : paragraph(`Orders of ${counted(length, 'pair')} could not be read.`, style)

/** Notes that orders are missing where the answer itself does not say so: in a pipe, in CSV, with `-q`. */
export function noteUnread({ form, out }: Context, unread: MarketOrders['unread']): void {
  const isShown = form.kind === 'json' || (out.style.tty && form.kind !== 'csv' && form.quiet === 0)
  if (unread.length > 0 && !isShown) out.note(unreadText(unread))
}
