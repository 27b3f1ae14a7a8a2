import type { FastifyReply, FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Endpoint } from '../../operations/operation.js'
import type { QuoteService } from '../answers/quote-service.js'
import type { FleetRole, MarketFeed, NodeState } from '../feed/market-feed.js'
import { SECURITY_HEADERS } from '../guards/headers.js'
import type { ServedHistory } from '../routes/history.js'
import type { Pool } from '../workers/worker-pool.js'
import { type GaugeSource, historyGauges, roleGauge } from './history-gauges.js'

/** Metrics in the format of Prometheus. */
export type Metrics = {
  readonly contentType: string
  answered(endpoint: string, status: number, seconds: number): void
  refused(code: string): void
  /** Records a connection that was closed because too many are open. */
  connectionRefused(): void
  /** Records a market read in `seconds`, or a failure. */
  refreshed(seconds: number): void
  refreshFailed(): void
  /** Records a rollback: a lower height is served. */
  heightWentBack(): void
  /** The text of the exposition format. */
  text(): Promise<string>
}

/** Sources of the gauges, read on request. */
type MetricSources = {
  readonly feed: MarketFeed
  readonly pool: Pool
  readonly counts: QuoteService['counts']
  readonly history?: ServedHistory | undefined
  fleetRole(): FleetRole['is'] | undefined
  nodes(): readonly NodeState[]
  streams(): number
  ready(): boolean
  lag(): number
}

export function metricsOf(sources: MetricSources): Metrics {
  const registry = new Registry()
  const registers = [registry]
  // Each sample wakes the process: at the default of 10 ms that is 1 % of a core when idle.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 50 })
  const requests = new RequestCounters()
  requests.registerIn(registry)
  const counter = (name: string, help: string, ...labelNames: 'code'[]) =>
    new Counter({ name, help, labelNames, registers })
  const refusals = counter('swap_problems_total', 'Problem documents that were sent.', 'code')
  const connections = counter(
    'swap_connections_refused_total',
    'Connections beyond the limits, in total or of an address.',
  )
  const refreshes = new Histogram({
    name: 'swap_refresh_seconds',
    help: 'Reading the market of a new height.',
    buckets: SECONDS,
    registers,
  })
  const failures = counter('swap_refresh_failures_total', 'Markets that could not be read.')
  const backs = counter(
    'swap_height_went_back_total',
    'Times that the chain went back and a lower height was served.',
  )
  gauges(sources, registers)
  return {
    contentType: registry.contentType,
    answered: (endpoint, status, took) => requests.answered(endpoint, status, took),
    refused: (code) => refusals.inc({ code }),
    connectionRefused: () => connections.inc(),
    refreshed: (took) => refreshes.observe(took),
    refreshFailed: () => failures.inc(),
    heightWentBack: () => backs.inc(),
    // The library writes `Nan`; strict readers of the format know only `NaN`.
    text: async () => (await registry.metrics()).replaceAll(/ Nan$/gm, ' NaN'),
  }
}

