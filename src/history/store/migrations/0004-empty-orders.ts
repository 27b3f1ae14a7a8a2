/**
 * Removes the orders of nothing that earlier versions stored for the cancel of an immediate order that
 * was taken as a whole, and takes them out of the counters (docs/chain.md#executed-orders).
 */
export const emptyOrders = (): readonly string[] => [
  `update tally set swaps = swaps - (
    select count(*) from order_change where ${EMPTY} and (
      tally.scope = 'orders'
      or (tally.scope = 'owner' and order_change.owner = tally.name)
      or (tally.scope = 'pair' and order_change.pair = tally.name)
    )
  ) where scope in ('orders', 'owner', 'pair')`,
  `delete from order_change where ${EMPTY}`,
]

const EMPTY = `action = 'place' and sold = '0' and added = '0' and received = '0'`
