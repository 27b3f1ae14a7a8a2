import { type MarketReader, marketReader } from '../chain/read-market.js'
import { openNodes } from '../chain/transport/nodes.js'
import { sourceOf } from '../chain/transport/source.js'
import type { Config } from '../config.js'
import type { MarketFeed } from '../http/feed/market-feed.js'
import { type Fresh, type MarketSource, type Polling, pollingFeed } from '../http/feed/polling.js'
import { graphOf } from '../routing/graph.js'
import { encodeSnapshot } from '../snapshot/encode.js'

/** How often the nodes are asked for their height, in milliseconds: several times a block. */
const EVERY_MS = 1_000

/** Three blocks of six seconds and a half. */
const MAX_AGE_MS = 20_000

/** A feed of the network that is configured, read from its nodes block by block. */
export function networkFeed(
  { network, values }: Config,
  told: Pick<Polling, 'failed' | 'arrived'> & { readonly maxAge?: number | undefined },
): MarketFeed {
  const nodes = openNodes({
    chainId: network.chainId,
    rpc: network.rpc,
    rest: network.rest,
    deadlineMs: values.timeout,
  })
  const source = sourceOf(nodes)
  const reader = marketReader(network, source)
  const markets: MarketSource = {
    async read(after, signal) {
      const height = await source.newestHeight()
      return height === after || signal.aborted ? undefined : freshOf(reader)
    },
    async close() {
      nodes.close()
    },
  }
  return pollingFeed(markets, {
    ...told,
    every: EVERY_MS,
    maxAge: told.maxAge ?? values.maxAge ?? MAX_AGE_MS,
  })
}

async function freshOf(reader: MarketReader): Promise<Fresh> {
  const market = await reader.read()
  return {
    venue: { market, graph: graphOf(market) },
    document: () => JSON.stringify(encodeSnapshot(market, Number.POSITIVE_INFINITY)),
  }
}
