import { NodeFault } from '../../chain/rpc/faults.js'
import type { ChainBlock } from '../../chain/trades/block.js'
import type { Heights } from '../../operations/history/history-port.js'
import { attemptAsync } from '../../platform/attempt.js'
import type { IndexedBlock } from '../store/history-store.js'
import { countOf, mergeRanges } from '../store/ranges.js'
import type { HistoryChain, Indexing } from './indexing.js'
import { contentOf, type KeptPrices } from './read-block.js'
import { isMismatch, removeFalse } from './same-chain.js'

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
export const WIDTH = 8

/** Blocks per database transaction. */
const BATCH = 32

/** Result of a round: the newest block, and the number of missing heights up to it. */
export type RoundProgress = { readonly newest: number; readonly left: number }

/** The first block to index, and the last one if it is not the newest. */
type Within = { readonly from: number; readonly to?: number | undefined }

/**
 * One round: the missing blocks at the head, then some of the older missing blocks. Only whole blocks are
 * written, so a round may end or fail anywhere. False blocks before a missing one are indexed again.
 *
 * @throws NodeFault, SwapError
 */
export async function indexRound(indexing: Indexing, within: Within): Promise<RoundProgress> {
  try {
    return await roundOf(indexing, within)
  } catch (error) {
    const height = isMismatch(error) ? error.members['height'] : undefined
    if (typeof height !== 'number') throw error
    if ((await removeFalse(indexing, height - 1))?.is !== 'false') throw error
    return roundOf(indexing, within)
  }
}

async function roundOf(indexing: Indexing, within: Within): Promise<RoundProgress> {
  const { chain, store } = indexing
  const tip = await chain.newest()
  const newest = Math.min(within.to ?? Number.POSITIVE_INFINITY, tip)
  const range = { from: within.from, to: newest }
  const gaps = newest < range.from ? [] : await store.gaps(range)
  const available = await withoutPruned(indexing, gaps)
  const { head, backlog } = planOf(available, newest)
  let fault: NodeFault | undefined
  try {
    await fill(indexing, head, tip)
  } catch (error) {
    if (!(error instanceof NodeFault)) throw error
    fault = error
  }
  // The older blocks do not wait for one that nodes do not give yet.
  await fill(indexing, backlog, tip)
  if (fault !== undefined) throw fault
  const left = available.length === 0 ? 0 : countOf(await store.gaps(range))
  return { newest, left }
}

/** Ranges of pruned blocks that a recheck looks at, the newest ones. */
const RECHECKED = 8

/**
 * Marks pruned blocks as missing again if a node now gives the last one of a range.
 *
 * @returns whether it did
 * @throws NodeFault, SwapError
 */
export async function recheckPruned({
  chain,
  store,
  leadership,
}: Pick<Indexing, 'chain' | 'store' | 'leadership'>): Promise<boolean> {
  const { pruned } = await store.state()
  if (pruned.length === 0) return false
  const earliest = await chain.earliest()
  const held = pruned.filter(({ to }) => to >= earliest.height).slice(-RECHECKED)
  const given = await Promise.all(
    held.map(({ to }) => attemptAsync(() => chain.block(to), NodeFault)),
  )
  const isGiven = given.some((block) => block !== undefined)
  if (isGiven) await store.forgetPruned(leadership)
  return isGiven
}

/** Records heights that no node gives, so that they are not requested again before the next recheck. */
async function note(
  { store, leadership, emit }: Indexing,
  range: Heights,
  silent: readonly string[],
): Promise<void> {
  await store.notePruned(leadership, range)
  emit({ is: 'pruned', ...range, silent })
}

/** The heights that nodes have; the others are recorded. */
async function withoutPruned(
  indexing: Indexing,
  gaps: readonly Heights[],
): Promise<readonly Heights[]> {
  if (gaps.length === 0) return gaps
  const { height: earliest, silent } = await indexing.chain.earliest()
  const prunedGaps = gaps.filter(({ from }) => from < earliest)
  for (const { from, to } of prunedGaps)
    await note(indexing, { from, to: Math.min(to, earliest - 1) }, silent)
  return gaps
    .filter(({ to }) => to >= earliest)
    .map(({ from, to }) => ({ from: Math.max(from, earliest), to }))
}

/** The newest blocks, whose results nodes have a moment later: these are waited for. */
const LATE = 2

/** A block that nodes do not give although they give the newest one. */
type Miss = { readonly missed: Heights; readonly silent: readonly string[] }

/**
 * A block, or a miss.
 *
 * @throws NodeFault of nodes that fail altogether, and of a block that is too new
 */
export async function blockOrMiss(
  chain: HistoryChain,
  height: number,
  tip: number,
): Promise<ChainBlock | Miss> {
  try {
    return await chain.block(height)
  } catch (error) {
    if (!(error instanceof NodeFault) || height > tip - LATE) throw error
    const { height: earliest, silent } = await chain.earliest()
    const miss = { missed: { from: height, to: height }, silent }
    // Nodes may prune the oldest blocks during a round.
    if (height < earliest) return miss
    const blockAt = (each: number) => attemptAsync(() => chain.block(each), NodeFault)
    if ((await blockAt(tip)) === undefined) throw error
    // The nodes may have failed for a moment only.
    return (await blockAt(height)) ?? miss
  }
}

/** The content of a block, where some of it cannot be read that by the node of whose events most can. */
async function mostReadable(
  chain: HistoryChain,
  readPrices: KeptPrices,
  block: ChainBlock,
): Promise<IndexedBlock> {
  let best = await contentOf(chain, readPrices, block)
  if (best.quarantined.length === 0) return best
  const versions = (await attemptAsync(() => chain.versions(block), NodeFault)) ?? []
  for (const version of versions) {
    const content = await contentOf(chain, readPrices, version)
    const isBetter = content.quarantined.length < best.quarantined.length
    if (isBetter && rowsOf(content) >= rowsOf(best)) best = content
  }
  return best
}

const rowsOf = ({ swaps, orders }: IndexedBlock): number => swaps.length + orders.length

/** Reads several blocks at a time and writes them in order, in batches. */
async function fill(indexing: Indexing, heights: readonly number[], tip: number): Promise<void> {
  const { chain, store, leadership, emit, signal } = indexing
  const readPrices = (height: number) => store.prices(height)
  const blocks = inOrder(heights, WIDTH, async (height) => {
    const block = await blockOrMiss(chain, height, tip)
    return 'missed' in block ? block : mostReadable(chain, readPrices, block)
  })
  let batch: IndexedBlock[] = []
  let misses: Miss[] = []
  const flush = async (): Promise<void> => {
    const pending = batch
    const pendingMisses = misses
    batch = []
    misses = []
    for (const range of mergeRanges(pendingMisses.map(({ missed }) => missed)))
      await note(indexing, range, pendingMisses[0]!.silent)
    const last = pending.at(-1)
    if (last === undefined) return
    const totals = await store.commitBlocks(leadership, pending)
    emit({ is: 'wrote', height: last.height, ...totals })
  }
  try {
    for await (const block of blocks) {
      if ('missed' in block) misses.push(block)
      else batch.push(block)
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
