import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { MarketFeed } from '../../../src/service/feed/market-feed.js'
import { historyGauges } from '../../../src/service/metrics/history-gauges.js'
import type { ServedHistory } from '../../../src/service/routes/history.js'

/** The head and the lag of a process whose indexer and whose feed know these heads. */
function headAndLag(head: number | undefined, node: number | undefined) {
  const history = { indexed: () => 100, figures: () => ({ head }) } as unknown as ServedHistory
  const feed = { nodeHeight: () => node } as unknown as MarketFeed
  const gauges = new Map(historyGauges(history, feed).map(([name, , look]) => [name, look()]))
  return [gauges.get('swap_history_head'), gauges.get('swap_history_lag_blocks')]
}

test('the head of the history is the newest block that the process knows', () => {
  // The indexer reports its head after a round, which may last minutes.
  assert.deepEqual(headAndLag(100, 130), [130, 30])
  assert.deepEqual(headAndLag(131, 130), [131, 31])
  assert.deepEqual(headAndLag(undefined, 130), [130, 30])
  assert.deepEqual(headAndLag(130, undefined), [130, 30])
  assert.deepEqual(headAndLag(undefined, undefined), [undefined, undefined])
})
