import { fromHex } from '../../platform/encoding.js'
import { addCounters, affiliatesOf } from './counters.js'
import { storeRow } from './fence.js'
import type { BlockId } from './history-store.js'
import { rewindLeaderboards } from './leaderboard.js'
import type { Tables, Tx } from './schema.js'

/** Tables with the rows of a height of a chain. */
const tables = [
  'swap',
  'order_change',
  'quarantine',
  'block',
] as const satisfies readonly (keyof Tables)[]

/**
 * Removes blocks inside the leader's transaction, so that the tables are as if these had never been added.
 *
 * @param base the block before them, which is indexed
 * @param to the last one, after which none is indexed
 */
export async function forgetBlocks(
  tx: Tx,
  chainId: string,
  base: BlockId,
  to: number,
): Promise<void> {
  const rowsOf = <Name extends (typeof tables)[number]>(table: Name) =>
    tx
      .selectFrom<(typeof tables)[number]>(table)
      .selectAll()
      .where('chain_id', '=', chainId)
      .where('height', '>', base.height)
      .where('height', '<=', to)
      .execute() as Promise<readonly Tables[Name][]>
  const [swaps, quarantined] = [await rowsOf('swap'), await rowsOf('quarantine')]
  const times = new Map((await rowsOf('block')).map(({ height, time_ms }) => [height, time_ms]))
  await addCounters(tx, swaps, await rowsOf('order_change'), quarantined.length, -1)
  await tx.deleteFrom('tally').where('swaps', '=', 0).where('scope', '!=', 'quarantined').execute()
  const removal = <Name extends 'affiliate_swap' | 'price' | (typeof tables)[number]>(
    table: Name,
  ) =>
    tx
      .deleteFrom<'affiliate_swap' | 'price' | (typeof tables)[number]>(table)
      .where('height', '>', base.height)
      .where('height', '<=', to)
  for (const table of tables) await removal(table).where('chain_id', '=', chainId).execute()
  await removal('price').execute()
  // Its key begins with the affiliate.
  for (const affiliate of new Set(swaps.flatMap(affiliatesOf)))
    await removal('affiliate_swap').where('affiliate', '=', affiliate).execute()
  const last = base.height
  for (const [runs, end] of [
    ['done', { last, last_hash: fromHex(base.hash), last_results: null }],
    ['without_orders', { last }],
  ] as const) {
    await tx.deleteFrom(runs).where('first', '>', last).where('first', '<=', to).execute()
    await tx
      .updateTable(runs)
      .set(end)
      .where('first', '<=', last)
      .where('last', '>', last)
      .execute()
  }
  const row = await storeRow(tx)
  const isNewest = row.indexed_height === null || row.indexed_height <= to
  const time = isNewest || row.indexed_time === null ? base.time : row.indexed_time
  const now = Date.parse(time)
  const removed = swaps.map((row) => ({ row, timeMs: times.get(row.height) ?? now }))
  await rewindLeaderboards(tx, chainId, { before: row.indexed_ms ?? now, now }, removed)
  await tx
    .updateTable('store')
    .set((column) => ({
      indexed_ms: now,
      rebuilds: column('rebuilds', '+', 1),
      ...(isNewest && { indexed_height: base.height, indexed_time: time }),
    }))
    .execute()
}
