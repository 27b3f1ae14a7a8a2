import type { Static, TSchema } from 'typebox'
import * as Type from 'typebox'
import { counted } from '../engine/math/counted.js'
import type { ArbrouteAnswer, ArbsAnswer } from '../operations/arbitrage/arbitrage-documents.js'
import { book } from '../operations/book/book.js'
import { BookAnswer, SnapshotAnswer } from '../operations/book/book-documents.js'
import { snapshot } from '../operations/book/snapshot-summary.js'
import type { OperationContext } from '../operations/context.js'
import { BOOK_LEVELS } from '../operations/defaults.js'
import type { CoinDocument } from '../operations/document-schema.js'
import * as Doc from '../operations/document-schema.js'
import { history, isTop } from '../operations/history/history.js'
import { HistoryAnswer, HistoryRequest } from '../operations/history/history-documents.js'
import type { HistoryPort } from '../operations/history/history-port.js'
import type { Operation } from '../operations/operation.js'
import { operations } from '../operations/operations.js'
import type { RouteAnswer } from '../operations/route/route-documents.js'
import type { SimulateAnswer } from '../operations/simulate/simulate-documents.js'
import type { SplitAnswer } from '../operations/split/split-documents.js'
import type { TokensAnswer } from '../operations/tokens/tokens-documents.js'
import { validate } from '../operations/validate.js'
import { type Call, dataText, READING, type Resource, type Tool } from './tool.js'

/** The data source of the tools: a command's market, or the served one. */
export type Reading = {
  /** Answers an operation with the text of its document. @throws SwapError */
  answer(operation: Operation, request: unknown, call: Call): Promise<string>
  /** The market, for tools without an operation of the service. @throws SwapError */
  market(call: Call): Promise<OperationContext>
  /** Runs work with the index of executed swaps. @throws SwapError without one */
  history<T>(work: (port: HistoryPort) => Promise<T>): Promise<T>
}

/** Tool names of operations whose own name is unclear. */
const NAMES: Readonly<Record<string, string>> = {
  sroute: 'swap_split_route',
  arbs: 'swap_arbitrage',
  arbroute: 'swap_arbitrage_route',
}

const { range, usual } = BOOK_LEVELS

const BookRequest = Doc.closedObject({
  pair: Doc.PairAddress,
  levels: Type.Optional(Doc.wholeBetween(...range, 'Price levels of each side.', usual)),
})
const StatusRequest = Doc.closedObject({})

/** Operations without a tool: limit orders belong to the tools that place them, and `tools/list` is kept short. */
const WITHOUT_TOOL: ReadonlySet<string> = new Set(['orders', 'order-preview'])

export const toolOperations: readonly Operation[] = operations.filter(
  ({ name }) => !WITHOUT_TOOL.has(name),
)

/** The tools that read: one for each operation, and those of the market and of the history. */
export const readingTools = (reading: Reading): readonly Tool[] => [
  ...toolOperations.map((each) => operationTool(each, reading)),
  {
    name: 'swap_book',
    description: 'Levels of one pair, as a taker meets them',
    effects: READING,
    request: BookRequest,
    answer: BookAnswer,
    async call(input, call) {
      const { pair, levels = usual } = requestOf('swap_book', BookRequest, input)
      return JSON.stringify(await book(await reading.market(call), { pair, levels }))
    },
    summary: bookSummary,
  },
  {
    name: 'swap_history',
    description: 'Executed swaps, from the index of the chain',
    effects: READING,
    request: HistoryRequest,
    answer: HistoryAnswer,
    call: (request) =>
      reading.history(async (port) => JSON.stringify(await history(port, request))),
    summary: historySummary,
  },
  {
    name: 'swap_status',
    description: 'Height, router, pairs with prices, spread and depth',
    effects: READING,
    request: StatusRequest,
    answer: SnapshotAnswer,
    async call(input, call) {
      requestOf('swap_status', StatusRequest, input)
      return JSON.stringify(await snapshot(await reading.market(call)))
    },
    summary: statusSummary,
  },
]

const toolNameOf = (operation: string): string => NAMES[operation] ?? `swap_${operation}`

