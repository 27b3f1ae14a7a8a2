import { disagreement } from '../../chain/market/node-agreement.js'
import { marketReader } from '../../chain/market/read-market.js'
import type { Network } from '../../chain/networks/network.js'
import { blockHints } from '../../chain/rpc/block-hints.js'
import type { Endpoint } from '../../chain/rpc/endpoint.js'
import { sharedHeight } from '../../chain/rpc/node-pool.js'
import { openNodes } from '../../chain/rpc/nodes.js'
import { sourceOf } from '../../chain/rpc/source.js'
import type { Market } from '../../engine/market/market.js'
import type { NodeState } from '../../service/feed/market-feed.js'

/**
 * Result of a poll: a new market, a disagreement of the nodes, or their height if it is below the published
 * one.
 */
export type WatchResult =
  /** `ageMs`: time since it was first published. */
  | { readonly market: Market; readonly ageMs?: number }
  | { readonly disputed: string }
  | { readonly behind: number }
  | undefined

/** A network that is polled for new markets. */
export type NetworkWatch = {
  /** The market of the newest height, or `undefined` while that is still `after`. */
  poll(after: number | undefined): Promise<WatchResult>
  /** Calls back when there may be a new block. @returns the function that ends it */
  hints(listener: () => void): () => void
  close(): void
}

export type WatchOptions = {
  /** Milliseconds that a reading of a market may take; later ones may get less. */
  readonly timeoutMs: number
  readonly blockTimeMs: number
}

/** Time limit in milliseconds for a node to report its height. */
const HEIGHT_MS = 3_000
/** Time limit of later readings: this in milliseconds, or this many times what the last one took if that is more. */
const READ_MS = 3_000
const READINGS = 3
/** A node without a new block for this many block times, at least so many milliseconds, is not waited for. */
const IDLE_BLOCKS = 2
const IDLE_MS = 6_000
/** Blocks without a WebSocket message after which it is reopened. */
const SILENT_BLOCKS = 3

/** The heights of the nodes of the chain that have reported one. */
const heightsOf = (endpoints: readonly Endpoint[]): string =>
  endpoints
    .filter(({ dropped, height }) => dropped === undefined && height > 0)
    .map(({ shown, height }) => `${shown} is at block ${height}`)
    .join(', ')

const stateOf = ({ shown, height, dropped, failures, lastFault }: Endpoint): NodeState => ({
  node: shown,
  height: height > 0 ? height : undefined,
  fault: (dropped ?? (failures > 0 ? lastFault : undefined))?.reason,
})

/**
 * Watches the nodes of a network. Each reading has one deadline. With several nodes, a market is read at
 * the newest height that two of them have, and used only if they agree about it.
 *
 * @param nodesSeen called with the state of every node at each poll, if there are several
 */
export function watchNetwork(
  network: Network,
  { timeoutMs, blockTimeMs }: WatchOptions,
  nodesSeen: (nodes: readonly NodeState[]) => void = () => {},
): NetworkWatch {
  const opened = openNodes({
    chainId: network.chainId,
    rpc: network.rpc,
    rest: network.rest,
    deadlineMs: timeoutMs,
  })
  const { clock, endpoints } = opened.rpc
  let deadline = 0
  const nodes = { ...opened, deadline: () => deadline }
  const source = sourceOf(nodes)
  let reader = marketReader(network, source)
  const disputedPairs = new Set<string>()
  let lastReadMs: number | undefined
  let isDisputed = false
  const within = (ms: number) => {
    deadline = clock.now() + Math.min(ms, timeoutMs)
  }
  const idleMs = Math.max(IDLE_MS, IDLE_BLOCKS * blockTimeMs)
  const readAt = async (height: number): Promise<Market> => {
    within(lastReadMs === undefined ? timeoutMs : Math.max(READ_MS, READINGS * lastReadMs))
    const startedAt = clock.now()
    // A single node is not compared, and may prune the height meanwhile.
    const market = await (endpoints.length > 1 ? reader.read(height) : reader.read())
    lastReadMs = clock.now() - startedAt
    return market
  }
  return {
    async poll(after) {
      within(HEIGHT_MS)
      const newest = await source.newestHeight().finally(() => {
        if (endpoints.length > 1) nodesSeen(endpoints.map(stateOf))
      })
      const height = sharedHeight(opened.rpc, newest, {
        withinMs: idleMs,
        most: idleMs / blockTimeMs,
      })
      if (height === undefined) return { disputed: heightsOf(endpoints) }
      if (height === after) return undefined
      // Another node still has the published height.
      if (after !== undefined && height < after && newest >= after) return { behind: height }
      // The reader's cache belongs to a chain that was reset.
      if (after !== undefined && height < after) reader = marketReader(network, source)
      const market = await readAt(height)
      within(HEIGHT_MS)
      const { books } = market
      const read = {
        pairs: [...books.keys()],
        height: market.height,
        stateOf: (pair: string) => books.get(pair)?.state,
      }
      const disputed = await disagreement(nodes.rpc, read, deadline, disputedPairs)
      // The difference may be of a pair that was kept from an earlier height.
      if (disputed !== undefined && !isDisputed) reader = marketReader(network, source)
      isDisputed = disputed !== undefined
      return disputed === undefined ? { market } : { disputed }
    },
    hints: (heard) => blockHints(endpoints, { silenceMs: SILENT_BLOCKS * blockTimeMs, heard }),
    close: () => opened.close(),
  }
}
