import { DEMO_SEED, demoSnapshot } from '../src/demo-chain/market/snapshot.js'
import { arbitrageRoute } from '../src/engine/arbitrage/arbitrage-route.js'
import { scanLoops } from '../src/engine/arbitrage/scan.js'
import type { SwapError } from '../src/engine/errors.js'
import { compileBook } from '../src/engine/market/book.js'
import type { Market } from '../src/engine/market/market.js'
import type { RestingSide } from '../src/engine/market/pair.js'
import { pricerOf } from '../src/engine/market/valuation.js'
import { rational } from '../src/engine/math/rational.js'
import { graphOf } from '../src/engine/routing/graph.js'
import { type PathQuery, queryOf } from '../src/engine/routing/query.js'
import { decodeSnapshot } from '../src/engine/snapshot/decode.js'
import { findSplit, type Splits } from '../src/engine/splits/find-split.js'
import { sroute } from '../src/operations/split/split.js'
import { anyRequests } from './any-request.js'
import { generatedMarket, unitsWorth } from './markets.js'
import { randomOf } from './random.js'
import { sqsRule, uniswapRule } from './rival-rules.js'

const LIMITS = { maxHops: 4, via: [], exclude: [], affiliate: undefined }

/** Orders that lose more than this share of their worth use the market up and are left out. */
const LARGEST_COST = 0.2

/** Books ten times as deep as the generated ones, so that larger orders find a place. */
function deepened(market: Market): Market {
  const tenfold = (side: RestingSide): RestingSide => ({
    ...side,
    fixed: side.fixed.map((pool) => ({ ...pool, total: pool.total * 10n })),
  })
  const books = [...market.books].map(([address, { state }]) => {
    const deep = { ...state, asks: tenfold(state.asks), bids: tenfold(state.bids) }
    return [address, compileBook(deep)] as const
  })
  return { ...market, books: new Map(books) }
}

type Order = {
  readonly query: PathQuery
  readonly denom: string
  readonly amount: bigint
  /** Output atomics at mid prices. */
  readonly worth: number
}

function ordersOf(market: Market, count: number, dollarsOf: (random: () => number) => number) {
  const graph = graphOf(market)
  const rationalOf = pricerOf(market)
  const priced = graph.denoms.filter((denom) => rationalOf(denom))
  const priceOf = (denom: string) => {
    const { numerator, denominator } = rationalOf(denom)!
    return Number(numerator) / Number(denominator)
  }
  const random = randomOf(12_345)
  const pick = () => priced[Math.floor(random() * priced.length)]!
  return Array.from({ length: count }, (_, i): Order => {
    const denom = pick()
    let to = pick()
    while (to === denom) to = pick()
    const amount = unitsWorth(dollarsOf(random), priceOf(denom)) + BigInt(i)
    const worth = (Number(amount) * priceOf(denom)) / priceOf(to)
    return { query: queryOf(graph, denom, to, LIMITS), denom, amount, worth }
  })
}

const split =
  (step: number, grid = true, maxLegs?: number) =>
  (order: Order): Splits =>
    findSplit(
      order.query,
      { denom: order.denom, amount: order.amount },
      {
        slippageBps: 50,
        stepPercent: step,
        grid,
        maxLegs,
      },
    )

const sorted = (list: readonly number[]) => [...list].sort((a, b) => a - b)
const at = (list: readonly number[], share: number) =>
  list[Math.min(list.length - 1, Math.floor(list.length * share))] ?? Number.NaN
const number = (value: number) => (value >= 100 ? value.toFixed(0) : value.toFixed(3)).padStart(9)

/** Median, mean, 90th percentile and worst. */
function row(name: string, values: readonly number[]): void {
  const list = sorted(values)
  const mean = list.reduce((a, b) => a + b, 0) / list.length
  console.log(
    `  ${name.padEnd(34)}`,
    ...[at(list, 0.5), mean, at(list, 0.9), list.at(-1) ?? Number.NaN].map(number),
  )
}

const rows: readonly (readonly [string, (order: Order, splits: Splits) => bigint | undefined])[] = [
  ['best single path', (_, { single }) => single?.expected],
  ['step 10', (order) => split(10)(order).splits[0]?.expected],
  ['step 5', (order) => split(5)(order).splits[0]?.expected],
  ['step 1', (_, { splits }) => splits[0]?.expected],
  ['step 1, 10 legs', (order) => split(1, true, 10)(order).splits[0]?.expected],
  ['no grid, 6 legs', (order) => split(1, false, 6)(order).splits[0]?.expected],
  ['no grid', (order) => split(1, false)(order).splits[0]?.expected],
  ['rule of sqs', ({ query, denom, amount }) => sqsRule(query, { denom, amount })],
  ['rule of Uniswap, step 5', ({ query, denom, amount }) => uniswapRule(query, { denom, amount })],
]

