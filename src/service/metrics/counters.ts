import type { Registry } from 'prom-client'

/** Upper bounds of the buckets of times, in seconds. */
export const SECONDS = [
  0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
]

/** What is counted of one endpoint. */
type EndpointCounts = {
  readonly statuses: Map<number, number>
  readonly buckets: number[]
  sum: number
}

/**
 * Requests by endpoint and status, and how long they took. The library's own counters look their
 * labels up for every request, which is a tenth of what a known answer costs; these are read only when
 * they are requested.
 */
export class RequestCounters {
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

  /** Puts them among the metrics of a registry. */
  registerIn(registry: Registry): void {
    const register = (metric: object) => registry.registerMetric(metric as never)
    register({
      name: 'swap_http_requests_total',
      get: async () => ({
        name: 'swap_http_requests_total',
        help: 'Requests that were answered.',
        type: 'counter',
        aggregator: 'sum',
        values: this.#requests(),
      }),
      reset: () => this.#endpoints.clear(),
    })
    register({
      name: 'swap_http_request_seconds',
      get: async () => ({
        name: 'swap_http_request_seconds',
        help: 'From the last header that came to the answer.',
        type: 'histogram',
        aggregator: 'sum',
        values: this.#times(),
      }),
      reset: () => this.#endpoints.clear(),
    })
  }

  #requests(): object[] {
    return [...this.#endpoints].flatMap(([endpoint, { statuses }]) =>
      [...statuses].map(([status, value]) => ({ value, labels: { endpoint, status } })),
    )
  }

  #times(): object[] {
    const name = 'swap_http_request_seconds'
    return [...this.#endpoints].flatMap(([endpoint, { buckets, sum }]) => {
      let total = 0
      const bounds = buckets.map((count, i) => {
        total += count
        const le = SECONDS[i] ?? '+Inf'
        return { value: total, labels: { le, endpoint }, metricName: `${name}_bucket` }
      })
      return [
        ...bounds,
        { value: sum, labels: { endpoint }, metricName: `${name}_sum` },
        { value: total, labels: { endpoint }, metricName: `${name}_count` },
      ]
    })
  }
}
