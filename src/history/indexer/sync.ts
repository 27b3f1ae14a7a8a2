import { isHeightUnavailable, NodeFault } from '../../chain/rpc/faults.js'
import { SwapError } from '../../engine/errors.js'
import type {
  Heights,
  IndexOptions,
  IndexProgress,
  IndexRun,
} from '../../operations/history/history-port.js'
import { pause } from '../../platform/clock.js'
import { lostLead } from '../store/fence.js'
import type { HistoryStore, Leadership } from '../store/history-store.js'
import { countOf, endAfter, mergeRanges } from '../store/ranges.js'
import { blockOrMiss, indexRound, inOrder, recheckPruned, WIDTH } from './indexer.js'
import type { HistoryChain, IndexEvent, Indexing } from './indexing.js'
import { isMismatch, removeFalse, requireSameChain } from './same-chain.js'

/** Parameters of `sync`. `failed`: a step failed and will be repeated. */
export type Sync = Pick<Indexing, 'chain' | 'store' | 'leadership'> &
  Pick<IndexOptions, 'signal' | 'progress' | 'failed'> & {
    /** The first block to index; the router's first one by default. */
    readonly from?: number | undefined
    /** The first step; repeated like the others until it succeeds. */
    prepare?(): Promise<void>
    /** How long to wait for nodes that do not answer, in milliseconds; default: one minute. */
    readonly patienceMs?: number
  }

/** Consecutive failures, other than those of nodes, after which the run fails. */
const TRIES = 5
/** Default of `patienceMs`. */
const PATIENCE_MS = 60_000
/** Milliseconds between two attempts; none for a block that nodes do not have yet. */
const PAUSE_MS = 1_000

/**
 * Indexes everything up to the block that is the newest at the start, and waits for nodes that restart. The signal ends
 * the run after the current batch; the next run continues from there.
 *
 * @throws NodeFault, SwapError after too many failures in a row; StoreFault `BUSY` if the leadership is lost
 */
export async function sync(options: Sync): Promise<IndexRun> {
  const { chain, store, leadership, signal, prepare } = options
  const startedAt = performance.now()
  const stopSignal = AbortSignal.any([signal, leadership.lost])
  const attempts = attemptsOf(options, stopSignal)
  let pruned: readonly Heights[] = []
  let silent: readonly string[] = []
  let total = 0
  let indexed = 0
  let swaps = 0
  let quarantined = 0
  let forgotten = 0
  const progress = (): IndexProgress => {
    const prunedCount = countOf(pruned)
    const ms = performance.now() - startedAt
    const remaining = Math.max(0, total - indexed - prunedCount)
    const rate = ms > 0 ? (indexed * 1_000) / ms : 0
    const leftMs = indexed > 0 ? (remaining * ms) / indexed : undefined
    return { done: indexed, left: remaining, rate, leftMs, swaps, quarantined }
  }
  const emit = (event: IndexEvent): void => {
    if (event.is === 'wrote') {
      attempts.succeeded()
      indexed += event.blocks
      swaps += event.swaps
      quarantined += event.quarantined
      options.progress(progress())
    } else if (event.is === 'pruned') {
      pruned = mergeRanges([...pruned, { from: event.from, to: event.to }])
      silent = event.silent
    } else forgotten += event.to - event.from + 1
  }
  const within = await attempts.repeat(async () => {
    const to = await chain.newest()
    if (options.from !== undefined && options.from > to) throw beyondNewest(options.from, to)
    await prepare?.()
    await requireSameChain({ ...options, emit })
    await recheckPruned(options)
    return { from: options.from ?? (await chain.creation()), to }
  }, 0)
  const isEmpty = within === undefined || within.to < within.from
  total = isEmpty ? 0 : countOf(await store.gaps(within))
  let checkedAt = -1
  /** Whether blocks that were not given are now: a node may have failed for a moment only. */
  const recheck = async (): Promise<boolean> => {
    if (pruned.length === 0 || indexed === checkedAt) return false
    checkedAt = indexed
    const isGiven = await attempts.repeat(() => recheckPruned(options), 0)
    if (isGiven) pruned = []
    return isGiven ?? false
  }
  let isComplete = false
  while (!isComplete && within !== undefined && !stopSignal.aborted) {
    const round = { chain, store, leadership, emit, signal: stopSignal }
    const roundProgress = await attempts.repeat(() => indexRound(round, within), 1)
    isComplete = roundProgress?.left === 0 && !(await recheck())
  }
  if (!isComplete && leadership.lost.aborted && !signal.aborted) throw lostLead()
  const unshared = (isComplete ? await attempts.repeat(() => chain.unshared(), 0) : 0) ?? 0
  const { done } = await store.state()
  const ms = performance.now() - startedAt
  return {
    ...progress(),
    pruned,
    silent,
    forgotten,
    unshared,
    beyond: within === undefined ? 0 : endAfter(done, within.to + unshared),
    complete: isComplete,
    ms,
  }
}

