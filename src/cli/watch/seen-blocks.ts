import type { Market } from '../../engine/market/market.js'
import type { OperationContext } from '../../operations/context.js'
import type { MarketFeed } from '../../service/feed/market-feed.js'
import { recentMarkets } from '../../service/feed/recent-markets.js'
import type { Context } from '../command.js'

/** What `--slippage auto` reads under `--watch`: the blocks that were watched, after those of `--tape`. */
export function seenBlocks(
  feed: Pick<MarketFeed, 'current' | 'subscribe'>,
  { app, config }: Pick<Context, 'app' | 'config'>,
): NonNullable<OperationContext['evidence']> {
  const { autoSlippageBlocks: count, autoSlippageQuantile: quantileBps } = config.values
  const watched = recentMarkets(feed, count)
  let recorded: Promise<readonly Market[]> | undefined
  return async () => {
    const seen = watched()
    const first = seen[0]?.height ?? 0
    recorded ??= Promise.resolve(app.evidence?.(first - 1)).then((tape) => tape?.markets ?? [])
    const before = (await recorded).filter(({ height }) => height < first)
    return { markets: [...before, ...seen].slice(-count), quantileBps }
  }
}