function quality(tokens: number, dollars: number, count: number): void {
  const orders = ordersOf(deepened(generatedMarket(tokens)), count, () => dollars)
  const measured = orders
    .map((order) => [order, split(1)(order)] as const)
    .filter(([{ worth }, { splits }]) => {
      const best = splits[0]
      return best !== undefined && Number(best.expected) > worth * (1 - LARGEST_COST)
    })
  if (measured.length === 0) return
  console.log(`\n${tokens} tokens, $${dollars}, ${measured.length} orders: bps below the bound`)
  console.log(' '.repeat(36), ...['median', 'mean', 'p90', 'worst'].map((word) => word.padStart(9)))
  for (const [name, answer] of rows) {
    const gaps = measured.map(([order, splits]) => {
      const bound = Number(splits.bound)
      return ((bound - Number(answer(order, splits) ?? 0n)) / bound) * 10_000
    })
    row(name, gaps)
  }
}

/** CPU milliseconds of this process, which other work on the machine does not stretch. */
const cpuTime = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** The better of two runs of each, warm. */
function timed<T>(name: string, items: readonly T[], answer: (item: T) => unknown): void {
  for (const item of items) answer(item)
  const once = (item: T) => {
    const start = cpuTime()
    answer(item)
    return cpuTime() - start
  }
  const times = sorted(items.map((item) => Math.min(once(item), once(item))))
  console.log(name.padEnd(48), ...[0.5, 0.9, 0.95, 0.99].map((share) => number(at(times, share))))
}

/** Whole requests as strangers send them, with the document or the refusal that they get; warm. */
async function anySplits(name: string, members: object): Promise<void> {
  const graph = graphOf(demo)
  const context = { openMarket: async () => ({ market: demo, graph }) }
  const times = new Map<string, number[]>()
  for (const isWarm of [false, true])
    for (const request of anyRequests(demo, 150)) {
      const body = { ...request, ...members, input: { ...request.input, split_step: 1 } }
      const start = cpuTime()
      const outcome = await sroute(context, body).then(
        ({ search_cut: cut }) => (cut === undefined ? 'answered' : 'answered, cut'),
        ({ code, members: said }: SwapError) => (said?.['search_cut'] ? `${code}, cut` : code),
      )
      if (isWarm) times.set(outcome, [...(times.get(outcome) ?? []), cpuTime() - start])
    }
  for (const [outcome, each] of times) {
    const list = sorted(each)
    console.log(
      `${name}: ${each.length} ${outcome}`.padEnd(72),
      ...[0.5, 0.95, 0.99, 1].map((share) => number(at(list, share))),
    )
  }
}

const demo = decodeSnapshot(demoSnapshot(DEMO_SEED), 'demo')
console.log('CPU ms'.padEnd(48), ...['p50', 'p90', 'p95', 'p99'].map((word) => word.padStart(9)))
const usual = ordersOf(demo, 300, (random) => 100 * 10 ** (random() * 3))
timed('demo, $100 to $100k: step 5', usual, split(5))
timed('demo, $100 to $100k: step 1', usual, split(1))
timed('demo, $100 to $100k: no grid', usual, split(1, false))
await anySplits('any tokens and size, step 1', {})
await anySplits('the same with every option', {
  max_hops: 6,
  max_legs: 10,
  limit: 25,
  explain: true,
  frontier: true,
})
for (const tokens of [25, 60]) {
  const orders = ordersOf(
    deepened(generatedMarket(tokens)),
    300,
    (random) => 100 * 10 ** (random() * 3),
  )
  timed(`${tokens} tokens, $100 to $100k: step 5`, orders, split(5))
  timed(`${tokens} tokens, $100 to $100k: step 1`, orders, split(1))
  timed(`${tokens} tokens, $100 to $100k: no grid`, orders, split(1, false))
}
for (const dollars of [100, 10_000, 1_000_000])
  for (const tokens of [20, 50]) {
    const orders = ordersOf(deepened(generatedMarket(tokens)), 60, () => dollars)
    timed(`generated, ${tokens} tokens, $${dollars}: step 5`, orders, split(5))
  }
const graph = graphOf(demo)
const terms = { maxHops: 4, slippageBps: 50 }
const rounds = Array.from({ length: 60 }, (_, i) => i)
timed('demo: arbitrage scan', rounds, () =>
  scanLoops(graph, { ...terms, minPercent: rational(0n, 1n) }),
)
timed('demo: arbitrage route, 2000 dollars', rounds, (i) =>
  arbitrageRoute(graph, { denom: demo.usd!, amount: 200_000_000_000n + BigInt(i) }, terms),
)
for (const tokens of [20, 50])
  for (const dollars of [100, 10_000, 100_000, 1_000_000]) quality(tokens, dollars, 40)
