import { serialize } from 'node:v8'
import type { MessagePort } from 'node:worker_threads'
import type { Network } from '../../chain/networks/network.js'
import { type DemoFiles, demoProcess } from '../../demo-chain/index.js'
import { SwapError } from '../../engine/errors.js'
import type { Market } from '../../engine/market/market.js'
import type { PairState } from '../../engine/market/pair.js'
import { type SerializedMarket, serializeMarket } from '../../operations/serialized-market.js'
import { type FleetRole, marketDigest } from '../../service/feed/market-feed.js'
import { type SerializedError, serializeError } from '../../service/workers/worker-messages.js'
import type { watchInFleet } from './fleet/in-fleet.js'
import type { FleetPlace } from './fleet/place.js'
import { type NetworkWatch, type WatchOptions, watchNetwork } from './network-watch.js'

/**
 * Watches the demo chain wherever its process answers at the moment: one that comes back at other
 * ports is found there.
 */
function watchDemo(network: Network, places: DemoFiles, options: WatchOptions): NetworkWatch {
  const listeners = new Set<() => void>()
  let [at, watch, unhint] = ['', undefined as NetworkWatch | undefined, () => {}]

  const letGo = (): void => {
    unhint()
    watch?.close()
    watch = undefined
    at = ''
  }
  const found = (): NetworkWatch => {
    const process = demoProcess(places)
    if (process === undefined) {
      letGo()
      throw notRunning()
    }
    const { rpc, rest, pid } = process
    if (watch !== undefined && at === `${pid} ${rpc}`) return watch
    letGo()
    at = `${pid} ${rpc}`
    watch = watchNetwork({ ...network, rpc: [rpc], rest: [rest] }, options)
    unhint = watch.hints(() => {
      for (const listener of listeners) listener()
    })
    return watch
  }
  return {
    poll: async (after) => found().poll(after),
    hints(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: letGo,
  }
}

const notRunning = (): SwapError =>
  new SwapError('UPSTREAM_ERROR', 'the demo chain does not run', {
    why: 'its process has ended',
    hint: 'start it again: swap demo start',
    members: { upstream: 'the demo chain' },
  })

/**
 * Serializes consecutive markets for one receiver: pairs that are unchanged since the last market are
 * sent by address only.
 */
function marketSerializer(): (market: Market) => SerializedMarket {
  type Sent = { readonly state: PairState; readonly bytes: Buffer }
  let sent = new Map<string, Sent>()
  return (market) => {
    const serialized = serializeMarket(market)
    const packed = new Map<string, Sent>()
    const pairs = [...market.books].map(([address, { state }]): PairState | string => {
      const before = sent.get(address)
      if (before?.state === state) {
        packed.set(address, before)
        return address
      }
      const bytes = serialize(state)
      packed.set(address, { state, bytes })
      return before?.bytes.equals(bytes) ? address : state
    })
    sent = packed
    return { ...serialized, pairs }
  }
}

/**
 * The network that a thread watches; `places` for the demo chain of this machine, `fleet` if several
 * processes share the reading of one.
 */
export type WatchTarget = WatchOptions & {
  readonly network: Network
  readonly places?: DemoFiles
  readonly fleet?: FleetPlace | undefined
}

/** Requests the market of the newest height, unless that is `after`. */
type Request = { readonly id: number; readonly after: number | undefined }

export type Report =
  | { readonly hint: true }
  | { readonly role: FleetRole }
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
    places === undefined ? watchNetwork(network, options) : watchDemo(network, places, options)
  const watch = fleet === undefined ? node : await joinFleet(node, fleet, roleChanged)
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
    port.postMessage({ role: role } satisfies Report)
  }

  async function report({ id, after }: Request): Promise<Report> {
    try {
      const look = await watch.poll(after)
      if (look === undefined) return { id, same: true }
      if (!('market' in look)) return { id, ...look }
      const { market, ageMs = 0 } = look
      return { id, market: pack(market), digest: marketDigest(market), ageMs }
    } catch (error) {
      return { id, ...serializeError(error) }
    }
  }
}

/** Loads the database driver, which only members of a fleet need. */
async function joinFleet(...how: Parameters<typeof watchInFleet>): Promise<NetworkWatch> {
  const { watchInFleet: inFleet } = await import('./fleet/in-fleet.js')
  return inFleet(...how)
}
