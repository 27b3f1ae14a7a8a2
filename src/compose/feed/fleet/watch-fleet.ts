import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import type { Network } from '../../../chain/networks/network.js'
import { reasonOf, SwapError } from '../../../engine/errors.js'
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
import { type Connection, connectionOf, type NewestPublished } from './connection.js'

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
  open(onNotify: () => void): Promise<SnapshotTable>
  /** Whether this process reads the nodes for the fleet when it leads the history. */
  readonly mayLead: boolean
  /** Milliseconds without a publication after which this process reads the nodes itself. */
  readonly patienceMs: number
  /** The configured router. */
  readonly router: Network['router']
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
  more: Pick<FleetOptions, 'router' | 'roleChanged'>,
): NetworkWatch =>
  watchFleet(node, { ...how, ...more, open: (onNotify) => openSnapshotTable(table, onNotify) })

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
  const { open, mayLead, patienceMs, router, roleChanged } = options
  const { now = () => performance.now() } = options
  const listeners = new Set<() => void>()
  const wake = () => {
    for (const listener of listeners) listener()
  }
  const connection = connectionOf({ open, changed: wake, now })
  const nodeHints = hintsOf(node, wake)
  const published = publishedOf(connection, router, now)
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
  const pollAsLeader = async (epoch: number, after: number | undefined): Promise<WatchResult> => {
    if (role !== 'alone') changeRole({ is: 'leads' })
    const polled = await node.poll(after)
    if (polled === undefined || !('market' in polled)) return polled
    const { height } = polled.market
    if (isLagging(height, after)) return { behind: height }
    const document = packMarket(polled.market)
    try {
      const result = await connection.use((to) => to.publish(epoch, { height, document }))
      if (result === 'behind') return await adoptPublished(document, after)
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
  const adoptPublished = async (
    own: Uint8Array,
    after: number | undefined,
  ): Promise<WatchResult> => {
    const other = await published.newest()
    if (other !== undefined) return other.market.height > (after ?? -1) ? other : undefined
    changeRole({ is: 'alone', reason: whyAlone() })
    return { market: unpackMarket(own) }
  }
  const readAlone = async (after: number | undefined): Promise<WatchResult> => {
    const polled = await node.poll(after)
    // A stopped chain has nothing to publish.
    if (polled === undefined) return undefined
    changeRole({ is: 'alone', reason: whyAlone() })
    if (!('market' in polled)) return polled
    const { height } = polled.market
    return isLagging(height, after)
      ? { behind: height }
      : { market: unpackMarket(packMarket(polled.market)) }
  }
  /** The newest published market, if it is new to this process. */
  const takeNewest = async (
    { height, at }: NewestPublished,
    leads: boolean,
    after: number | undefined,
  ): Promise<WatchResult> => {
    // This process may have gone to the chain that was reset by itself.
    const isReset = height < lastSeen && (after ?? -1) >= lastSeen
    const isNew = isReset || height > (after ?? -1)
    // After an unreadable publication, a height served from the own nodes does not make the next one known.
    const isKnown = !isNew && published.fault() === undefined
    const taken = isKnown ? 'known' : await published.take(height)
    if (taken === undefined) return undefined
    lastPublished = Math.max(lastPublished ?? at, at)
    lastSeen = height
    if (!leads) changeRole({ is: 'follows' })
    if (taken === 'known') return undefined
    return isReset || taken.market.height > (after ?? -1) ? taken : undefined
  }
  return {
    async poll(after) {
      const status = await connection.status()
      lastPublished ??= now() - patienceMs + START_MS
      const { newest, epoch } = status ?? {}
      const leads = mayLead && epoch !== undefined
      if (!leads && role === 'leads') changeRole({ is: 'follows' })
      // Below zero after the clock of the database was set back: unknown until the next publication.
      const ageMs = newest === undefined ? -1 : now() - newest.at
      if (newest !== undefined && ageMs >= 0 && ageMs <= patienceMs) {
        const taken = await takeNewest(newest, leads, after)
        if (taken !== undefined) return taken
      }
      if (leads) return pollAsLeader(epoch, after)
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

/** Uses published snapshots; one that is unreadable or of another router is not retried. */
function publishedOf(connection: Connection, router: FleetOptions['router'], now: () => number) {
  let unreadable: { readonly height: number; readonly error: unknown } | undefined
  const newest = async (): Promise<{ market: Market; ageMs: number } | undefined> => {
    const queriedAt = now()
    const row = await connection.use((from) => from.newest()).catch(() => undefined)
    if (row === undefined || row.height === unreadable?.height) return undefined
    try {
      const market = unpackMarket(row.document)
      if (market.height !== row.height)
        throw new SwapError(
          'INVALID_SNAPSHOT',
          `the snapshot of height ${row.height} is of another`,
        )
      requireRouter(market, router)
      unreadable = undefined
      return { market, ageMs: row.ageMs + now() - queriedAt }
    } catch (error) {
      unreadable = { height: row.height, error }
      return undefined
    }
  }
  return {
    newest,
    take: async (height: number) => (height === unreadable?.height ? undefined : newest()),
    fault: () => unreadable?.error,
  }
}

/** @throws SwapError for a market of another router than the configured one, whose messages would go to that one */
function requireRouter({ router }: Market, { address, dialect }: FleetOptions['router']): void {
  const isOwn = address === undefined || address === router.address
  if (isOwn && (dialect === 'auto' || dialect === router.dialect)) return
  throw new SwapError('INVALID_SNAPSHOT', 'the process that leads has another router', {
    why: `it publishes ${router.address} (${router.dialect}), not ${address ?? router.address} (${dialect})`,
  })
}

/** Subscribes to the nodes' hints on demand: followers do not contact the nodes. */
function hintsOf(node: NetworkWatch, listener: () => void): (wanted: boolean) => void {
  let unsubscribe: (() => void) | undefined
  return (isWanted) => {
    if (isWanted) unsubscribe ??= node.hints(listener)
    else {
      unsubscribe?.()
      unsubscribe = undefined
    }
  }
}
