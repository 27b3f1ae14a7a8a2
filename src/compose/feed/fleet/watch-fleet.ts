import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import type { Market } from '../../../engine/market/market.js'
import { decodeSnapshot } from '../../../engine/snapshot/decode.js'
import { encodeSnapshot } from '../../../engine/snapshot/encode.js'
import type { Board } from '../../../history/fleet/board.js'
import type { FleetRole } from '../../../service/feed/fleet-role.js'
import { reasonOf } from '../../reason.js'
import type { Look, NetworkWatch } from '../network-watch.js'
import { type Connection, connectionOf } from './connection.js'

/** Compresses to a quarter in some milliseconds; more effort gains a thirtieth. */
const QUALITY = 1

/** A document that would be larger is refused while it is unpacked. */
const MOST_BYTES = 256 * 1024 * 1024

/** The snapshot document of a market, compressed. */
export const packed = (market: Market): Uint8Array =>
  brotliCompressSync(JSON.stringify(encodeSnapshot(market)), {
    params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY },
  })

/**
 * The market of a published document.
 *
 * @throws SwapError INVALID_SNAPSHOT, also for what another version published; what zlib throws
 */
export const unpackedMarket = (document: Uint8Array): Market => {
  const text = brotliDecompressSync(document, { maxOutputLength: MOST_BYTES }).toString('utf8')
  return decodeSnapshot(JSON.parse(text), 'the published snapshot')
}

export type FleetOptions = {
  open(woken: () => void): Promise<Board>
  /** Whether this process reads for the others when the lead of the history is its own. */
  readonly mayLead: boolean
  /** Milliseconds without anything published, after which it looks at the nodes itself. */
  readonly patienceMs: number
  /** Told when it changes. */
  stands(standpoint: FleetRole): void
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number
}

/** Milliseconds that a process which has just started waits for what others have published. */
const START_MS = 1_000

/** A node that is below what was published less than this ago lags; later the chain was reset. */
const LAG_MS = 60_000

/**
 * Watches a network as one process of a fleet. The one that leads reads the nodes and publishes each
 * height before it serves it; the others serve what is published. What anyone serves has been through
 * the document, so equal heights give equal answers wherever they were read.
 */
export function watchFleet(node: NetworkWatch, options: FleetOptions): NetworkWatch {
  const { open, mayLead, patienceMs, stands, now = () => performance.now() } = options
  const listeners = new Set<() => void>()
  const wake = () => {
    for (const listener of listeners) listener()
  }
  const board = connectionOf({ open, woken: wake, now })
  const nodeHints = hintsOf(node, wake)
  const published = publishedOf(board, now)
  let heard: number | undefined
  let standpoint: FleetRole['is'] | undefined

  const stand = (next: FleetRole): void => {
    nodeHints(next.is !== 'follows')
    if (standpoint !== next.is) stands(next)
    standpoint = next.is
  }
  const isLagging = (height: number, after: number | undefined): boolean =>
    after !== undefined && height < after && now() - (heard ?? 0) < LAG_MS
  const lead = async (epoch: number, after: number | undefined): Promise<Look> => {
    if (standpoint !== 'alone') stand({ is: 'leads' })
    const look = await node.look(after)
    if (look === undefined || 'disputed' in look) return look
    const { height } = look.market
    if (isLagging(height, after)) return undefined
    const document = packed(look.market)
    try {
      await board.use((to) => to.publish(epoch, { height, document }))
      heard = now()
      stand({ is: 'leads' })
    } catch (error) {
      stand({ is: 'alone', reason: `it could not publish: ${reasonOf(error)}` })
    }
    return { market: unpackedMarket(document) }
  }
  const readAlone = async (after: number | undefined): Promise<Look> => {
    const look = await node.look(after)
    // A chain that makes no block gives nobody anything to publish.
    if (look === undefined) return undefined
    if ('market' in look && isLagging(look.market.height, after)) return undefined
    const fault = board.fault() ?? published.fault()
    const reason = fault === undefined ? 'nobody publishes' : reasonOf(fault)
    stand({ is: 'alone', reason })
    return 'disputed' in look ? look : { market: unpackedMarket(packed(look.market)) }
  }
  return {
    async look(after) {
      const known = await board.known()
      heard ??= now() - patienceMs + START_MS
      const { newest, epoch } = known ?? {}
      const leads = mayLead && epoch !== undefined
      if (newest !== undefined && now() - newest.at <= patienceMs) {
        const taken = newest.height > (after ?? -1) ? await published.take(newest.height) : 'known'
        if (taken !== undefined) {
          heard = Math.max(heard, newest.at)
          if (!leads) stand({ is: 'follows' })
        }
        if (typeof taken === 'object' && taken.market.height > (after ?? -1)) return taken
      }
      if (leads) return lead(epoch, after)
      return now() - heard > patienceMs ? readAlone(after) : undefined
    },
    hints(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close() {
      nodeHints(false)
      board.close()
      node.close()
    },
  }
}

/** Takes published snapshots; one that cannot be read is not tried again. */
function publishedOf(board: Connection, now: () => number) {
  let unreadable: { readonly height: number; readonly error: unknown } | undefined
  return {
    async take(height: number): Promise<{ market: Market; ageMs: number } | undefined> {
      if (height === unreadable?.height) return undefined
      const asked = now()
      const newest = await board.use((from) => from.newest()).catch(() => undefined)
      if (newest === undefined || newest.height === unreadable?.height) return undefined
      try {
        const market = unpackedMarket(newest.document)
        unreadable = undefined
        return { market, ageMs: newest.ageMs + now() - asked }
      } catch (error) {
        unreadable = { height: newest.height, error }
        return undefined
      }
    },
    fault: () => unreadable?.error,
  }
}

/** Listens to the nodes while that is wanted: who follows leaves them alone. */
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