/** Tools by the method and path in the service's hints. */
const TOOLS: ReadonlyMap<string, string> = new Map([
  ...toolOperations.map(
    ({ name, method, path }) => [`${method} ${path}`, toolNameOf(name)] as const,
  ),
  ['GET /history', 'swap_history'],
  ['GET /swap/snapshot', 'swap_status'],
])

/**
 * Rewrites a hint of the service for an agent: tools instead of paths, and the schema's resource instead of
 * `/docs`.
 */
export const agentWords = (hint: string): string =>
  hint.replaceAll(/((?:GET|POST) \/[\w/-]+)( in \/docs)?/g, (text, path: string, docs?: string) => {
    const tool = TOOLS.get(path)
    if (tool === undefined) return text
    return docs === undefined ? tool : schemaAddress(tool)
  })

/** The URI of a tool's schemas. */
const schemaAddress = (tool: string): string => `swap://schema/${tool.replace(/^swap_/, '')}`

/** The request of a tool, checked; errors name the URI of its schemas. @throws SwapError as `validate` */
export const requestOf = <T extends TSchema>(tool: string, schema: T, input: unknown): Static<T> =>
  validate(schema, input, { schema: schemaAddress(tool) })

function operationTool(operation: Operation, reading: Reading): Tool {
  const { name, summary, request, response } = operation
  return {
    name: toolNameOf(name),
    description: summary,
    effects: READING,
    request,
    answer: response,
    call: (input, call) => reading.answer(operation, input, call),
    summary: summaries[name] ?? (() => summary),
  }
}

const JSON_TYPE = 'application/json'

/** Resources: the full schemas of the tools, and the market. */
export const resourcesOf = (tools: readonly Tool[], reading: Reading): readonly Resource[] => [
  {
    uri: 'swap://market/summary',
    name: 'market',
    description: 'Every pair with prices, spread and depth, at the newest height',
    mimeType: JSON_TYPE,
    read: async (call) => JSON.stringify(await snapshot(await reading.market(call))),
  },
  ...tools.map(({ name, request, answer }) => ({
    uri: schemaAddress(name),
    name: `schema of ${name}`,
    description: 'Request and answer, member by member',
    mimeType: 'application/schema+json',
    read: async () => JSON.stringify({ $schema: Doc.DIALECT, request, answer }),
  })),
]

/** The answer of a quote, with the id under which the command line keeps it. */
type Quoted = (RouteAnswer | SplitAnswer) & { readonly quote_id?: string }

const coin = ({ denom, amount }: CoinDocument): string =>
  `${amount} atomics of ${dataText(denom, 80)}`

function routesSummary({ height, quote_id, input, output, routes }: Quoted): string {
  const best = routes[0]!
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
    `${counted(legs.length, 'leg')} simulated at block ${height}; the router ${within ? 'agrees' : 'cannot be compared'} with the quote`,
  arbs: ({ opportunities, height }: ArbsAnswer) =>
    `${counted(opportunities.length, 'profitable loop')} at block ${height}`,
  arbroute: ({ profit, steps, height }: ArbrouteAnswer) =>
    `profit ${coin(profit)} in ${counted(steps.length, 'step')} at block ${height}`,
}

const bookSummary = ({ pair, asks, bids, height }: BookAnswer): string =>
  `${dataText(pair.base, 80)}/${dataText(pair.quote, 80)} at block ${height}: bid ${pair.best_bid ?? 'none'}, ask ${pair.best_ask ?? 'none'}; ${counted(asks.levels.length, 'ask')} and ${counted(bids.levels.length, 'bid')}`

const historySummary = (answer: HistoryAnswer): string => {
  if (!isTop(answer) && answer.indexed_height === null) return 'nothing is indexed yet'
  const list = isTop(answer)
    ? `${counted(answer.items.length, 'wallet')} by volume`
    : `${answer.items.length} of ${counted(answer.total, 'executed swap')}, indexed to block ${answer.indexed_height}`
  return `${list}; ${counted(answer.missing_blocks, 'block')} missing`
}

const statusSummary = ({ network, height, time, pairs, tokens, excluded }: SnapshotAnswer) =>
  `${network} at block ${height} (${dataText(time, 40)}): ${counted(pairs.length, 'pair')}, ${counted(tokens, 'token')}, ${excluded.length} left out`
