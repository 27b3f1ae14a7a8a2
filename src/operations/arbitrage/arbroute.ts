import { type ArbitrageStep, arbitrageRoute } from '../../engine/arbitrage/arbitrage-route.js'
import { type ProfitPoint, profitCurve } from '../../engine/arbitrage/loop-size.js'
import type { Market } from '../../engine/market/market.js'
import type { Coin } from '../../engine/market/token.js'
import { rational, toPercent } from '../../engine/math/rational.js'
import { messageOf } from '../../engine/routing/message.js'
import type { Route } from '../../engine/routing/route.js'
import { readAmount } from '../amount.js'
import { NeedsWorker, type OperationContext } from '../context.js'
import { DEFAULTS } from '../defaults.js'
import { coinDocument, marketHead } from '../document-parts.js'
import { requireToken } from '../names.js'
import { readSlippage } from '../request-values.js'
import { tokenWithoutBook } from '../route/no-route.js'
import { cutMember, requestBudget } from '../route/search-budget.js'
import { dollarsText, worthIn } from '../worth.js'
import type {
  ArbrouteAnswer,
  ArbrouteRequest,
  CurvePoint,
  ExecutionDocument,
  StepDocument,
} from './arbitrage-documents.js'

/**
 * The earnings of a capital in arbitrage loops, executed until none is profitable. Without a profit there are
 * no steps, and the capital is returned unchanged.
 */
export async function arbroute(
  context: OperationContext,
  request: ArbrouteRequest,
): Promise<ArbrouteAnswer> {
  const { input } = request
  const capital: Coin = { denom: input.denom, amount: readAmount(input.amount, '/input/amount') }
  const slippageBps = readSlippage(request.slippage_bps ?? DEFAULTS.slippageBps)
  const { market, graph } = await context.openMarket()
  requireToken(market, capital.denom, '/input/denom')
  if (!graph.indexOf.has(capital.denom)) throw tokenWithoutBook(market, capital.denom)
  if (context.inline) throw new NeedsWorker()
  const maxHops = request.max_hops ?? DEFAULTS.maxHops
  const budget = requestBudget()
  const { steps, output, profit } = arbitrageRoute(graph, capital, { maxHops, slippageBps }, budget)
  const coin = (amount: bigint) => coinDocument({ denom: capital.denom, amount })
  const worth = worthIn(market)({ denom: capital.denom, amount: profit })
  return {
    ...marketHead(market),
    input: coin(capital.amount),
    output: coin(output),
    profit: coin(profit),
    profit_percent: toPercent(rational(profit, capital.amount)),
    profit_usd: dollarsText(worth),
    steps: steps.map((step) => stepDocument(market, step)),
    ...(request.curve !== undefined && {
      curve: loopCurve(market, steps[0]?.executions[0], capital.amount, request.curve),
    }),
    ...cutMember(budget, 'lower max_hops'),
  }
}

const stepDocument = (market: Market, step: ArbitrageStep): StepDocument => {
  const coin = (amount: bigint) => coinDocument({ denom: step.denoms[0]!, amount })
  return {
    path: step.denoms,
    count: step.count,
    input: coin(step.input),
    output: coin(step.output),
    executions: step.executions.map((route) => executionDocument(market, route)),
  }
}

function executionDocument(market: Market, route: Route): ExecutionDocument {
  const coin = (amount: bigint) => coinDocument({ denom: route.output, amount })
  return {
    input: coinDocument(route.input),
    output: coin(route.expected),
    min_return: coin(route.minReturn),
    exact: route.exact,
    tx: messageOf(market.router, route, {}),
    funds: coinDocument(route.input),
  }
}

/** The curve ends at this multiple of the most profitable size, or at the capital. */
const CURVE_MULTIPLE = 2n

/**
 * Profit against size for the loop of an execution, on the current books: at most `points` evenly spaced sizes
 * up to twice the chosen one or the capital, and the chosen one.
 */
function loopCurve(
  market: Market,
  route: Route | undefined,
  capital: bigint,
  points: number,
): readonly CurvePoint[] {
  if (route === undefined) return []
  const { denom, amount } = route.input
  const most = amount * CURVE_MULTIPLE < capital ? amount * CURVE_MULTIPLE : capital
  const sizes = [...new Set([...evenSizes(most, points), amount])].sort((a, b) => (a < b ? -1 : 1))
  const addresses = route.hops.map(({ book }) => book.state.pair.address)
  return profitCurve(market, addresses, denom, sizes).map(pointDocument)
}

const pointDocument = ({ amount, profit }: ProfitPoint): CurvePoint => ({
  input: `${amount}`,
  profit: profit === undefined ? null : `${profit}`,
})

/** `count` evenly spaced sizes up to `most`, without repeats. */
const evenSizes = (most: bigint, count: number): readonly bigint[] => {
  const sizes = Array.from({ length: count }, (_, i) => (most * BigInt(i + 1)) / BigInt(count))
  return [...new Set(sizes)].filter((size) => size > 0n)
}