function gauges(sources: MetricSources, registers: Registry[]): void {
  const { feed, pool, counts } = sources
  const read: readonly GaugeSource[] = [
    ['swap_height_served', 'Height of the market that is served.', () => feed.current()?.height],
    ['swap_height_node', 'Height that the node was last seen at.', feed.nodeHeight],
    ['swap_market_age_seconds', 'Since a new height last came.', () => feed.age() / 1_000],
    ['swap_ready', '1 while requests are answered.', () => Number(sources.ready())],
    ['swap_jobs_waiting', 'Long answers that wait for a thread.', pool.waiting],
    ['swap_threads_busy', 'Threads that compute.', pool.busy],
    ['swap_streams', 'Streams that are open.', sources.streams],
    ...historyGauges(sources.history, feed),
    ['swap_loop_lag_seconds', 'How late the event loop was.', () => sources.lag() / 1_000],
  ]
  for (const [name, help, value] of read)
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value() ?? Number.NaN)
      },
    })
  roleGauge(sources.fleetRole, registers)
  const nodeGauge = (name: string, help: string, value: (state: NodeState) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['node'],
      registers,
      collect() {
        this.reset()
        for (const state of sources.nodes()) this.set({ node: state.node }, value(state))
      },
    })
  nodeGauge('swap_node_up', '1 while the last request to the node succeeded.', ({ fault }) =>
    Number(fault === undefined),
  )
  nodeGauge('swap_node_height', 'Height that the node last reported.', ({ height = NaN }) => height)
  new Counter({
    name: 'swap_answers_total',
    help: 'Answers from the cache, answers computed, and computations on a worker thread.',
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

/** Upper bounds of the latency buckets, in seconds. */
const SECONDS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** The histogram of durations. */
const TIMES = 'swap_http_request_seconds'

type EndpointCounts = {
  readonly statuses: Map<number, number>
  readonly buckets: number[]
  sum: number
}

/**
 * Requests by endpoint and status, and their duration. The library's counters look up their labels for every
 * request, a tenth of the cost of a cached answer; these are converted only when the metrics are read.
 */
class RequestCounters {
  readonly #endpoints = new Map<string, EndpointCounts>()

  answered(endpoint: string, status: number, seconds: number): void {
    let counted = this.#endpoints.get(endpoint)
    if (counted === undefined) {
      counted = { statuses: new Map(), buckets: SECONDS.map(() => 0).concat(0), sum: 0 }
      this.#endpoints.set(endpoint, counted)
    }
    const { statuses, buckets } = counted
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    let at = 0
    while (at < SECONDS.length && seconds > SECONDS[at]!) at += 1
    buckets[at]! += 1
    counted.sum += seconds
  }

  /** Registers them as metrics. */
  registerIn(registry: Registry): void {
    const register = (name: string, type: string, help: string, values: () => object[]) => {
      const get = async () => ({ name, help, type, aggregator: 'sum', values: values() })
      registry.registerMetric({ name, get, reset: () => this.#endpoints.clear() } as never)
    }
    register('swap_http_requests_total', 'counter', 'Requests that were answered.', () =>
      this.#requests(),
    )
    const help = 'From the last header that came to the answer.'
    register(TIMES, 'histogram', help, () => this.#times())
  }

  #requests(): object[] {
    return [...this.#endpoints].flatMap(([endpoint, { statuses }]) =>
      [...statuses].map(([status, value]) => ({ value, labels: { endpoint, status } })),
    )
  }

  #times(): object[] {
    return [...this.#endpoints].flatMap(([endpoint, { buckets, sum }]) => {
      let total = 0
      const bounds = buckets.map((count, i) => {
        total += count
        const le = SECONDS[i] ?? '+Inf'
        return { value: total, labels: { le, endpoint }, metricName: `${TIMES}_bucket` }
      })
      return [
        ...bounds,
        { value: sum, labels: { endpoint }, metricName: `${TIMES}_sum` },
        { value: total, labels: { endpoint }, metricName: `${TIMES}_count` },
      ]
    })
  }
}

export const metricsEndpoint: Endpoint = {
  name: 'metrics',
  method: 'GET',
  path: '/metrics',
  tag: 'service',
  summary: 'Counters and gauges for Prometheus',
  description: 'The text is made at most once a second; requests within that second share it.',
  response: { type: 'string' },
  media: 'text/plain',
  answer: 'swap_height_served 120\n',
  codes: ['RATE_LIMITED'],
}

/** How long a generated text is reused. Generating it takes 2.7 to 3.7 ms of the serving thread, measured. */
const FRESH_MS = 1_000

/** Sends the metrics. @param now a monotonic clock in milliseconds */
export function metricsHandler(metrics: Metrics, now = () => performance.now()) {
  let made: { readonly text: Promise<Buffer>; readonly at: number } | undefined
  const latest = (): Promise<Buffer> => {
    const at = now()
    if (made === undefined || at - made.at >= FRESH_MS)
      made = { text: metrics.text().then((text) => Buffer.from(text)), at }
    return made.text
  }
  return async (_: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    reply
      .headers(SECURITY_HEADERS)
      .type(metrics.contentType)
      .send(await latest())
}
