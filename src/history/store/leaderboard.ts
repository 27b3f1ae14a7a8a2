import { decimal } from '../../engine/math/decimal.js'
import type { PageWindow, Period, TopSwappers } from '../../operations/history/history-port.js'
import { DAY_MS } from '../../platform/clock.js'
import { inChunks } from './database.js'
import { storeRow } from './fence.js'
import { readIndexed } from './queries/figures.js'
import { skippedBy } from './queries/page.js'
import { paddedVolume } from './rows.js'
import type { SwapRow, Tables, Tx } from './schema.js'

/** The length of each period in milliseconds of block time. */
export const lengthOf: Readonly<Record<Period, number>> = {
  '1d': DAY_MS,
  '7d': 7 * DAY_MS,
  '30d': 30 * DAY_MS,
}

export const periods = Object.keys(lengthOf) as readonly Period[]

export type TimedRow = { readonly row: SwapRow; readonly timeMs: number }

/** The ends of the windows before and now: the time of the newest indexed block. */
type WindowMove = {
  readonly before: number | undefined
  readonly now: number
  /** Heights of this transaction, whose rows are in no window yet. */
  readonly fresh: ReadonlySet<number>
}

/**
 * Maintains the volume of each sender within `now - period < time <= now` for each period: adds inserted rows and
 * removes those that leave the window. Reading the leaderboard is then one index scan, at any number of swaps.
 */
export async function updateLeaderboards(
  tx: Tx,
  chainId: string,
  slide: WindowMove,
  inserted: readonly TimedRow[],
): Promise<void> {
  for (const period of periods) {
    const from = slide.now - lengthOf[period]
    const changes = new Map<string, Change>()
    if (slide.before !== undefined && slide.before < slide.now) {
      const expired = { after: slide.before - lengthOf[period], until: from, except: slide.fresh }
      await countStored(tx, chainId, expired, -1, changes)
    }
    for (const { row, timeMs } of inserted)
      if (timeMs > from && timeMs <= slide.now) count(changes, row.sender, row.volume_usd, 1)
    await apply(tx, period, changes)
  }
}

/**
 * Moves the windows back, so that they end with `now`: subtracts removed rows, and adds those that the windows had left.
 */
export async function rewindLeaderboards(
  tx: Tx,
  chainId: string,
  { before, now }: { readonly before: number; readonly now: number },
  removed: readonly TimedRow[],
): Promise<void> {
  for (const period of periods) {
    const [after, left] = [now - lengthOf[period], before - lengthOf[period]]
    const changes = new Map<string, Change>()
    for (const { row, timeMs } of removed)
      if (timeMs > left && timeMs <= before) count(changes, row.sender, row.volume_usd, -1)
    await countStored(tx, chainId, { after, until: Math.min(left, now) }, 1, changes)
    await apply(tx, period, changes)
  }
}

/** The change of a sender's row. */
type Change = { swaps: number; priced: number; volume: bigint }

function count(
  changes: Map<string, Change>,
  sender: string,
  volume: string | null,
  sign: 1 | -1,
): void {
  const change = changes.get(sender) ?? { swaps: 0, priced: 0, volume: 0n }
  change.swaps += sign
  if (volume !== null) {
    change.priced += sign
    change.volume += BigInt(sign) * BigInt(volume)
  }
  changes.set(sender, change)
}

/** Blocks by time, in milliseconds, without those of some heights. */
type StoredBlocks = {
  readonly after: number
  readonly until: number
  readonly except?: ReadonlySet<number>
}

/** Rows read at a time while a window moves. */
const BATCH = 5_000

/** Counts the stored swaps of blocks with `after < time <= until`. */
async function countStored(
  tx: Tx,
  chainId: string,
  { after, until, except }: StoredBlocks,
  sign: 1 | -1,
  changes: Map<string, Change>,
): Promise<void> {
  for (let blocks = await blocksOf(tx, after, until); blocks.length > 0; ) {
    const heights = blocks.map(({ height }) => height).filter((height) => !except?.has(height))
    const rows = heights.length === 0 ? [] : await swapsOf(tx, chainId, heights)
    for (const { sender, volume_usd } of rows) count(changes, sender, volume_usd, sign)
    const last = blocks.at(-1)
    if (last === undefined || blocks.length < BATCH) return
    blocks = await blocksOf(tx, after, until, last)
  }
}

