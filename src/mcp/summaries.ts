import { counted } from '../engine/math/counted.js'
import type { ArbrouteAnswer, ArbsAnswer } from '../operations/arbitrage/arbitrage-documents.js'
import type { BookAnswer, SnapshotAnswer } from '../operations/book/book-documents.js'
import type { CoinDocument } from '../operations/document-schema.js'
import { isTop } from '../operations/history/history.js'
import type { HistoryAnswer } from '../operations/history/history-documents.js'
import type { RouteAnswer } from '../operations/route/route-documents.js'
import type { SimulateAnswer } from '../operations/simulate/simulate-documents.js'
import type { SplitAnswer } from '../operations/split/split-documents.js'
import type { TokensAnswer } from '../operations/tokens/tokens-documents.js'
import { dataText } from './tool.js'

/** The answer of a quote, with the id under which the command line keeps it. */
type Quoted = (RouteAnswer | SplitAnswer) & { readonly quote_id?: string }

const coin = ({ denom, amount }: CoinDocument): string =>
  `${amount} atomics of ${dataText(denom, 80)}`

function routesSummary({ height, quote_id, input, output, routes }: Quoted): string {
  const [best] = routes
  if (best === undefined) return `No route at block ${height}.`
  const { expected_output: expected, min_return: least, price_impact_bps: impact } = best
  const over =
    'legs' in best ? counted(best.legs.length, 'leg') : counted(best.path.length - 1, 'hop')
  return [
    `${coin(input)} for ${coin({ denom: output.denom, amount: expected })} expected, at least ${least}`,
    `${over}, price impact ${impact === null ? 'unknown' : `${impact} bps`}, block ${height}`,
    ...(quote_id === undefined ? [] : [`quote ${quote_id}`]),
  ].join('; ')
}

/** The short text of an answer, by operation. Amounts are atomics. */
export const summaries: Readonly<Record<string, (document: never) => string>> = {
  tokens: ({ tokens, height }: TokensAnswer) =>
    `${counted(tokens.length, 'token')} at block ${height}; the most liquid: ${tokens
      .slice(0, 5)
      .map(({ symbol, denom }) => `${dataText(symbol, 20)} (${dataText(denom, 80)})`)
      .join(', ')}`,
  route: routesSummary,
  sroute: routesSummary,
  simulate: ({ legs, within, height }: SimulateAnswer) =>
    `${counted(legs.length, 'leg')} simulated at block ${height}; the router ${within ? 'agrees' : 'does not agree'} with the quote`,
  arbs: ({ opportunities, height }: ArbsAnswer) =>
    `${counted(opportunities.length, 'profitable loop')} at block ${height}`,
  arbroute: ({ profit, steps, height }: ArbrouteAnswer) =>
    `profit ${coin(profit)} in ${counted(steps.length, 'step')} at block ${height}`,
}

export const bookSummary = ({ pair, asks, bids, height }: BookAnswer): string =>
  `${dataText(pair.base, 80)}/${dataText(pair.quote, 80)} at block ${height}: bid ${pair.best_bid ?? 'none'}, ask ${pair.best_ask ?? 'none'}; ${counted(asks.levels.length, 'ask')} and ${counted(bids.levels.length, 'bid')}`

export const historySummary = (answer: HistoryAnswer): string =>
  isTop(answer)
    ? `${counted(answer.items.length, 'wallet')} by volume`
    : `${answer.items.length} of ${counted(answer.total, 'executed swap')}, indexed to block ${answer.indexed_height ?? 'none'}`

export const statusSummary = ({ network, height, time, pairs, tokens, excluded }: SnapshotAnswer) =>
  `${network} at block ${height} (${dataText(time, 40)}): ${counted(pairs.length, 'pair')}, ${counted(tokens, 'token')}, ${excluded.length} left out`
