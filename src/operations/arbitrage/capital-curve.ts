import { type ProfitPoint, profitCurve } from '../../engine/arbitrage/profit-curve.js'
import type { Market } from '../../engine/market/market.js'
import type { Route } from '../../engine/routing/route.js'
import { evenSizes } from '../split/ladder.js'
import type { CurvePoint } from './arbitrage-answers.js'

/** The curve ends at this multiple of the most profitable size, or at the capital. */
const BEYOND = 2n

/**
 * Profit against size for the loop of an execution, on the current books: from nothing to twice
 * the size that was chosen, at `points` sizes that are evenly spaced; the chosen one is among them.
 */
export function loopCurve(
  market: Market,
  route: Route | undefined,
  capital: bigint,
  points: number,
): readonly CurvePoint[] {
  if (route === undefined) return []
  const { denom, amount } = route.input
  const most = amount * BEYOND < capital ? amount * BEYOND : capital
  const sizes = [...new Set([...evenSizes(most, points), amount])].sort((a, b) => (a < b ? -1 : 1))
  const addresses = route.hops.map(({ book }) => book.state.pair.address)
  return profitCurve(market, addresses, denom, sizes).map(pointDocument)
}

const pointDocument = ({ amount, profit }: ProfitPoint): CurvePoint => ({
  input: `${amount}`,
  profit: profit === undefined ? null : `${profit}`,
})