const beyondNewest = (from: number, newest: number): SwapError =>
  new SwapError('INVALID_REQUEST', 'the first block to index is above the newest one', {
    why: `it is ${from}, and the newest block of the chain is ${newest}`,
    hint: 'name an earlier block: --from-height',
  })

/** Attempts at a step of the run, with the failures in a row. */
function attemptsOf({ failed, patienceMs = PATIENCE_MS }: Sync, stopSignal: AbortSignal) {
  let failures = 0
  let since = performance.now()
  const succeeded = (): void => {
    failures = 0
  }
  const mayPass = (error: unknown, mismatches: number): boolean => {
    if (isMismatch(error)) return failures <= mismatches
    if (error instanceof SwapError && error.code === 'INVALID_REQUEST') return false
    // Nodes may have the newest block a moment later.
    if (!(error instanceof NodeFault) || error.kind === 'height_unavailable')
      return failures <= TRIES
    return error.passes && performance.now() - since < patienceMs
  }
  return {
    succeeded,
    /** The result of the step; `undefined` if the run has ended before. */
    async repeat<T>(step: () => Promise<T>, mismatches: number): Promise<T | undefined> {
      while (!stopSignal.aborted)
        try {
          const result = await step()
          succeeded()
          return result
        } catch (error) {
          if (stopSignal.aborted) break
          if (failures === 0) since = performance.now()
          failures += 1
          if (!mayPass(error, mismatches)) throw lastOf(error, failures, since)
          if (isHeightUnavailable(error)) continue
          failed(error)
          await pause(PAUSE_MS, stopSignal)
        }
      return undefined
    },
  }
}

/** The failure of nodes after several attempts, of which it names the number and the time. */
function lastOf(error: unknown, failures: number, since: number): unknown {
  if (!(error instanceof NodeFault) || failures < 2) return error
  const seconds = Math.round((performance.now() - since) / 1_000)
  const attempts = `the last of ${failures} attempts in ${seconds} s`
  return error.with({ why: error.why === undefined ? attempts : `${error.why}; ${attempts}` })
}

/**
 * Deletes the index so that every block is indexed again; keeps its prices unless the chain was reset. Refused unless
 * the chain answers and still gives every block with a swap or an order, because those could not be restored.
 *
 * @param from the first block to index; the router's first one by default
 * @throws NodeFault
 * @throws SwapError INVALID_REQUEST if swaps or orders would be lost
 */
export async function restartIndex(
  chain: HistoryChain,
  store: HistoryStore,
  leadership: Leadership,
  from?: number | undefined,
): Promise<void> {
  const { height: earliest } = await chain.earliest()
  const within = { from: from ?? (await chain.creation()), to: await chain.newest() }
  const [oldest] = await store.holding({ from: 1, to: within.to })
  if (oldest !== undefined && oldest < earliest)
    throw wouldLose(
      `its oldest one is of block ${oldest}, and no node that answers has blocks before ${earliest}`,
      { oldest_indexed: oldest, earliest_held: earliest },
    )
  // After a chain reset the stored prices belong to other blocks.
  const comparison = await removeFalse({ chain, store, leadership, emit() {} })
  const prices = comparison?.is !== 'other'
  if (prices) await requireGiven(chain, store, within.to)
  await store.reindex(leadership, { prices, within })
}

/** Reads every block with a swap or an order up to the newest block. @throws SwapError INVALID_REQUEST, NodeFault */
async function requireGiven(
  chain: HistoryChain,
  store: HistoryStore,
  newest: number,
): Promise<void> {
  const read = (height: number) => blockOrMiss(chain, height, newest)
  const next = (from: number) => store.holding({ from, to: newest })
  for (let heights = await next(1); heights.length > 0; heights = await next(heights.at(-1)! + 1))
    for await (const block of inOrder(heights, WIDTH, read))
      if ('missed' in block) {
        const { from: height } = block.missed
        throw wouldLose(`it has some of block ${height}, which no node that answers gives`, {
          height,
        })
      }
}

const wouldLose = (why: string, members: Readonly<Record<string, number>>): SwapError =>
  new SwapError('INVALID_REQUEST', 'the index cannot be rebuilt without losing swaps or orders', {
    why,
    hint: 'name an archive node with --rpc, or fill another database beside this one: --database',
    members,
  })
