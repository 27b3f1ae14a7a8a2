import { serialize } from 'node:v8'
import type { MessagePort } from 'node:worker_threads'
import type { Market } from '../../engine/market/market.js'
import type { PairState } from '../../engine/market/pair.js'
import { type SerializedMarket, serializeMarket } from '../../operations/serialized-market.js'
import { type FleetRole, marketDigest, type NodeState } from '../../service/feed/market-feed.js'
import { type SerializedError, serializeError } from '../../service/workers/worker-messages.js'
import { atNodes, type ChainPlace } from '../chain-access.js'
import type { FleetPlace, watchInFleet } from './fleet/watch-fleet.js'
import { type NetworkWatch, type WatchOptions, watchNetwork } from './network-watch.js'

/** Watches the demo chain, following its process across restarts. */
function watchDemo(
  located: ChainPlace,
  options: WatchOptions,
  nodesSeen: (nodes: readonly NodeState[]) => void,
): NetworkWatch {
  const listeners = new Set<() => void>()
  const { now, close } = atNodes(located, (network) => {
    const watch = watchNetwork(network, options, nodesSeen)
    const unhint = watch.hints(() => {
      for (const listener of listeners) listener()
    })
    return {
      poll: watch.poll,
      close() {
        unhint()
        watch.close()
      },
    }
  })
  return {
    poll: async (after) => now().poll(after),
    hints(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close,
  }
}

/**
 * Serializes consecutive markets for one receiver: pairs that are unchanged since the last market are
 * sent by address only.
 */
function marketSerializer(): (market: Market) => SerializedMarket {
  type SentPair = { readonly state: PairState; readonly bytes: Buffer }
  let sentPairs = new Map<string, SentPair>()
  return (market) => {
    const serialized = serializeMarket(market)
    const packed = new Map<string, SentPair>()
    const pairs = [...market.books].map(([address, { state }]): PairState | string => {
      const before = sentPairs.get(address)
      if (before?.state === state) {
        packed.set(address, before)
        return address
      }
      const bytes = serialize(state)
      packed.set(address, { state, bytes })
      return before?.bytes.equals(bytes) ? address : state
    })
    sentPairs = packed
    return { ...serialized, pairs }
  }
}

/** The network that a thread watches; `fleet` if several processes share the reading of one. */
export type WatchTarget = WatchOptions & ChainPlace & { readonly fleet?: FleetPlace | undefined }

/** Requests the market of the newest height, unless that is `after`. */
export type Request = { readonly id: number; readonly after: number | undefined }

export type Report =
  | { readonly hint: true }
  | { readonly role: FleetRole }
  | { readonly nodes: readonly NodeState[] }
  | ({ readonly id: number } & (
      | { readonly same: true }
      | { readonly market: SerializedMarket; readonly digest: string; readonly ageMs: number }
      | { readonly disputed: string }
      | { readonly behind: number }
      | SerializedError
    ))

/**
 * Reads a network on a thread of its own, so that decoding and garbage collection never delay answers.
 * Only changed pairs are sent. After `close` it ends when nothing is pending.
 */
export async function watchFor(
  port: MessagePort,
  { network, places, fleet, ...options }: WatchTarget,
): Promise<void> {
  const node =
    places === undefined
      ? watchNetwork(network, options, nodesSeen)
      : watchDemo({ network, places }, options, nodesSeen)
  const { router } = network
  const watch = fleet === undefined ? node : await joinFleet(node, fleet, { router, roleChanged })
  const pack = marketSerializer()
  const unhint = watch.hints(() => port.postMessage({ hint: true } satisfies Report))
  port.on('message', async (request: Request | 'close') => {
    if (request === 'close') {
      unhint()
      watch.close()
      port.close()
      return
    }
    port.postMessage(await report(request))
  })

  function roleChanged(role: FleetRole): void {
    port.postMessage({ role } satisfies Report)
  }

  function nodesSeen(nodes: readonly NodeState[]): void {
    port.postMessage({ nodes } satisfies Report)
  }

  async function report({ id, after }: Request): Promise<Report> {
    try {
      const polled = await watch.poll(after)
      if (polled === undefined) return { id, same: true }
      if (!('market' in polled)) return { id, ...polled }
      const { market, ageMs = 0 } = polled
      return { id, market: pack(market), digest: marketDigest(market), ageMs }
    } catch (error) {
      return { id, ...serializeError(error) }
    }
  }
}

/** Loads the database driver, which only members of a fleet need. */
async function joinFleet(...member: Parameters<typeof watchInFleet>): Promise<NetworkWatch> {
  const { watchInFleet } = await import('./fleet/watch-fleet.js')
  return watchInFleet(...member)
}
