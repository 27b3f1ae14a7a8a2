import { fromHex } from '../../platform/encoding.js'
import { addCounters } from './counters.js'
import { inChunks } from './database.js'
import { StoreFault } from './fault.js'
import { fence } from './fence.js'
import type { CommitTotals, IndexedBlock } from './history-store.js'
import { type Fresh, insertBlocks } from './insert.js'
import { updateLeaderboards } from './leaderboard.js'
import { type MarkResult, mark } from './ranges.js'
import type { StoreRow, Tx } from './schema.js'
import { validate } from './validate.js'

/** The writer: the epoch of its leadership, and the version of its decoder. */
export type Writer = {
  readonly chainId: string
  readonly epoch: number
  /** The version and, after a space, the router whose swaps it decodes; earlier versions name no router. */
  readonly decoder: string
  /** The decoder before orders were indexed; its rows of swaps are identical. */
  readonly former?: string | undefined
}

/**
 * Stores blocks inside the leader's transaction, which writes the rows of a height, its counters and its mark as done
 * atomically. Heights that are done already are skipped.
 */
export async function keepBlocks(
  tx: Tx,
  writer: Writer,
  blocks: readonly IndexedBlock[],
): Promise<CommitTotals> {
  const row = await fence(tx, writer.epoch)
  requireDecoder(row, writer)
  const marked = mark(await runsNear(tx, blocks), blocks.map(linkOf))
  const fresh = freshOf(blocks, marked.fresh)
  const countOf = (rows: 'swaps' | 'quarantined') =>
    fresh.reduce((sum, { validated }) => sum + validated[rows].length, 0)
  const totals = {
    blocks: fresh.length,
    swaps: countOf('swaps'),
    quarantined: countOf('quarantined'),
  }
  if (fresh.length > 0) await storeFresh(tx, writer, row, { marked, fresh, totals })
  return totals
}

type FreshBlocks = {
  readonly marked: MarkResult
  readonly fresh: readonly Fresh[]
  readonly totals: CommitTotals
}

async function storeFresh(
  tx: Tx,
  writer: Writer,
  row: StoreRow,
  { marked, fresh, totals }: FreshBlocks,
): Promise<void> {
  if (row.decoder !== null && row.decoder === writer.former)
    await tx
      .insertInto('without_orders')
      .columns(['first', 'last'])
      .expression(tx.selectFrom('done').select(['first', 'last']))
      .execute()
  const inserted = await insertBlocks(tx, writer.chainId, fresh)
  await addCounters(
    tx,
    inserted.swaps.map((timed) => timed.row),
    inserted.orders,
    totals.quarantined,
  )
  const newest = fresh.reduce((a, b) => (b.block.height > a.block.height ? b : a))
  const ahead = row.indexed_height === null || newest.block.height > row.indexed_height
  const newestMs = Math.max(row.indexed_ms ?? newest.timeMs, newest.timeMs)
  const before = row.indexed_ms ?? undefined
  await updateLeaderboards(
    tx,
    writer.chainId,
    { before, now: newestMs, fresh: marked.fresh },
    inserted.swaps,
  )
  await tx
    .updateTable('store')
    .set({
      decoder: writer.decoder,
      indexed_ms: newestMs,
      ...(ahead && { indexed_height: newest.block.height, indexed_time: newest.block.time }),
    })
    .execute()
  await writeRuns(tx, marked)
}

/** Whether rows are of a writer's decoder or the one before it. */
export const isOfDecoder = (
  { decoder }: Pick<StoreRow, 'decoder'>,
  { decoder: ours, former }: Pick<Writer, 'decoder' | 'former'>,
): boolean => decoder === null || `${ours} `.startsWith(`${decoder} `) || decoder === former

function requireDecoder(row: StoreRow, writer: Writer): void {
  if (isOfDecoder(row, writer)) return
  throw new StoreFault('decoder', 'the history is of another decoder or another router', {
    why: `its rows are of ${row.decoder}, and this program would write those of ${writer.decoder}`,
    hint: 'name another database with --database, or run `swap history --reindex` to read the chain again; the stored prices are kept',
  })
}

const linkOf = ({ height, hash, parentHash, results, parentResults }: IndexedBlock) => ({
  height,
  hash: hashOf(hash, height),
  parentHash: hashOf(parentHash, height),
  results: results === undefined ? null : hashOf(results, height),
  parentResults: parentResults === undefined ? null : hashOf(parentResults, height),
})

function hashOf(hex: string, height: number): Uint8Array {
  if (/^([0-9a-fA-F]{2}){0,64}$/.test(hex)) return fromHex(hex)
  throw invalidBlock(height, 'hash', hex)
}

const invalidBlock = (height: number, part: 'hash' | 'time', text: string): StoreFault =>
  new StoreFault('unlinked', `block ${height} has an invalid ${part}`, {
    why: `it reads ${text.slice(0, 80)}`,
    hint: 'check the node',
  })

/** The runs of done heights that contain or touch the blocks. */
const runsNear = (tx: Tx, blocks: readonly IndexedBlock[]) => {
  const heights = blocks.map(({ height }) => height)
  return tx
    .selectFrom('done')
    .selectAll()
    .where('last', '>=', Math.min(...heights) - 1)
    .where('first', '<=', Math.max(...heights) + 1)
    .execute()
}

async function writeRuns(tx: Tx, { removed, written }: MarkResult): Promise<void> {
  if (removed.length > 0) await tx.deleteFrom('done').where('first', 'in', removed).execute()
  await inChunks(written, (rows) =>
    tx
      .insertInto('done')
      .values(rows)
      .onConflict((conflict) =>
        conflict.column('first').doUpdateSet((column) => ({
          last: column.ref('excluded.last'),
          last_hash: column.ref('excluded.last_hash'),
          last_results: column.ref('excluded.last_results'),
          parent_hash: column.ref('excluded.parent_hash'),
        })),
      )
      .execute(),
  )
}

function freshOf(blocks: readonly IndexedBlock[], heights: ReadonlySet<number>): readonly Fresh[] {
  const heightsSeen = new Set<number>()
  return blocks.flatMap((block) => {
    if (!heights.has(block.height) || heightsSeen.has(block.height)) return []
    heightsSeen.add(block.height)
    return [{ block, timeMs: timeOf(block), validated: validate(block) }]
  })
}

function timeOf({ time, height }: IndexedBlock): number {
  const ms = Date.parse(time)
  if (Number.isSafeInteger(ms)) return ms
  throw invalidBlock(height, 'time', time)
}
