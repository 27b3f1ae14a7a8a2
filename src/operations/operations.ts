import { arbrouteOperation, arbsOperation } from './arbitrage/arbitrage-operations.js'
import { snapshotOperation, tokensOperation } from './market-operations.js'
import type { Operation } from './operation.js'
import { orderPreviewOperation, ordersOperation } from './orders/order-operations.js'
import { routeOperation, simulateOperation, srouteOperation } from './quote-operations.js'

/** Every operation, in the order of the documentation. */
export const operations: readonly Operation[] = [
  tokensOperation,
  routeOperation,
  srouteOperation,
  simulateOperation,
  arbsOperation,
  arbrouteOperation,
  ordersOperation,
  orderPreviewOperation,
]

/** The operation of a name. Names come from this table only. */
export function operationOf(name: string): Operation {
  const found = [...operations, snapshotOperation].find((each) => each.name === name)
  if (found === undefined) throw new Error(`there is no operation ${name}`)
  return found
}
