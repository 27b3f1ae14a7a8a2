import { inChunks } from './database.js'
import type { OrderRow, SwapRow, Tx } from './schema.js'

/** The lists whose rows are counted as they are inserted: the `total` of a page is read, not counted. */
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

/** Adds inserted rows and quarantined events to the counters of their lists, or subtracts removed ones. */
export async function addCounters(
  tx: Tx,
  rows: readonly SwapRow[],
  orders: readonly OrderRow[],
  quarantined: number,
  sign: 1 | -1 = 1,
): Promise<void> {
  await inChunks<ScopeCount>(
    [...countedOf(rows, orders), { scope: 'quarantined', name: '', swaps: quarantined }],
    (counts) =>
      tx
        .insertInto('tally')
        .values(counts.map((count) => ({ ...count, swaps: sign * count.swaps })))
        .onConflict((conflict) =>
          conflict.columns(['scope', 'name']).doUpdateSet((column) => ({
            swaps: column('tally.swaps', '+', column.ref('excluded.swaps')),
          })),
        )
        .execute(),
  )
}

/** `swaps` counts rows of any kind: the column is named after the first one. */
type ScopeCount = { readonly scope: Scope; readonly name: string; readonly swaps: number }

function countedOf(rows: readonly SwapRow[], orders: readonly OrderRow[]): Iterable<ScopeCount> {
  const counts = new Map<string, ScopeCount>()
  const add = (scope: Scope, name: string): void => {
    const key = `${scope} ${name}`
    counts.set(key, { scope, name, swaps: (counts.get(key)?.swaps ?? 0) + 1 })
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
