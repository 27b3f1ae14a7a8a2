import type { Denom } from '../../../engine/market/token.js'
import { type Rational, rational } from '../../../engine/math/rational.js'
import type { Heights, IndexRebuild } from '../../../operations/history/history-port.js'
import { toUpperHex } from '../../../platform/encoding.js'
import { isOfDecoder, type Writer } from '../commit.js'
import { storeRow } from '../fence.js'
import type { HistoryState, KnownBlock, Leader } from '../history-store.js'
import { countOf, mergeRanges, subtractRanges } from '../ranges.js'
import type { Tables, Tx } from '../schema.js'
import { indexedOf, rangesIn, readCounts, readWithoutOrders } from './figures.js'

/** The state of the store. Its rows may be of another decoder. */
export async function readState(
  tx: Tx,
  origin: Pick<Writer, 'decoder' | 'former'>,
): Promise<HistoryState> {
  const row = await storeRow(tx)
  const counts = await readCounts(tx)
  return {
    decoder: row.decoder ?? undefined,
    current: isOfDecoder(row, origin),
    done: await rangesIn(tx, 'done'),
    pruned: mergeRanges(await rangesIn(tx, 'pruned')),
    withoutOrders: await readWithoutOrders(tx, origin.former),
    indexed: indexedOf(row),
    ...counts,
  }
}

export async function readLeader(tx: Tx): Promise<Leader | undefined> {
  const { leader_host: host, leader_pid: pid } = await storeRow(tx)
  return host === null || pid === null ? undefined : { host, pid }
}

/** The newest block at or below a height whose hash is stored. */
export async function readKnownBlock(
  tx: Tx,
  chainId: string,
  atMost: number,
): Promise<KnownBlock | undefined> {
  const run = await tx
    .selectFrom('done')
    .select(['last as height', 'last_hash as hash', 'last_results as results'])
    .where('last', '<=', atMost)
    .orderBy('last', 'desc')
    .limit(1)
    .executeTakeFirst()
  const block = await tx
    .selectFrom('block')
    .select(['height', 'hash'])
    .where('chain_id', '=', chainId)
    .where('height', '<=', atMost)
    .orderBy('height', 'desc')
    .limit(1)
    .executeTakeFirst()
  const newest = (run?.height ?? 0) >= (block?.height ?? 0) ? run : block
  const isLast = newest === run
  const results = isLast && run?.results ? toUpperHex(run.results) : undefined
  return newest && { height: newest.height, hash: toUpperHex(newest.hash), results, isLast }
}

/** Heights of one answer. */
const HEIGHTS = 1_000

/** The first heights with swaps or changes of orders, without the counters and rows, which may be damaged. */
export async function readHolding(
  tx: Tx,
  chainId: string,
  { from, to }: Heights,
): Promise<readonly number[]> {
  const heightsOf = (table: 'swap' | 'order_change') =>
    tx
      .selectFrom<'swap' | 'order_change'>(table)
      .select('height')
      .distinct()
      .where('chain_id', '=', chainId)
      .where('height', '>=', from)
      .where('height', '<=', to)
      .orderBy('height')
      .limit(HEIGHTS)
      .execute()
  const rows = [...(await heightsOf('swap')), ...(await heightsOf('order_change'))]
  const heights = new Set(rows.map(({ height }) => height))
  return [...heights].sort((a, b) => a - b).slice(0, HEIGHTS)
}

/** Heights within the range that are neither done nor pruned. */
export async function readGaps(tx: Tx, within: Heights): Promise<readonly Heights[]> {
  return subtractRanges(within, [
    ...(await rangesIn(tx, 'done')),
    ...(await rangesIn(tx, 'pruned')),
  ])
}

/** How often blocks were removed from the index, and those that its last rebuild has still to index. */
export async function readRebuild(tx: Tx): Promise<IndexRebuild> {
  const { rebuilds: count, rebuild_first: from, rebuild_last: to } = await storeRow(tx)
  const gaps = from === null || to === null || to < from ? [] : await readGaps(tx, { from, to })
  return { count, left: countOf(gaps) }
}

/** The stored prices of a height, or `undefined`. */
export async function readPrices(
  tx: Tx,
  height: number,
): Promise<ReadonlyMap<Denom, Rational> | undefined> {
  const rows = await tx.selectFrom('price').selectAll().where('height', '=', height).execute()
  return rows.length === 0 ? undefined : pricesOf(rows)
}

type PriceRow = Pick<Tables['price'], 'denom' | 'numerator' | 'denominator'>

/** Dollars per atomic by denom; of several rows of a denom the last. */
export const pricesOf = (rows: readonly PriceRow[]): ReadonlyMap<Denom, Rational> =>
  new Map(
    rows.map(({ denom, numerator, denominator }) => [
      denom,
      rational(BigInt(numerator), BigInt(denominator)),
    ]),
  )
