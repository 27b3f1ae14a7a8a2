import { inChunks } from './database.js'
import type { OrderRow, SwapRow, Tx } from './schema.js'

/** Rows per list: a page's `total` without counting rows. */
export type Scope =
  | 'all'
  | 'type'
  | 'sender'
  | 'affiliate'
  | 'quarantined'
  | 'orders'
  | 'owner'
  | 'pair'

/** The affiliate lists of a leg: by code and by address. */
export const affiliatesOf = (row: SwapRow): readonly string[] => [
  ...new Set([row.affiliate_code, row.affiliate_address].filter((name) => name !== null)),
]

/** Adds inserted rows and quarantined events to the counters of their lists. */
export async function addCounters(
  tx: Tx,
  rows: readonly SwapRow[],
  orders: readonly OrderRow[],
  quarantined: number,
): Promise<void> {
  await inChunks<ScopeCount>(
    [...countedOf(rows, orders), { scope: 'quarantined', name: '', swaps: quarantined }],
    (counts) =>
      tx
        .insertInto('tally')
        .values(counts)
        .onConflict((conflict) =>
          conflict.columns(['scope', 'name']).doUpdateSet((column) => ({
            swaps: column('tally.swaps', '+', column.ref('excluded.swaps')),
          })),
        )
        .execute(),
  )
}

type ScopeCount = { readonly scope: Scope; readonly name: string; readonly swaps: number }

function countedOf(rows: readonly SwapRow[], orders: readonly OrderRow[]): Iterable<ScopeCount> {
  const counts = new Map<string, { scope: Scope; name: string; swaps: number }>()
  const add = (scope: Scope, name: string): void => {
    const key = `${scope} ${name}`
    const count = counts.get(key) ?? { scope, name, swaps: 0 }
    count.swaps += 1
    counts.set(key, count)
  }
  for (const row of rows) {
    add('all', '')
    add('type', row.type)
    add('sender', row.sender)
    for (const affiliate of affiliatesOf(row)) add('affiliate', affiliate)
  }
  for (const row of orders) {
    add('orders', '')
    add('owner', row.owner)
    add('pair', row.pair)
  }
  return counts.values()
}
