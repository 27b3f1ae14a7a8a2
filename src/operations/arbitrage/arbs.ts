import { type Opportunity, type ScanTerms, scanLoops } from '../../engine/arbitrage/scan.js'
import type { Market } from '../../engine/market/market.js'
import { compareRationals, type Rational, rational, toPercent } from '../../engine/math/rational.js'
import type { WorkBudget } from '../../engine/routing/query.js'
import type { MarketView, OperationContext } from '../context.js'
import { DEFAULTS } from '../defaults.js'
import { coinDocument, marketHead } from '../document-parts.js'
import { completeInline, cutMember, requestBudget } from '../route/search-budget.js'
import { callDocument } from '../route/write-route.js'
import { dollarsText, type Worth, worthIn } from '../worth.js'
import type { ArbsAnswer, ArbsRequest, OpportunityDocument } from './arbitrage-documents.js'

/** The decimal as an exact quotient: 0.1 is a tenth. */
export function exactRational(value: number): Rational {
  const [digits = '0', exponent = '0'] = String(value).split('e')
  const [whole = '0', fraction = ''] = digits.split('.')
  const shift = BigInt(Number(exponent) - fraction.length)
  const number = BigInt(whole + fraction)
  return shift < 0n ? rational(number, 10n ** -shift) : rational(number * 10n ** shift, 1n)
}

/**
 * Loops from the network's whitelisted denoms with a profit above `minPercent` after all fees, each
 * with its denom's fixed amount, the best percentage first.
 */
export async function arbs(context: OperationContext, request: ArbsRequest): Promise<ArbsAnswer> {
  const budget = requestBudget(context.inline)
  const scan = async () => scanned(await context.openMarket(), request, budget)
  return context.inline ? completeInline(budget, scan) : scan()
}

function scanned(
  { market, graph }: MarketView,
  request: ArbsRequest,
  budget: WorkBudget,
): ArbsAnswer {
  const { minPercent = 0, min_profit_usd: leastUsd } = request
  const worth = worthIn(market)
  const minimumUsd = leastUsd === undefined ? undefined : exactRational(leastUsd)
  const terms: ScanTerms = {
    minPercent: exactRational(minPercent),
    maxHops: request.max_hops ?? DEFAULTS.maxHops,
    // The minimum of a message is never below its input.
    slippageBps: DEFAULTS.slippageBps,
    most: request.limit ?? DEFAULTS.loops,
    isWanted(net) {
      if (minimumUsd === undefined) return true
      const usd = worth(net)
      return usd !== undefined && compareRationals(usd, minimumUsd) >= 0
    },
  }
  const { opportunities, tried, examined } = scanLoops(graph, terms, budget)
  return {
    ...marketHead(market),
    min_percent: minPercent,
    ...(leastUsd !== undefined && { min_profit_usd: leastUsd }),
    tried: tried.map(coinDocument),
    examined,
    opportunities: opportunities.map((each) => opportunityDocument(market, worth, each)),
    ...cutMember(budget, FEWER_LOOPS),
  }
}

/** What makes a scan smaller. */
const FEWER_LOOPS = 'lower max_hops or raise minPercent'

function opportunityDocument(
  market: Market,
  worth: Worth,
  { route, profit, share }: Opportunity,
): OpportunityDocument {
  const { exact, hops, fees, tx, funds } = callDocument(market, route)
  const { input, expected } = route
  const { denom } = input
  return {
    id: route.id,
    path: route.denoms,
    input: coinDocument(input),
    output: coinDocument({ denom, amount: expected }),
    profit: coinDocument({ denom, amount: profit }),
    profit_percent: toPercent(share),
    profit_usd: dollarsText(worth({ denom, amount: profit })),
    exact,
    hops,
    fees,
    tx,
    funds,
  }
}

/**
 * Loops opened, changed and closed between two answers to the same request, in the order of the answers. Without an earlier one every loop is opened. Loops are identified
 * by their path; the same circle from another denom counts as closed and opened.
 */
export function arbsChanges(before: ArbsAnswer | undefined, now: ArbsAnswer) {
  const [old, fresh] = [before?.opportunities ?? [], now.opportunities]
  const [oldById, freshById] = [byId(old), byId(fresh)]
  return {
    opened: fresh.filter(({ id }) => !oldById.has(id)),
    /** Loops in both answers with different amounts. */
    changed: fresh.flatMap((opportunity) => {
      const previous = oldById.get(opportunity.id)
      return previous === undefined || paysSame(previous, opportunity)
        ? []
        : [{ before: previous, now: opportunity }]
    }),
    closed: old.filter(({ id }) => !freshById.has(id)),
  }
}

const byId = (list: ArbsAnswer['opportunities']): ReadonlyMap<string, OpportunityDocument> =>
  new Map(list.map((opportunity) => [opportunity.id, opportunity]))

const paysSame = (a: OpportunityDocument, b: OpportunityDocument): boolean =>
  a.output.amount === b.output.amount && a.input.amount === b.input.amount
