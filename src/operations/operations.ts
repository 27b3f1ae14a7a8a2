import { arbrouteOperation } from './arbitrage/arbroute-operation.js'
import { arbsOperation } from './arbitrage/arbs-operation.js'
import { snapshotOperation } from './book/snapshot-operation.js'
import type { Operation } from './operation.js'
import { orderPreviewOperation } from './orders/order-preview-operation.js'
import { ordersOperation } from './orders/orders-operation.js'
import { routeOperation } from './route/route-operation.js'
import { simulateOperation } from './simulate/simulate-operation.js'
import { srouteOperation } from './split/split-operation.js'
import { tokensOperation } from './tokens/tokens-operation.js'

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
