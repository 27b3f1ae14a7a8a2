import * as Type from 'typebox'
import * as Doc from '../../operations/document-schema.js'
import type { Endpoint } from '../../operations/operation.js'
import type { MarketFeed, UnreadyReason } from '../feed/market-feed.js'

export const livezEndpoint: Endpoint = {
  name: 'livez',
  method: 'GET',
  path: '/livez',
  tag: 'service',
  summary: 'Whether the process runs',
  description: 'Always 200 while it does, whatever its node does: restarting it would not help.',
  response: Doc.closedObject({ alive: Doc.flag('True in every answer.') }),
  answer: { alive: true },
}

const ReadyAnswer = Doc.closedObject({
  ready: Doc.flag('Whether requests are answered.'),
  reasons: Type.Array(
    Doc.text(
      'no_snapshot, stale, halted, rpc_disagreement, too_few_books, height_went_back, draining',
    ),
    { description: 'Why it is not ready; empty where it is.' },
  ),
  heights: Doc.object('Block heights; null where there is none.', {
    node: Doc.countOrNull('The newest block of the node.'),
    served: Doc.countOrNull('The block of the served market.'),
    indexed: Doc.countOrNull('The newest block of the history index.'),
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
  version: Doc.text('Version of the program.'),
  commit: Doc.text('Commit that it was built from.'),
  node: Doc.text('Version of Node.'),
}

export const versionEndpoint: Endpoint = {
  name: 'version',
  method: 'GET',
  path: '/version',
  tag: 'service',
  summary: 'Which program this is',
  response: Doc.closedObject(versionMembers),
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
