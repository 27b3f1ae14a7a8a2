import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { QuoteService } from '../answers/quote-service.js'
import type { FleetRole } from '../feed/fleet-role.js'
import type { MarketFeed } from '../feed/market-feed.js'
import type { ServedHistory } from '../routes/history.js'
import type { Pool } from '../workers/worker-pool.js'
import { RequestCounters, SECONDS } from './counters.js'
import { type GaugeSource, historyGauges, roleGauge } from './history-gauges.js'

/** What is counted, for Prometheus. */
export type Metrics = {
  readonly contentType: string
  answered(endpoint: string, status: number, seconds: number): void
  refused(code: string): void
  /** A market was read in so many seconds, or could not be. */
  refreshed(seconds: number): void
  refreshFailed(): void
  /** The chain went back, and the lower height is served. */
  heightWentBack(): void
  /** The text of the exposition format. */
  text(): Promise<string>
}

/** Where gauges look when they are asked. */
export type MetricSources = {
  readonly feed: MarketFeed
  readonly pool: Pool
  readonly counts: QuoteService['counts']
  readonly history?: ServedHistory | undefined
  /** Where the markets are from, in a fleet. */
  fleetRole(): FleetRole['is'] | undefined
  streams(): number
  ready(): boolean
  lag(): number
}

export function metricsOf(watched: MetricSources): Metrics {
  const registers = [new Registry()]
  const registry = registers[0]!
  // Each measurement wakes the process: every 10 ms, the default, is 1 % of a core while nothing is asked.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 50 })
  const requests = new RequestCounters()
  requests.registerIn(registry)
  const refusals = new Counter({
    name: 'swap_problems_total',
    help: 'Problem documents that were sent.',
    labelNames: ['code'],
    registers,
  })
  const refreshes = new Histogram({
    name: 'swap_refresh_seconds',
    help: 'Reading the market of a new height.',
    buckets: SECONDS,
    registers,
  })
  const failures = new Counter({
    name: 'swap_refresh_failures_total',
    help: 'Markets that could not be read.',
    registers,
  })
  const backs = new Counter({
    name: 'swap_height_went_back_total',
    help: 'Times that the chain went back and a lower height was served.',
    registers,
  })
  gauges(watched, registers)
  return {
    contentType: registry.contentType,
    answered: (endpoint, status, took) => requests.answered(endpoint, status, took),
    refused: (code) => refusals.inc({ code }),
    refreshed: (took) => refreshes.observe(took),
    refreshFailed: () => failures.inc(),
    heightWentBack: () => backs.inc(),
    text: () => registry.metrics(),
  }
}

function gauges(watched: MetricSources, registers: Registry[]): void {
  const { feed, pool, counts } = watched
  const looked: readonly GaugeSource[] = [
    ['swap_height_served', 'Height of the market that is served.', () => feed.current()?.height],
    ['swap_height_node', 'Height that the node was last seen at.', feed.nodeHeight],
    ['swap_market_age_seconds', 'Since a new height last came.', () => feed.age() / 1_000],
    ['swap_ready', '1 while requests are answered.', () => Number(watched.ready())],
    ['swap_jobs_waiting', 'Long answers that wait for a thread.', pool.waiting],
    ['swap_threads_busy', 'Threads that compute.', pool.busy],
    ['swap_streams', 'Streams that are open.', watched.streams],
    ...historyGauges(watched.history, feed),
    ['swap_loop_lag_seconds', 'How late the event loop was.', () => watched.lag() / 1_000],
  ]
  for (const [name, help, look] of looked)
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(look() ?? Number.NaN)
      },
    })
  roleGauge(watched.fleetRole, registers)
  new Counter({
    name: 'swap_answers_total',
    help: 'Answers by where they came from.',
    labelNames: ['from'],
    registers,
    collect() {
      this.reset()
      const { known, computed, postponed } = counts()
      this.inc({ from: 'cache' }, known)
      this.inc({ from: 'computation' }, computed)
      this.inc({ from: 'thread' }, postponed)
    },
  })
}
