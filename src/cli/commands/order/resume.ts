import { parseOrderId } from '../../../engine/orders/order-price.js'
import { resume } from '../../../execution/execute.js'
import type { Intent, OrderRecord } from '../../../execution/journal/intent.js'
import type { OrderTask } from '../../../execution/task.js'
import { fixedDraft, type OrderDraft } from '../../../operations/orders/order-preview.js'
import type { Context, FlagValues } from '../../command.js'
import { accountOf, flagsOfIntent } from '../../execution/account.js'
import { sessionFor, whileExecuting } from '../../execution/carry-out.js'
import { printResult } from '../../execution/print.js'
import { orderTask } from './sign.js'

/** Signs and sends the order messages that an interrupted execution left. */
export const resumeOrders = (context: Context, intent: Intent, flags: FlagValues): Promise<void> =>
  whileExecuting(context, flags, async (call) => {
    const parts = await context.execution()
    await parts.chain()
    const again = async (settled: Intent): Promise<OrderTask> => {
      const { orders = [] } = settled
      const own = { ...flagsOfIntent(settled, flags), mode: 'legs' }
      const account = await accountOf(context, own, call.asking)
      const task = orderTask(context, account, orders.map(draftOf), flags)
      return { ...task, terms: { ...task.terms, mode: 'legs' } }
    }
    const session = await sessionFor(context, parts, call, await again(intent))
    return printResult(context, await resume(session, intent, again), flags)
  })

/** The message of a record, as it was confirmed. */
function draftOf({ pair, entries }: OrderRecord): OrderDraft {
  const sent = entries.map(({ id, target }) => {
    const { side, price } = parseOrderId(id)!
    return { side, price, target: target === null ? undefined : BigInt(target) }
  })
  return fixedDraft(pair, sent)
}
