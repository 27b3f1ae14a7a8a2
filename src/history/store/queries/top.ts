import { decimal } from '../../../engine/math/decimal.js'
import { lengthOf } from '../leaderboard.js'
import type { Tx } from '../schema.js'
import type { Leaderboard, Period } from '../swap-row.js'
import { indexedOf } from './figures.js'

/** The wallets with the largest volume over a period that ends with the newest indexed block. */
export async function readTop(tx: Tx, period: Period, limit: number): Promise<Leaderboard> {
  const store = await tx
    .selectFrom('store')
    .select(['indexed_height', 'indexed_time', 'indexed_ms'])
    .executeTakeFirstOrThrow()
  const lines = await topLines(tx, period, limit).execute()
  const to = store.indexed_ms ?? undefined
  return {
    period,
    from: to === undefined ? undefined : new Date(to - lengthOf[period]).toISOString(),
    to: to === undefined ? undefined : new Date(to).toISOString(),
    items: lines.map(({ sender, swaps, priced, volume }, i) => ({
      rank: i + 1,
      sender,
      swaps,
      volumeUsd: priced === 0 ? undefined : decimal(BigInt(volume)),
    })),
    indexed: indexedOf(store),
  }
}

/** The first rows of a period; equal volumes by sender. */
export const topLines = (tx: Tx, period: Period, limit: number) =>
  tx
    .selectFrom('top')
    .select(['sender', 'swaps', 'priced', 'volume'])
    .where('period', '=', period)
    .orderBy('volume', 'desc')
    .orderBy('sender')
    .limit(limit)
