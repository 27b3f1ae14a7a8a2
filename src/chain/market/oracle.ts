import type { Decimal } from '../../engine/math/decimal.js'
import { decodeOrderRate, ORDERS_KEY, type OracleOrder, oracleOrderOf } from '../queries/order.js'
import { startsWith } from '../queries/pool.js'
import { type Ask, answered, Unreadable } from '../queries/query-batch.js'
import { type Page, type Stored, smart, storage } from '../queries/questions.js'

/** Pages of orders that are looked through, a hundred each. */
const PAGES = 50

/**
 * The rates of a pair's oracle-priced pools as of the height of `ask`, by their deviation in basis
 * points: the pair itself tells the rate of an order, and every pool that is not empty has one.
 *
 * @throws Unreadable where no order is found for one of them, or the oracle does not answer
 */
export async function readOracleRates(
  ask: Ask,
  address: string,
  deviations: ReadonlySet<number>,
): Promise<ReadonlyMap<number, Decimal>> {
  if (deviations.size === 0) return new Map()
  const orders = await findOrders(ask, address, deviations)
  const rates = await Promise.all(
    [...orders.values()].map(async ({ owner, side, bps }) => {
      const question = smart(address, { order: [owner, side, { oracle: bps }] }, decodeOrderRate)
      return [bps, answered(await ask(question), 'an order with an oracle’s price')] as const
    }),
  )
  return new Map(rates)
}

/** One order of each deviation. */
async function findOrders(
  ask: Ask,
  address: string,
  deviations: ReadonlySet<number>,
): Promise<ReadonlyMap<number, OracleOrder>> {
  const found = new Map<number, OracleOrder>()
  let from: Uint8Array | undefined = ORDERS_KEY
  for (let pages = 0; from !== undefined && pages < PAGES; pages++) {
    const page: Page<Stored> = answered(await ask(storage(address, from)), 'its orders')
    for (const { key } of page.items) {
      const order = oracleOrderOf(key)
      if (order && deviations.has(order.bps)) found.set(order.bps, order)
    }
    if (found.size === deviations.size) return found
    from = page.next && startsWith(page.next, ORDERS_KEY) ? page.next : undefined
  }
  throw new Unreadable('it has pools with an oracle’s price for which no order is found')
}
