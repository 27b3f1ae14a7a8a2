import type { Opportunity } from '../../engine/arbitrage/opportunity.js'
import { scanLoops } from '../../engine/arbitrage/scan.js'
import type { Market } from '../../engine/market/market.js'
import { hundredths } from '../../engine/math/rational.js'
import type { RouterMessage } from '../../engine/routing/message.js'
import type { OperationContext } from '../context.js'
import {
  type CoinDocument,
  coinDocument,
  type HopDocument,
  type MarketHead,
  marketHead,
  type RouteDocument,
  routeDocument,
} from '../route-document.js'
import { exactRational } from './exact-number.js'
import type { ArbsRequest } from './requests.js'
import { dollarsText, isBelow, type Worth, worthIn } from './worth.js'

/** A profitable loop (docs/api.md#arbitrage-scan). */
export type OpportunityDocument = {
  readonly id: string
  readonly path: readonly string[]
  readonly input: CoinDocument
  readonly output: CoinDocument
  readonly profit: CoinDocument
  readonly profit_percent: number
  readonly profit_usd: string | null
  readonly hops: readonly HopDocument[]
  readonly fees: RouteDocument['fees']
  readonly tx: RouterMessage
  readonly funds: CoinDocument
}

/** The answer of `GET /swap/arbs` and of `swap arbs --json`. */
export type ArbsAnswer = MarketHead & {
  readonly min_percent: number
  readonly min_profit_usd?: number
  /** Circles that were filled to their end. */
  readonly examined: number
  readonly opportunities: readonly OpportunityDocument[]
}

/** What the scan's messages accept less than quoted; never less than their input. */
const SLIPPAGE_BPS = 50

/**
 * Circles from the network's whitelisted denoms that pay more than `minPercent` after all fees, each
 * with its denom's fixed amount, the best percentage first.
 */
export async function arbs(app: OperationContext, request: ArbsRequest): Promise<ArbsAnswer> {
  const { market, graph } = await app.openMarket()
  const { minPercent = 0, min_profit_usd: leastUsd } = request
  const { opportunities, examined } = scanLoops(graph, {
    minPercent: exactRational(minPercent),
    maxHops: request.max_hops ?? 4,
    slippageBps: SLIPPAGE_BPS,
  })
  const worth = worthIn(market)
  const bar = leastUsd === undefined ? undefined : exactRational(leastUsd)
  const kept = opportunities.filter(({ input, profit }) => {
    const usd = worth({ denom: input.denom, amount: profit })
    return bar === undefined || (usd !== undefined && !isBelow(usd, bar))
  })
  return {
    ...marketHead(market),
    min_percent: minPercent,
    ...(leastUsd !== undefined && { min_profit_usd: leastUsd }),
    examined,
    opportunities: kept
      .slice(0, request.limit)
      .map((each) => opportunityDocument(market, worth, each)),
  }
}

function opportunityDocument(
  market: Market,
  worth: Worth,
  { route, input, output, profit, share }: Opportunity,
): OpportunityDocument {
  const document = routeDocument(market, route, route, {
    recipient: undefined,
    affiliate: undefined,
  })
  const { denom } = input
  return {
    id: route.id,
    path: route.denoms,
    input: coinDocument(input),
    output: coinDocument({ denom, amount: output }),
    profit: coinDocument({ denom, amount: profit }),
    profit_percent: hundredths(share, 100n),
    profit_usd: dollarsText(worth({ denom, amount: profit })),
    hops: document.hops,
    fees: document.fees,
    tx: document.tx,
    funds: document.funds,
  }
}
