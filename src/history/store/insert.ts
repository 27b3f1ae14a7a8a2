import { fromHex } from '../../platform/encoding.js'
import { affiliatesOf } from './counters.js'
import { inChunks } from './database.js'
import type { IndexedBlock } from './history-store.js'
import type { TimedRow } from './leaderboard.js'
import { orderRowOf, rowOf } from './rows.js'
import type { OrderRow, SwapKey, SwapRow, Tables, Tx } from './schema.js'
import type { ValidatedBlock } from './validate.js'

/** A block that was not done before, with its valid rows. */
export type Fresh = {
  readonly block: IndexedBlock
  readonly timeMs: number
  readonly validated: ValidatedBlock
}

/** Rows that were not stored before. */
type NewRows = { readonly swaps: readonly TimedRow[]; readonly orders: readonly OrderRow[] }

/** Inserts the rows of the blocks. */
export async function insertBlocks(
  tx: Tx,
  chainId: string,
  fresh: readonly Fresh[],
): Promise<NewRows> {
  const holding = fresh.filter(
    ({ validated: { swaps, orders, quarantined } }) =>
      swaps.length + orders.length + quarantined.length > 0,
  )
  const blocks = holding.map(({ block: { height, time, hash }, timeMs }) => ({
    chain_id: chainId,
    height,
    time,
    time_ms: timeMs,
    hash: fromHex(hash),
  }))
  await insertNew(tx, 'block', blocks, ['chain_id', 'height'])
  await insertPrices(tx, holding)
  await insertQuarantine(tx, chainId, fresh)
  const orders = fresh.flatMap(({ block, validated }) =>
    validated.orders.map((order) => orderRowOf(chainId, block.height, order)),
  )
  return {
    swaps: await insertSwaps(tx, chainId, fresh),
    orders: await insertKeyed(tx, 'order_change', orders),
  }
}

/** Keeps the first stored prices of a height, so that a rebuild computes the same volumes. */
async function insertPrices(tx: Tx, fresh: readonly Fresh[]): Promise<void> {
  const prices = fresh.flatMap(({ block: { height, prices } }) =>
    [...prices].map(([denom, { numerator, denominator }]) => ({
      height,
      denom,
      numerator: numerator.toString(),
      denominator: denominator.toString(),
    })),
  )
  await insertNew(tx, 'price', prices, ['height', 'denom'])
}

async function insertQuarantine(tx: Tx, chainId: string, fresh: readonly Fresh[]): Promise<void> {
  const quarantined = fresh.flatMap(({ block: { height }, validated }) =>
    validated.quarantined.map(({ txIndex, eventIndex, reason, bytes }, position) => ({
      chain_id: chainId,
      height,
      position,
      tx_index: txIndex,
      event_index: eventIndex,
      reason,
      bytes,
    })),
  )
  await insertNew(tx, 'quarantine', quarantined, ['chain_id', 'height', 'position'])
}

type KeyedTable = 'block' | 'price' | 'quarantine'

/** Inserts the rows whose key is not stored yet. */
const insertNew = <Name extends KeyedTable>(
  tx: Tx,
  table: Name,
  rows: readonly Tables[Name][],
  key: readonly (keyof Tables[Name])[],
): Promise<void> =>
  inChunks(rows, (chunk) =>
    tx
      .insertInto<KeyedTable>(table)
      .values(chunk)
      .onConflict((conflict) => conflict.columns(key as never).doNothing())
      .execute(),
  )

async function insertSwaps(
  tx: Tx,
  chainId: string,
  fresh: readonly Fresh[],
): Promise<readonly TimedRow[]> {
  const blockSwaps = fresh.flatMap(({ block, timeMs, validated }) =>
    validated.swaps.map((swap) => ({ row: rowOf(chainId, block.height, swap), timeMs })),
  )
  const rows = await insertKeyed(
    tx,
    'swap',
    blockSwaps.map(({ row }) => row),
  )
  await insertAffiliates(tx, rows)
  const inserted = new Set(rows)
  return blockSwaps.filter(({ row }) => inserted.has(row))
}

/** Inserts rows and returns those whose key was not stored before. */
async function insertKeyed<Name extends 'swap' | 'order_change'>(
  tx: Tx,
  table: Name,
  rows: readonly Tables[Name][],
): Promise<readonly Tables[Name][]> {
  const inserted = new Set<string>()
  await inChunks(rows, async (chunk) => {
    const keys = await tx
      .insertInto<'swap' | 'order_change'>(table)
      .values(chunk)
      .onConflict((conflict) =>
        conflict
          .columns(['chain_id', 'height', 'tx_index', 'msg_index', 'event_index'])
          .doNothing(),
      )
      .returning(['height', 'tx_index', 'msg_index', 'event_index'])
      .execute()
    for (const key of keys) inserted.add(keyOf(key))
  })
  return rows.filter((row) => inserted.has(keyOf(row)))
}

const keyOf = ({ height, tx_index, msg_index, event_index }: SwapKey): string =>
  `${height} ${tx_index} ${msg_index} ${event_index}`

async function insertAffiliates(tx: Tx, rows: readonly SwapRow[]): Promise<void> {
  const lists = rows.flatMap((row) =>
    affiliatesOf(row).map((affiliate) => ({
      affiliate,
      height: row.height,
      tx_index: row.tx_index,
      msg_index: row.msg_index,
      event_index: row.event_index,
    })),
  )
  await inChunks(lists, (chunk) => tx.insertInto('affiliate_swap').values(chunk).execute())
}
