import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { reasonOf } from '../../../engine/errors.js'
import type { Market } from '../../../engine/market/market.js'
import { decodeSnapshot } from '../../../engine/snapshot/decode.js'
import { encodeSnapshot } from '../../../engine/snapshot/encode.js'
import {
  openSnapshotTable,
  type SnapshotTable,
  type SnapshotTablePlace,
} from '../../../history/fleet/snapshot-table.js'
import type { FleetRole } from '../../../service/feed/market-feed.js'
import type { NetworkWatch, WatchResult } from '../network-watch.js'
import { type Connection, connectionOf } from './connection.js'

/** Compresses to a quarter in a few milliseconds; higher levels gain 3 % more. */
const QUALITY = 1

/** Maximum size of a decompressed document in bytes. */
const MOST_BYTES = 256 * 1024 * 1024

/** The snapshot document of a market, compressed. */
export const packMarket = (market: Market): Uint8Array =>
  brotliCompressSync(JSON.stringify(encodeSnapshot(market)), {
    params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY },
  })

/**
 * The market of a published document.
 *
 * @throws SwapError INVALID_SNAPSHOT, also for another version's document; zlib's errors
 */
export const unpackMarket = (document: Uint8Array): Market => {
  const text = brotliDecompressSync(document, { maxOutputLength: MOST_BYTES }).toString('utf8')
  return decodeSnapshot(JSON.parse(text), 'the published snapshot')
}

type FleetOptions = {
  open(woken: () => void): Promise<SnapshotTable>
  /** Whether this process reads the nodes for the fleet when it leads the history. */
  readonly mayLead: boolean
  /** Milliseconds without a publication after which this process reads the nodes itself. */
  readonly patienceMs: number
  /** Called when the role changes. */
  roleChanged(role: FleetRole): void
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number
}

/** The fleet of a process, and its role in it. */
export type FleetPlace = Pick<FleetOptions, 'mayLead' | 'patienceMs'> & {
  readonly table: SnapshotTablePlace
}

/** Watches a network as a process of its fleet. */
export const watchInFleet = (
  node: NetworkWatch,
  { table, ...how }: FleetPlace,
  roleChanged: FleetOptions['roleChanged'],
): NetworkWatch =>
  watchFleet(node, { ...how, roleChanged, open: (woken) => openSnapshotTable(table, woken) })

/** Milliseconds that a process which has just started waits for a publication. */
const START_MS = 1_000

/** A node below a height published less than this ago lags; later the chain was reset. */
const LAG_MS = 60_000

/**
 * Watches a network as a process of its fleet. The leader reads the nodes and publishes each height before
 * serving it; followers serve published markets. Every served market is decoded from its document, so equal
 * heights give equal answers in all processes.
 */
export function watchFleet(node: NetworkWatch, options: FleetOptions): NetworkWatch {
  const { open, mayLead, patienceMs, roleChanged, now = () => performance.now() } = options
  const listeners = new Set<() => void>()
  const wake = () => {
    for (const listener of listeners) listener()
  }
  const connection = connectionOf({ open, changed: wake, now })
  const nodeHints = hintsOf(node, wake)
  const published = publishedOf(connection, now)
  let lastPublished: number | undefined
  /** The height last seen in the table; a lower one there is of a chain that was reset. */
  let lastSeen = 0
  let role: FleetRole['is'] | undefined

  const changeRole = (next: FleetRole): void => {
    nodeHints(next.is !== 'follows')
    if (role !== next.is) roleChanged(next)
    role = next.is
  }
  const isLagging = (height: number, after: number | undefined): boolean =>
    after !== undefined && height < after && now() - (lastPublished ?? 0) < LAG_MS
  const lead = async (epoch: number, after: number | undefined): Promise<WatchResult> => {
    if (role !== 'alone') changeRole({ is: 'leads' })
    const look = await node.poll(after)
    if (look === undefined || !('market' in look)) return look
    const { height } = look.market
    if (isLagging(height, after)) return { behind: height }
    const document = packMarket(look.market)
    try {
      const done = await connection.use((to) => to.publish(epoch, { height, document }))
      if (done === 'behind') return await takeOther(document, after)
      lastPublished = now()
      changeRole({ is: 'leads' })
    } catch (error) {
      changeRole({ is: 'alone', reason: `it could not publish: ${reasonOf(error)}` })
    }
    return { market: unpackMarket(document) }
  }
  const whyAlone = (): string => {
    const fault = connection.fault() ?? published.fault()
    return fault === undefined ? 'no process publishes' : reasonOf(fault)
  }
  /** The market of this or a higher height that another leader has published. */
  const takeOther = async (own: Uint8Array, after: number | undefined): Promise<WatchResult> => {
    const taken = await published.newest()
    if (taken !== undefined) return taken.market.height > (after ?? -1) ? taken : undefined
    changeRole({ is: 'alone', reason: whyAlone() })
    return { market: unpackMarket(own) }
  }
  const readAlone = async (after: number | undefined): Promise<WatchResult> => {
    const look = await node.poll(after)
    // A stopped chain has nothing to publish.
    if (look === undefined) return undefined
    changeRole({ is: 'alone', reason: whyAlone() })
    if (!('market' in look)) return look
    const { height } = look.market
    return isLagging(height, after)
      ? { behind: height }
      : { market: unpackMarket(packMarket(look.market)) }
  }
  return {
    async poll(after) {
      const known = await connection.status()
      lastPublished ??= now() - patienceMs + START_MS
      const { newest, epoch } = known ?? {}
      const leads = mayLead && epoch !== undefined
      if (!leads && role === 'leads') changeRole({ is: 'follows' })
      if (newest !== undefined && now() - newest.at <= patienceMs) {
        const isReset = newest.height < lastSeen
        const isNew = isReset || newest.height > (after ?? -1)
        const taken = isNew ? await published.take(newest.height) : 'known'
        if (taken !== undefined) {
          lastPublished = Math.max(lastPublished, newest.at)
          lastSeen = newest.height
          if (!leads) changeRole({ is: 'follows' })
        }
        if (typeof taken === 'object' && (isReset || taken.market.height > (after ?? -1)))
          return taken
      }
      if (leads) return lead(epoch, after)
      return now() - lastPublished > patienceMs ? readAlone(after) : undefined
    },
    hints(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close() {
      nodeHints(false)
      connection.close()
      node.close()
    },
  }
}

/** Uses published snapshots; an unreadable one is not retried. */
function publishedOf(connection: Connection, now: () => number) {
  let unreadable: { readonly height: number; readonly error: unknown } | undefined
  const newest = async (): Promise<{ market: Market; ageMs: number } | undefined> => {
    const asked = now()
    const found = await connection.use((from) => from.newest()).catch(() => undefined)
    if (found === undefined || found.height === unreadable?.height) return undefined
    try {
      const market = unpackMarket(found.document)
      unreadable = undefined
      return { market, ageMs: found.ageMs + now() - asked }
    } catch (error) {
      unreadable = { height: found.height, error }
      return undefined
    }
  }
  return {
    newest,
    take: async (height: number) => (height === unreadable?.height ? undefined : newest()),
    fault: () => unreadable?.error,
  }
}

/** Subscribes to the nodes' hints on demand: followers do not contact the nodes. */
function hintsOf(node: NetworkWatch, listener: () => void): (wanted: boolean) => void {
  let unhint: (() => void) | undefined
  return (wanted) => {
    if (wanted) unhint ??= node.hints(listener)
    else {
      unhint?.()
      unhint = undefined
    }
  }
}
