import { fromHex } from '../../platform/encoding.js'
import { inChunks } from './chunks.js'
import { affiliatesOf } from './counters.js'
import type { Timed } from './leaderboard.js'
import { rowOf } from './rows.js'
import type { SwapRow, Tx } from './schema.js'
import type { IndexedBlock } from './swap-row.js'
import type { ValidatedBlock } from './validate.js'

/** A block that was not done before, with its valid rows. */
export type Fresh = {
  readonly block: IndexedBlock
  /** Index among the given blocks. */
  readonly position: number
  readonly timeMs: number
  readonly validated: ValidatedBlock
}

/** Inserts the rows of the blocks; returns the swaps that were not stored before. */
export async function insertBlocks(
  tx: Tx,
  chainId: string,
  fresh: readonly Fresh[],
): Promise<readonly Timed[]> {
  const holding = fresh.filter(
    ({ validated }) => validated.swaps.length + validated.quarantined.length > 0,
  )
  await inChunks(holding, (some) =>
    tx
      .insertInto('block')
      .values(
        some.map(({ block: { height, time, hash }, timeMs }) => ({
          chain_id: chainId,
          height,
          time,
          time_ms: timeMs,
          hash: fromHex(hash),
        })),
      )
      .onConflict((conflict) => conflict.columns(['chain_id', 'height']).doNothing())
      .execute(),
  )
  await insertPrices(tx, holding)
  await insertQuarantine(tx, chainId, fresh)
  return insertSwaps(tx, chainId, fresh)
}

/** The first stored prices of a height stay, so that a rebuild gives the same volumes. */
async function insertPrices(tx: Tx, fresh: readonly Fresh[]): Promise<void> {
  const prices = fresh.flatMap(({ block: { height, prices } }) =>
    [...prices].map(([denom, { numerator, denominator }]) => ({
      height,
      denom,
      numerator: numerator.toString(),
      denominator: denominator.toString(),
    })),
  )
  await inChunks(prices, (rows) =>
    tx
      .insertInto('price')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['height', 'denom']).doNothing())
      .execute(),
  )
}

async function insertQuarantine(tx: Tx, chainId: string, fresh: readonly Fresh[]): Promise<void> {
  const things = fresh.flatMap(({ block: { height }, validated }) =>
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
  await inChunks(things, (rows) =>
    tx
      .insertInto('quarantine')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['chain_id', 'height', 'position']).doNothing())
      .execute(),
  )
}

async function insertSwaps(
  tx: Tx,
  chainId: string,
  fresh: readonly Fresh[],
): Promise<readonly Timed[]> {
  const all = fresh.flatMap(({ block, timeMs, validated }) =>
    validated.swaps.map((swap) => ({ row: rowOf(chainId, block.height, swap), timeMs })),
  )
  const inserted = new Set<string>()
  await inChunks(all, async (some) => {
    const keys = await tx
      .insertInto('swap')
      .values(some.map(({ row }) => row))
      .onConflict((conflict) =>
        conflict
          .columns(['chain_id', 'height', 'tx_index', 'msg_index', 'event_index'])
          .doNothing(),
      )
      .returning(['height', 'tx_index', 'msg_index', 'event_index'])
      .execute()
    for (const key of keys) inserted.add(keyOf(key))
  })
  const kept = all.filter(({ row }) => inserted.has(keyOf(row)))
  await insertAffiliates(
    tx,
    kept.map(({ row }) => row),
  )
  return kept
}

type Key = Pick<SwapRow, 'height' | 'tx_index' | 'msg_index' | 'event_index'>

const keyOf = ({ height, tx_index, msg_index, event_index }: Key): string =>
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
  await inChunks(lists, (some) => tx.insertInto('affiliate_swap').values(some).execute())
}
