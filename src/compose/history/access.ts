import { tokenOfDenom } from '../../chain/networks/tokens.js'
import type { Surroundings } from '../../cli/command.js'
import { isOwnDemo } from '../../config/configured.js'
import type { Config } from '../../config/load.js'
import { SwapError } from '../../engine/errors.js'
import { indexRound, recheckPruned } from '../../history/indexer/indexer.js'
import type { HistoryChain } from '../../history/indexer/indexing.js'
import { compareChain, requireSameChain } from '../../history/indexer/same-chain.js'
import { restartIndex, type Sync, sync } from '../../history/indexer/sync.js'
import type { HistoryStore, Leadership } from '../../history/store/history-store.js'
import { countOf, endAfter, subtractRanges } from '../../history/store/ranges.js'
import type {
  Heights,
  HistoryAccess,
  IndexOptions,
  IndexRun,
  ShortIndexOptions,
} from '../../operations/history/history-port.js'
import { attemptAsync } from '../../platform/attempt.js'
import { loadOnce } from '../../platform/memoize.js'
import { demoPlaces } from '../chain-access.js'
import { type IndexedChain, openIndexed } from './history-chain.js'
import { historyPlace, historyPort, type LazyStore, lazyStore, NO_PAGE } from './store.js'

/** The history of the configured network, for a command. Nothing is opened yet. */
export function historyAccess(config: Config, surroundings: Surroundings): HistoryAccess {
  const { network, values } = config
  if (values.snapshot !== undefined)
    throw new SwapError('INVALID_REQUEST', 'a saved market has no history', {
      why: 'nothing was executed on it',
      hint: 'leave --snapshot out',
    })
  const lazy = lazyStore(historyPlace(config, surroundings))
  const open = () => openIndexed(indexedOf(config, surroundings))
  const withChain = async <T>(work: (chain: HistoryChain) => Promise<T>): Promise<T> => {
    const { chain, close } = await open()
    return work(chain).finally(close)
  }
  return {
    ...historyPort(lazy, network.prefix),
    token: (denom) => network.tokens.get(denom) ?? tokenOfDenom(denom, network.home),
    status: () =>
      lazy.read(undefined, async (store) => {
        const { swaps: legs, done, ...state } = await store.state()
        const { indexed, quarantined, pruned, current, withoutOrders } = state
        const [first, last] = [done[0], done.at(-1)]
        const gaps =
          first && last
            ? subtractRanges({ from: first.from, to: last.to }, [...done, ...pruned])
            : []
        const missing = countOf(gaps)
        return { indexed, legs, quarantined, pruned, missing, current, withoutOrders }
      }),
    quarantined: (window) => lazy.read(NO_PAGE, (store) => store.quarantined(window)),
    day: (time) =>
      lazy.read(undefined, async (store) => {
        const day = await store.day(Date.parse(time))
        if (day === undefined || day.isWhole) return day
        return withChain(async (chain) => (day.first <= (await chain.creation()) ? day : undefined))
      }),
    mismatch: () =>
      lazy.read(undefined, (store) =>
        withChain(async (chain) => {
          const comparison = await attemptAsync(() => compareChain(chain, store), SwapError)
          return comparison?.is === 'other' ? comparison.fault : undefined
        }),
      ),
    async indexer() {
      const { chain, close } = await open()
      const patienceMs = PATIENCE * values.timeout
      const run = ({ from = values.historyFromHeight, reindex, ...options }: IndexOptions) => {
        // A node that hangs would delay the end of the run.
        options.signal.addEventListener('abort', close, { once: true })
        return ledRun(lazy, (store, leadership) =>
          fill({ chain, store, leadership, from, rebuild: reindex, patienceMs, ...options }),
        )
      }
      const runShort = ({ most, heights, signal }: ShortIndexOptions) =>
        ledRun(lazy, async (store, leadership) => {
          const emit = () => {}
          await requireSameChain({ chain, store, leadership, emit })
          await recheckPruned({ chain, store, leadership })
          const from = values.historyFromHeight ?? (await chain.creation())
          const everything = { from, to: await chain.newest() }
          const isShort = everything.to < from || countOf(await store.gaps(everything)) <= most
          const ranges = isShort
            ? [everything]
            : heights.map((height) => ({ from: height, to: height }))
          for (const range of ranges)
            await indexRound({ chain, store, leadership, emit, signal }, range)
          const { done } = await store.state()
          const [first, last] = isShort ? [] : endsOf(done)
          const earlier = first === undefined ? [] : await store.gaps({ from, to: first - 1 })
          const unshared = await chain.unshared()
          const later = Math.max(0, everything.to - (last ?? everything.to)) + unshared
          const beyond = endAfter(done, everything.to + unshared)
          return { earlier: countOf(earlier), later, beyond }
        })
      return { run, runShort, close }
    },
    close: () => lazy.close(),
  }
}

/** The first and the last height of ranges. */
const endsOf = (ranges: readonly Heights[]) => [ranges[0]?.from, ranges.at(-1)?.to] as const

/** Unresponsive nodes are waited for up to this many call timeouts. */
const PATIENCE = 3

/** Leads for one run only: between runs another process may take over, or a reset may replace the file. */
async function ledRun<T>(
  lazy: LazyStore,
  work: (store: HistoryStore, leadership: Leadership) => Promise<T>,
): Promise<T> {
  const store = await lazy.open()
  const leadership = await store.lead()
  try {
    return await work(store, leadership)
  } finally {
    await leadership.release()
  }
}

function fill({ rebuild, ...run }: Sync & { readonly rebuild: boolean }): Promise<IndexRun> {
  const { chain, store, leadership, from } = run
  const restart = loadOnce(() => restartIndex(chain, store, leadership, from))
  return sync(rebuild ? { ...run, prepare: restart.get } : run)
}

/** The chain that a configuration indexes. */
export const indexedOf = (config: Config, surroundings: Surroundings): IndexedChain => ({
  network: config.network,
  timeoutMs: config.values.timeout,
  ...(isOwnDemo(config) && { places: demoPlaces(surroundings) }),
})