const swapsOf = (tx: Tx, chainId: string, heights: readonly number[]) =>
  tx
    .selectFrom('swap')
    .select(['sender', 'volume_usd'])
    .where('chain_id', '=', chainId)
    .where('height', 'in', heights)
    .execute()

type Timestamp = { readonly time_ms: number; readonly height: number }

/** The next blocks by time after the given one. */
const blocksOf = (
  tx: Tx,
  after: number,
  until: number,
  last?: Timestamp,
): Promise<readonly Timestamp[]> =>
  tx
    .selectFrom('block')
    .select(['time_ms', 'height'])
    .where('time_ms', '<=', until)
    .where(({ eb, and, or }) =>
      last === undefined
        ? eb('time_ms', '>', after)
        : and([
            eb('time_ms', '>=', last.time_ms),
            or([eb('time_ms', '>', last.time_ms), eb('height', '>', last.height)]),
          ]),
    )
    .orderBy('time_ms')
    .orderBy('height')
    .limit(BATCH)
    .execute()

async function apply(tx: Tx, period: Period, changes: ReadonlyMap<string, Change>): Promise<void> {
  await inChunks([...changes], async (chunk) => {
    const senders = chunk.map(([sender]) => sender)
    const stored = await tx
      .selectFrom('top')
      .selectAll()
      .where('period', '=', period)
      .where('sender', 'in', senders)
      .execute()
    const lines = new Map(stored.map((line) => [line.sender, line]))
    const next = chunk.map(([sender, change]) => {
      const line = lines.get(sender)
      return {
        period,
        sender,
        swaps: (line?.swaps ?? 0) + change.swaps,
        priced: (line?.priced ?? 0) + change.priced,
        volume: paddedVolume(BigInt(line?.volume ?? 0) + change.volume),
      }
    })
    const emptied = next.filter(({ swaps }) => swaps === 0).map(({ sender }) => sender)
    if (emptied.length > 0)
      await tx
        .deleteFrom('top')
        .where('period', '=', period)
        .where('sender', 'in', emptied)
        .execute()
    const remaining = next.filter(({ swaps }) => swaps > 0)
    if (remaining.length > 0) await upsert(tx, remaining)
  })
}

const upsert = (tx: Tx, lines: readonly Tables['top'][]): Promise<unknown> =>
  tx
    .insertInto('top')
    .values(lines)
    .onConflict((conflict) =>
      conflict.columns(['period', 'sender']).doUpdateSet((column) => ({
        swaps: column.ref('excluded.swaps'),
        priced: column.ref('excluded.priced'),
        volume: column.ref('excluded.volume'),
      })),
    )
    .execute()

/** The wallets with the largest volume over a period that ends with the newest indexed block. */
export async function readTop(tx: Tx, period: Period, window: PageWindow): Promise<TopSwappers> {
  const { indexed_ms: to } = await storeRow(tx)
  const skip = skippedBy(window)
  const lines = await topLines(tx, period, window).execute()
  return {
    from: to === null ? undefined : new Date(to - lengthOf[period]).toISOString(),
    to: to === null ? undefined : new Date(to).toISOString(),
    items: lines.map(({ sender, swaps, priced, volume }, i) => ({
      rank: skip + i + 1,
      sender,
      swaps,
      volumeUsd: priced === 0 ? undefined : decimal(BigInt(volume)),
    })),
    missing: (await readIndexed(tx))?.missing ?? 0,
  }
}

/** A page of a period; equal volumes by sender. */
export const topLines = (tx: Tx, period: Period, window: PageWindow) =>
  tx
    .selectFrom('top')
    .select(['sender', 'swaps', 'priced', 'volume'])
    .where('period', '=', period)
    .orderBy('volume', 'desc')
    .orderBy('sender')
    .limit(window.limit)
    .offset(skippedBy(window))
