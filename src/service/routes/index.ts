import type { Operation } from '../endpoint.js'
import { arbrouteOperation } from './arbroute.js'
import { arbsOperation } from './arbs.js'
import { routeOperation } from './route.js'
import { simulateOperation } from './simulate.js'
import { srouteOperation } from './sroute.js'
import { tokensOperation } from './tokens.js'

/** Every operation, in the order of the documentation. */
export const operations: readonly Operation[] = [
  tokensOperation,
  routeOperation,
  srouteOperation,
  simulateOperation,
  arbsOperation,
  arbrouteOperation,
]

/** The operation of a name. Names come from this table only. */
export function operationOf(name: string): Operation {
  const found = operations.find((each) => each.name === name)
  if (found === undefined) throw new Error(`there is no operation ${name}`)
  return found
}
