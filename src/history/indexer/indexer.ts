import type { HeightRange, HistoryStore, IndexedBlock, Leadership } from '../store/swap-row.js'
import type { HistoryChain } from './chain.js'
import { countOf, planOf } from './plan.js'
import { readIndexed } from './read-block.js'

/**
 * Works on several items at a time and gives what came of them in the order of the items. After a
 * failure nothing more is begun, and what is under way is of no interest.
 */
export async function* inOrder<T, R>(
  items: Iterable<T>,
  width: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const flying: Promise<R>[] = []
  const source = items[Symbol.iterator]()
  const begin = (): void => {
    const next = source.next()
    if (next.done) return
    const result = work(next.value)
    // Whoever waits for it hears of its failure; when nobody does any more, nobody should.
    result.catch(() => {})
    flying.push(result)
  }
  for (let i = 0; i < width; i++) begin()
  for (let next = flying.shift(); next !== undefined; next = flying.shift()) {
    const result = await next
    begin()
    yield result
  }
}

/** Blocks that are read at a time. */
const WIDTH = 8

/** Blocks of one transaction of the database. */
const BATCH = 32

/** What was written. */
export type Written = {
  /** The last block of the batch. */
  readonly height: number
  readonly blocks: number
  readonly swaps: number
  readonly quarantined: number
}

/** What happens while blocks are indexed. */
export type Told = {
  wrote(written: Written): void
  /** Blocks that no node has any more. */
  pruned(range: HeightRange): void
}

/** What a round works with. */
export type Indexing = {
  readonly chain: HistoryChain
  readonly store: HistoryStore
  readonly leadership: Leadership
  readonly told: Told
  /** Ends the round after the batch that is under way. */
  readonly signal: AbortSignal
}

/** How far a round came: the newest block, and the heights that are still missing before it. */
export type Standing = { readonly newest: number; readonly left: number }

/**
 * One round: what is missing at the head, then a stretch of what is missing behind it. Whatever is
 * written is whole blocks, so a round may end or fail anywhere.
 *
 * @param within the first block that is wanted, and the last where it is not the newest
 * @throws NodeFault, SwapError
 */
export async function indexRound(
  indexing: Indexing,
  within: { readonly from: number; readonly to?: number | undefined },
): Promise<Standing> {
  const { chain, store } = indexing
  const newest = Math.min(within.to ?? Number.POSITIVE_INFINITY, await chain.newest())
  const range = { from: within.from, to: newest }
  const gaps = newest < range.from ? [] : await store.gaps(range)
  const had = await withoutPruned(indexing, gaps)
  const { head, behind } = planOf(had, newest)
  await fill(indexing, head)
  await fill(indexing, behind)
  const left = behind.length + head.length === 0 ? 0 : countOf(await store.gaps(range))
  return { newest, left }
}

/**
 * Blocks that no node had when they were wanted are wanted again where one has them now.
 *
 * @throws NodeFault, SwapError
 */
export async function reconsider({
  chain,
  store,
  leadership,
}: Pick<Indexing, 'chain' | 'store' | 'leadership'>): Promise<void> {
  const { pruned } = await store.state()
  if (pruned.length === 0) return
  const earliest = await chain.earliest()
  if (pruned.some(({ to }) => to >= earliest)) await store.forgetPruned(leadership)
}

/** Writes down what no node has any more; that is not tried again until one is found that has it. */
async function withoutPruned(
  { chain, store, leadership, told }: Indexing,
  gaps: readonly HeightRange[],
): Promise<readonly HeightRange[]> {
  if (gaps.length === 0) return gaps
  const earliest = await chain.earliest()
  const gone = gaps.filter(({ from }) => from < earliest)
  for (const { from, to } of gone) {
    const range = { from, to: Math.min(to, earliest - 1) }
    await store.notePruned(leadership, range)
    told.pruned(range)
  }
  return gaps
    .filter(({ to }) => to >= earliest)
    .map(({ from, to }) => ({ from: Math.max(from, earliest), to }))
}

/** Reads several blocks at a time and writes them in their order, some at once. */
async function fill(indexing: Indexing, heights: readonly number[]): Promise<void> {
  const { chain, store, signal } = indexing
  const kept = (height: number) => store.prices(height)
  const blocks = inOrder(heights, WIDTH, (height) => readIndexed(chain, kept, height))
  let batch: IndexedBlock[] = []
  const flush = async (): Promise<void> => {
    const ready = batch
    batch = []
    if (ready.length > 0) await write(indexing, ready)
  }
  try {
    for await (const block of blocks) {
      batch.push(block)
      if (batch.length >= BATCH) await flush()
      if (signal.aborted) return
    }
  } finally {
    // What has been read is kept even where the next block cannot be had.
    await flush()
  }
}

async function write(
  { store, leadership, told }: Indexing,
  batch: readonly IndexedBlock[],
): Promise<void> {
  const done = await store.commitBlocks(leadership, batch)
  const fresh = done.flatMap((each) => (each.known ? [] : [each]))
  told.wrote({
    height: batch.at(-1)!.height,
    blocks: fresh.length,
    swaps: fresh.reduce((sum, { swaps }) => sum + swaps, 0),
    quarantined: fresh.reduce((sum, { quarantined }) => sum + quarantined, 0),
  })
}
