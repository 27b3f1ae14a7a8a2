import type { Endpoint } from '../endpoint.js'

export const metricsEndpoint: Endpoint = {
  name: 'metrics',
  method: 'GET',
  path: '/metrics',
  tag: 'service',
  summary: 'What is counted, for Prometheus',
  response: { type: 'string' },
  media: 'text/plain',
  answer: 'swap_height_served 120\n',
  codes: [],
}
