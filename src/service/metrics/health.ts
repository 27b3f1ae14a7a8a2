import * as Type from 'typebox'
import { closedObject, orNull } from '../../operations/document-schema.js'
import type { Endpoint } from '../../operations/operation.js'
import type { MarketFeed, UnreadyReason } from '../feed/market-feed.js'

const Height = orNull(Type.Integer())

export const livezEndpoint: Endpoint = {
  name: 'livez',
  method: 'GET',
  path: '/livez',
  tag: 'service',
  summary: 'Whether the process runs',
  description: 'Always 200 while it does, whatever its node does: restarting it would not help.',
  response: closedObject({ alive: Type.Boolean() }),
  answer: { alive: true },
}

const ReadyAnswer = closedObject({
  ready: Type.Boolean(),
  reasons: Type.Array(
    Type.String({
      description:
        'no_snapshot, stale, halted, rpc_disagreement, too_few_books, height_went_back, draining',
    }),
  ),
  heights: closedObject({ node: Height, served: Height, indexed: Height }),
})

export const readyzEndpoint: Endpoint = {
  name: 'readyz',
  method: 'GET',
  path: '/readyz',
  tag: 'service',
  summary: 'Whether requests are answered',
  description:
    'The same document with 200 and with 503. It depends on this process alone, not on the client or the rate of requests.',
  response: ReadyAnswer,
  answer: { ready: true, reasons: [], heights: { node: 120, served: 120, indexed: null } },
}

export const versionEndpoint: Endpoint = {
  name: 'version',
  method: 'GET',
  path: '/version',
  tag: 'service',
  summary: 'Which program this is',
  response: closedObject({ version: Type.String(), commit: Type.String(), node: Type.String() }),
  answer: { version: '1.0.0', commit: '0123abc', node: '20.19.0' },
}

/** The document of `/readyz`. */
export function readiness(feed: MarketFeed, draining: boolean, indexed?: number) {
  const reasons: readonly (UnreadyReason | 'draining')[] = [
    ...feed.unready(),
    ...(draining ? (['draining'] as const) : []),
  ]
  return {
    ready: reasons.length === 0,
    reasons,
    heights: {
      node: feed.nodeHeight() ?? null,
      served: feed.current()?.height ?? null,
      indexed: indexed ?? null,
    },
  }
}
