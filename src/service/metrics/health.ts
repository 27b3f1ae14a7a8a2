import * as Type from 'typebox'
import {
  closedObject,
  countOrNull,
  flagOf,
  objectOf,
  textOf,
} from '../../operations/document-schema.js'
import type { Endpoint } from '../../operations/operation.js'
import type { MarketFeed, UnreadyReason } from '../feed/market-feed.js'

export const livezEndpoint: Endpoint = {
  name: 'livez',
  method: 'GET',
  path: '/livez',
  tag: 'service',
  summary: 'Whether the process runs',
  description: 'Always 200 while it does, whatever its node does: restarting it would not help.',
  response: closedObject({ alive: flagOf('True in every answer.') }),
  answer: { alive: true },
}

const ReadyAnswer = closedObject({
  ready: flagOf('Whether requests are answered.'),
  reasons: Type.Array(
    textOf(
      'no_snapshot, stale, halted, rpc_disagreement, too_few_books, height_went_back, draining',
    ),
    { description: 'Why it is not ready; empty where it is.' },
  ),
  heights: objectOf('Block heights; null where there is none.', {
    node: countOrNull('The newest block of the node.'),
    served: countOrNull('The block of the served market.'),
    indexed: countOrNull('The newest block of the history index.'),
  }),
})

export const readyzEndpoint: Endpoint = {
  name: 'readyz',
  method: 'GET',
  path: '/readyz',
  tag: 'service',
  summary: 'Whether requests are answered',
  description:
    'The same document with 200 and with 503, whatever the client and the rate of requests.',
  response: ReadyAnswer,
  answer: { ready: true, reasons: [], heights: { node: 120, served: 120, indexed: null } },
}

export const versionMembers = {
  version: textOf('Version of the program.'),
  commit: textOf('Commit that it was built from.'),
  node: textOf('Version of Node.'),
}

export const versionEndpoint: Endpoint = {
  name: 'version',
  method: 'GET',
  path: '/version',
  tag: 'service',
  summary: 'Which program this is',
  response: closedObject(versionMembers),
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
