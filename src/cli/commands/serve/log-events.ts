import { reasonOf } from '../../../engine/errors.js'
import type { Market } from '../../../engine/market/market.js'
import { tradedTokens } from '../../../operations/names.js'
import { exitStatusOf } from '../../../operations/problem.js'
import type { FleetRole, MarketFeed, NodeState } from '../../../service/feed/market-feed.js'
import { failureOf, reasonsSeen, type ServiceLog } from '../../../service/metrics/log.js'
import type { Service } from '../../../service/service.js'

/** Warnings of Node and of packages are events too: every line of the log has the same form. */
export function logWarnings(log: ServiceLog): void {
  process.removeAllListeners('warning')
  process.on('warning', ({ message }) => log.event('warn', 'a warning', { reason: message }))
}

/** Unhandled errors are bugs: prints a line and exits with the status of a bug. */
export function logUncaughtErrors(log: ServiceLog): void {
  process.prependOnceListener('uncaughtException', (error) => {
    log.event('error', 'a bug ends the service', { reason: error.stack ?? reasonOf(error) })
    process.exit(exitStatusOf('INTERNAL'))
  })
}

/** Logs the feed: each new height, a chain that went back, and each new reason of failures. */
export function feedLogOf(log: ServiceLog, look: (market: Market) => void) {
  let service: Service | undefined
  let ready = false
  /** Reasons since the last market. */
  const reasons = reasonsSeen()
  return {
    to(built: Service, feed: MarketFeed) {
      service = built
      const served = feed.current()
      if (served !== undefined && !ready) this.arrived(served, 0)
    },
    failed(error: unknown) {
      service?.metrics.refreshFailed()
      const failure = failureOf(error)
      if (reasons.isNew(failure.reason)) log.event('warn', 'the market cannot be read', failure)
    },
    wentBack(from: number, to: number) {
      service?.metrics.heightWentBack()
      log.event('warn', 'height_went_back', { from, to })
    },
    arrived({ height, view }: NonNullable<ReturnType<MarketFeed['current']>>, tookMs: number) {
      service?.metrics.refreshed(tookMs / 1_000)
      const { market } = view
      const facts = { height, ms: Math.round(tookMs) }
      look(market)
      if (ready) log.event('info', 'block', facts)
      else
        log.event('info', 'ready', {
          books: market.books.size,
          tokens: tradedTokens(market).size,
          ...facts,
        })
      ready = true
      reasons.clear()
    },
  }
}

/** Logs the nodes that fail in two polls in a row, and when they answer in two again. */
export function nodeLogOf(log: ServiceLog): (nodes: readonly NodeState[]) => void {
  const logged = new Set<string>()
  let before = new Map<string, boolean>()
  return (nodes) => {
    for (const { node, fault } of nodes) {
      const isFailing = fault !== undefined
      if (isFailing !== before.get(node) || isFailing === logged.has(node)) continue
      if (isFailing) log.event('warn', 'a node cannot be used', { node, reason: fault })
      else log.event('info', 'a node can be used again', { node })
      if (isFailing) logged.add(node)
      else logged.delete(node)
    }
    before = new Map(nodes.map(({ node, fault }) => [node, fault !== undefined]))
  }
}

export function logRole(log: ServiceLog, role: FleetRole): void {
  if (role.is === 'leads') log.event('info', 'this process reads the nodes for its fleet', {})
  if (role.is === 'follows') log.event('info', 'the market is taken from the fleet', {})
  if (role.is !== 'alone') return
  const { reason } = role
  log.event('warn', 'the fleet has no market: this process reads the nodes itself', { reason })
}

export function logDemo(log: ServiceLog, pid: number | undefined): void {
  if (pid !== undefined)
    log.event('info', 'the demo chain keeps running; end it with: swap demo stop', { pid })
}
