import type { Session } from '../session.js'
import type { Task } from '../task.js'
import { prepareOrders } from './prepare-orders.js'
import { prepareSwap } from './prepare-swap.js'
import type { PreparedTx } from './prepared.js'

/**
 * All steps before the confirmation. Nothing is signed.
 *
 * @param left indexes of the messages that remain; all by default
 */
export const prepare = (
  session: Session,
  task: Task,
  left?: readonly number[],
): Promise<PreparedTx> =>
  'plan' in task ? prepareOrders(session, task, left) : prepareSwap(session, task, left)
