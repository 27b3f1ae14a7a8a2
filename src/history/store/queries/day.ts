import { decimal } from '../../../engine/math/decimal.js'
import type { ExecutedHop } from '../../../operations/history/history-port.js'
import type { DayFigures, PairVolume } from '../../../operations/price/price-path.js'
import { DAY_MS } from '../../../platform/clock.js'
import { hopsIn } from '../cells.js'
import { storeRow } from '../fence.js'
import type { StoredDay } from '../history-store.js'
import type { Tx } from '../schema.js'
import { pricesOf } from './state.js'

/** An index that ends longer before the market's time does not cover its day. */
const HOUR_MS = 3_600_000

/**
 * The swaps of the 24 hours up to the newest indexed block, at most up to `untilMs`; `undefined` where the
 * index is empty or ends more than an hour before.
 */
export async function readDay(
  tx: Tx,
  chainId: string,
  untilMs: number,
): Promise<StoredDay | undefined> {
  const { indexed_ms: newest } = await storeRow(tx)
  const run = await tx
    .selectFrom('done')
    .select('first')
    .orderBy('last', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (newest === null || run === undefined || newest < untilMs - HOUR_MS) return undefined
  const to = Math.min(newest, untilMs)
  const from = to - DAY_MS
  const before = await tx
    .selectFrom('block')
    .select('height')
    .where('time_ms', '<=', from)
    .orderBy('time_ms', 'desc')
    .limit(1)
    .executeTakeFirst()
  return {
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    volumes: await volumesOf(tx, chainId, from, to),
    prices: await pricesAt(tx, from),
    first: run.first,
    isWhole: before !== undefined && before.height >= run.first,
  }
}

/** The newest prices at a time, up to an hour old. */
async function pricesAt(tx: Tx, ms: number): Promise<DayFigures['prices']> {
  const rows = await tx
    .selectFrom('price')
    .innerJoin('block', 'block.height', 'price.height')
    .select(['denom', 'numerator', 'denominator'])
    .where('time_ms', '<=', ms)
    .where('time_ms', '>', ms - HOUR_MS)
    .orderBy('price.height')
    .execute()
  return pricesOf(rows)
}

async function volumesOf(
  tx: Tx,
  chainId: string,
  from: number,
  to: number,
): Promise<DayFigures['volumes']> {
  const rows = await tx
    .selectFrom('swap')
    .innerJoin('block', (join) =>
      join.onRef('block.height', '=', 'swap.height').onRef('block.chain_id', '=', 'swap.chain_id'),
    )
    .select(['hops', 'volume_usd'])
    .where('swap.chain_id', '=', chainId)
    .where('time_ms', '>', from)
    .where('time_ms', '<=', to)
    .execute()
  const volumes = new Map<string, PairVolume>()
  for (const { hops, volume_usd } of rows)
    for (const hop of hopsIn(hops))
      volumes.set(hop.address, withHop(volumes.get(hop.address), hop, volume_usd))
  return volumes
}

function withHop(
  volume: PairVolume | undefined,
  { input, unsold, output, fee }: ExecutedHop,
  usd: string | null,
): PairVolume {
  const { swaps = 0, traded = new Map(), usd: sum } = volume ?? {}
  const sold = BigInt(input.amount) - BigInt(unsold.amount)
  const bought = BigInt(output.amount) + BigInt(fee.amount)
  return {
    swaps: swaps + 1,
    traded: new Map([
      ...traded,
      [input.denom, (traded.get(input.denom) ?? 0n) + sold] as const,
      [output.denom, (traded.get(output.denom) ?? 0n) + bought] as const,
    ]),
    usd: usd === null ? sum : decimal((sum ?? 0n) + BigInt(usd)),
  }
}
