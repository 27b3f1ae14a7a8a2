import { discoverPairs } from '../../chain/market/discover.js'
import { disagreement } from '../../chain/market/node-agreement.js'
import { marketReader } from '../../chain/market/read-market.js'
import type { Network } from '../../chain/networks/network.js'
import { queryBatch } from '../../chain/queries/query-batch.js'
import { blockHints } from '../../chain/rpc/block-hints.js'
import { openNodes } from '../../chain/rpc/nodes.js'
import { sourceOf } from '../../chain/rpc/source.js'
import type { Market } from '../../engine/market/market.js'

/** What a look at a network found: a new market, or nodes that do not say the same. */
export type Look =
  /** `ageMs`: for how long others have had it already. */
  { readonly market: Market; readonly ageMs?: number } | { readonly disputed: string } | undefined

/** A network that is looked at again and again. */
export type NetworkWatch = {
  /** The market of the newest height, or `undefined` while that is still `after`. */
  look(after: number | undefined): Promise<Look>
  /** Calls back when there may be a new block. @returns what ends it */
  hints(listener: () => void): () => void
  close(): void
}

export type WatchOptions = {
  /** Milliseconds that the first reading of a market may take. */
  readonly timeoutMs: number
  readonly blockTimeMs: number
}

/** Milliseconds that a node may take to say its height. */
const HEIGHT_MS = 3_000
/** A later reading may take as long as this, or as some readings before it took. */
const READ_MS = 3_000
const READINGS = 3
/** The list of pairs is read once in so many blocks. */
const LISTED_BLOCKS = 2
/** Blocks that a WebSocket may not tell of before it is opened anew. */
const SILENT_BLOCKS = 3

/**
 * Watches the nodes of a network. Each reading has one deadline as a whole. Where several nodes are
 * configured, a market is believed only if they say the same of its height.
 */
export function watchNetwork(network: Network, options: WatchOptions): NetworkWatch {
  let opened = open(network, options)
  return {
    async look(after) {
      try {
        return await opened.look(after)
      } catch (error) {
        // A node of another chain is never asked again; behind the same name the right one may come back.
        if (opened.endpoints.every(({ dropped }) => dropped !== undefined)) {
          opened.close()
          opened = open(network, options)
        }
        throw error
      }
    },
    hints: (listener) =>
      blockHints(opened.endpoints, {
        silenceMs: SILENT_BLOCKS * options.blockTimeMs,
        heard: listener,
      }),
    close: () => opened.close(),
  }
}

/** The nodes of a network, with what is remembered of it. */
function open(network: Network, { timeoutMs }: WatchOptions) {
  const opened = openNodes({
    chainId: network.chainId,
    rpc: network.rpc,
    rest: network.rest,
    deadlineMs: timeoutMs,
  })
  const { clock, endpoints } = opened.rpc
  let until = 0
  const nodes = { ...opened, deadline: () => until }
  const source = sourceOf(nodes)
  let [reader, listed, listedAt] = [marketReader(network, source), '', 0]
  let took: number | undefined
  const within = (ms: number) => {
    until = clock.now() + Math.min(ms, timeoutMs)
  }
  const read = async (): Promise<Market> => {
    within(took === undefined ? timeoutMs : Math.max(READ_MS, READINGS * took))
    const begun = clock.now()
    const market = await reader.read()
    took = clock.now() - begun
    return market
  }
  /** Whether there are other pairs than when this was last asked. A list that cannot be had is no news. */
  const hasOtherPairs = async (height: number): Promise<boolean> => {
    if (height - listedAt < LISTED_BLOCKS) return false
    const ask = queryBatch(source, network.name, height, { queries: 0, batches: 0, bytes: 0 })
    const list = await discoverPairs(network, source, ask, height).catch(() => undefined)
    if (list === undefined) return false
    const before = listed
    listed = list.join()
    listedAt = height
    return before !== '' && before !== listed
  }
  return {
    endpoints,
    async look(after: number | undefined): Promise<Look> {
      within(HEIGHT_MS)
      const height = await source.newestHeight()
      if (height === after) return undefined
      let [market, others] = await Promise.all([read(), hasOtherPairs(height)])
      if (others) {
        // What the reader remembers is the list of before.
        reader = marketReader(network, source)
        market = await read()
      }
      within(HEIGHT_MS)
      const disputed = await disagreement(nodes.rpc, [...market.books.keys()], market.height, until)
      return disputed === undefined ? { market } : { disputed }
    },
    close: () => opened.close(),
  }
}
