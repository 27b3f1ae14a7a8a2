import type { Heights } from '../../operations/history/history-port.js'
import type { HistoryStore, IndexedBlock, Leadership } from '../store/history-store.js'
import { countOf } from '../store/ranges.js'
import type { HistoryChain } from './chain.js'
import { readBlock } from './read-block.js'

/**
 * Runs `work` on up to `width` items at a time and yields the results in the order of the items. After a
 * failure no further item is started, and pending results are dropped.
 */
export async function* inOrder<T, R>(
  items: Iterable<T>,
  width: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const inFlight: Promise<R>[] = []
  const source = items[Symbol.iterator]()
  const startNext = (): void => {
    const next = source.next()
    if (next.done) return
    const result = work(next.value)
    // Avoids an unhandled rejection if the generator ends before this result is awaited.
    result.catch(() => {})
    inFlight.push(result)
  }
  for (let i = 0; i < width; i++) startNext()
  for (let next = inFlight.shift(); next !== undefined; next = inFlight.shift()) {
    const result = await next
    startNext()
    yield result
  }
}

/** Blocks read concurrently. */
const WIDTH = 8

/** Blocks per database transaction. */
const BATCH = 32

/** Totals of a written batch. */
export type BatchTotals = {
  /** The last block of the batch. */
  readonly height: number
  readonly blocks: number
  readonly swaps: number
  readonly quarantined: number
}

/** Events while blocks are indexed. */
export type IndexerEvents = {
  wrote(written: BatchTotals): void
  /** No node has these blocks any more. */
  pruned(range: Heights): void
}

/** Parameters of a round. */
export type Indexing = {
  readonly chain: HistoryChain
  readonly store: HistoryStore
  readonly leadership: Leadership
  readonly events: IndexerEvents
  /** Ends the round after the current batch. */
  readonly signal: AbortSignal
}

/** Result of a round: the newest block, and the number of missing heights up to it. */
type RoundProgress = { readonly newest: number; readonly left: number }

/**
 * One round: the missing blocks at the head, then some of the older missing blocks. Only whole blocks are
 * written, so a round may end or fail anywhere.
 *
 * @param within the first block to index, and the last one if it is not the newest
 * @throws NodeFault, SwapError
 */
export async function indexRound(
  indexing: Indexing,
  within: { readonly from: number; readonly to?: number | undefined },
): Promise<RoundProgress> {
  const { chain, store } = indexing
  const newest = Math.min(within.to ?? Number.POSITIVE_INFINITY, await chain.newest())
  const range = { from: within.from, to: newest }
  const gaps = newest < range.from ? [] : await store.gaps(range)
  const available = await withoutPruned(indexing, gaps)
  const { head, backlog } = planOf(available, newest)
  await fill(indexing, head)
  await fill(indexing, backlog)
  const left = backlog.length + head.length === 0 ? 0 : countOf(await store.gaps(range))
  return { newest, left }
}

/**
 * Marks pruned blocks as missing again if a node now has them.
 *
 * @throws NodeFault, SwapError
 */
export async function recheckPruned({
  chain,
  store,
  leadership,
}: Pick<Indexing, 'chain' | 'store' | 'leadership'>): Promise<void> {
  const { pruned } = await store.state()
  if (pruned.length === 0) return
  const earliest = await chain.earliest()
  if (pruned.some(({ to }) => to >= earliest)) await store.forgetPruned(leadership)
}

/** Records heights that no node has any more, so that they are not requested again. */
async function withoutPruned(
  { chain, store, leadership, events }: Indexing,
  gaps: readonly Heights[],
): Promise<readonly Heights[]> {
  if (gaps.length === 0) return gaps
  const earliest = await chain.earliest()
  const prunedGaps = gaps.filter(({ from }) => from < earliest)
  for (const { from, to } of prunedGaps) {
    const range = { from, to: Math.min(to, earliest - 1) }
    await store.notePruned(leadership, range)
    events.pruned(range)
  }
  return gaps
    .filter(({ to }) => to >= earliest)
    .map(({ from, to }) => ({ from: Math.max(from, earliest), to }))
}

/** Reads several blocks at a time and writes them in order, in batches. */
async function fill(indexing: Indexing, heights: readonly number[]): Promise<void> {
  const { chain, store, leadership, events, signal } = indexing
  const readPrices = (height: number) => store.prices(height)
  const blocks = inOrder(heights, WIDTH, (height) => readBlock(chain, readPrices, height))
  let batch: IndexedBlock[] = []
  const flush = async (): Promise<void> => {
    const pending = batch
    batch = []
    const last = pending.at(-1)
    if (last === undefined) return
    const commits = await store.commitBlocks(leadership, pending)
    const newCommits = commits.flatMap((commit) => (commit.known ? [] : [commit]))
    events.wrote({
      height: last.height,
      blocks: newCommits.length,
      swaps: newCommits.reduce((sum, { swaps }) => sum + swaps, 0),
      quarantined: newCommits.reduce((sum, { quarantined }) => sum + quarantined, 0),
    })
  }
  try {
    for await (const block of blocks) {
      batch.push(block)
      if (batch.length >= BATCH) await flush()
      if (signal.aborted) return
    }
  } finally {
    // Write the blocks read so far even if the next one fails.
    await flush()
  }
}

/** Blocks at the head that are indexed before older ones. */
const HEAD = 32

/** Older blocks indexed before the head is polled again. */
const STRETCH = 256

/** Heights to index next, ascending. */
type Plan = { readonly head: readonly number[]; readonly backlog: readonly number[] }

/**
 * The head first, so that new swaps appear at once; then the oldest missing blocks, so that both
 * stretches meet in the end.
 *
 * @param gaps ascending
 */
export function planOf(gaps: readonly Heights[], newest: number): Plan {
  const first = newest - HEAD + 1
  const head: number[] = []
  const backlog: number[] = []
  for (const { from, to } of gaps) {
    for (let at = from; at <= Math.min(to, first - 1) && backlog.length < STRETCH; at++)
      backlog.push(at)
    for (let at = Math.max(from, first); at <= to; at++) head.push(at)
  }
  return { head, backlog }
}
