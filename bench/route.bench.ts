import { DEMO_SEED, demoSnapshot } from '../src/demo-chain/market/snapshot.js'
import type { Market } from '../src/engine/market/market.js'
import { pricerOf } from '../src/engine/market/valuation.js'
import { findRoutes } from '../src/engine/routing/find-routes.js'
import { graphOf } from '../src/engine/routing/graph.js'
import { type PathQuery, queryOf } from '../src/engine/routing/query.js'
import { rankPaths } from '../src/engine/routing/rank-paths.js'
import { inputFor } from '../src/engine/routing/route-size.js'
import { decodeSnapshot } from '../src/engine/snapshot/decode.js'
import { route as answer } from '../src/operations/route/route.js'
import { anyRequests } from './any-request.js'
import { generatedMarket, unitsWorth } from './markets.js'
import { randomOf } from './random.js'

const NO_LIMITS = { maxHops: 4, via: [], exclude: [], affiliate: undefined }

type Asked = { readonly query: PathQuery; readonly denom: string; readonly amount: bigint }

/** Unique requests between tokens that trade, worth 100 to 100,000 dollars, the same in every run. */
function requestsOf(market: Market, count: number): readonly Asked[] {
  const graph = graphOf(market)
  const priceOf = pricerOf(market)
  const priced = graph.denoms.filter((denom) => priceOf(denom))
  const random = randomOf(12_345)
  const pick = () => priced[Math.floor(random() * priced.length)]!
  return Array.from({ length: count }, (_, i) => {
    const denom = pick()
    let to = pick()
    while (to === denom) to = pick()
    const { numerator, denominator } = priceOf(denom)!
    const dollars = 100 * 10 ** (random() * 3)
    const amount = unitsWorth(dollars, Number(numerator) / Number(denominator)) + BigInt(i)
    return { query: queryOf(graph, denom, to, NO_LIMITS), denom, amount }
  })
}

function timed(asked: readonly Asked[], answer: (one: Asked) => unknown): readonly number[] {
  const times = asked.map((one) => {
    const start = performance.now()
    answer(one)
    return performance.now() - start
  })
  return times.sort((a, b) => a - b)
}

const at = (times: readonly number[], share: number): string =>
  times[Math.min(times.length - 1, Math.floor(times.length * share))]!.toFixed(3).padStart(9)

function row(name: string, asked: readonly Asked[], answer: (one: Asked) => unknown): void {
  timed(asked.slice(0, asked.length / 2), answer)
  const times = timed(asked, answer)
  console.log(name.padEnd(44), at(times, 0.5), at(times, 0.95), at(times, 0.99), at(times, 1))
}

console.log('ms'.padEnd(44), '      p50', '      p95', '      p99', '      max')
const demo = decodeSnapshot(demoSnapshot(DEMO_SEED), 'demo')
const route = (count: number) => (one: Asked) =>
  findRoutes(one.query, { denom: one.denom, amount: one.amount }, count, { slippageBps: 50 })
const markets: readonly (readonly [string, Market, number])[] = [
  [`demo, ${demo.tokens.size} tokens, ${demo.books.size} pairs`, demo, 3000],
  ...[20, 50, 200, 500].map((tokens) => {
    const market = generatedMarket(tokens)
    const name = `generated, ${tokens} tokens, ${market.books.size} pairs`
    return [name, market, tokens > 100 ? 600 : 2000] as const
  }),
]
for (const [name, market, count] of markets) {
  const asked = requestsOf(market, count)
  row(`route, ten ranked: ${name}`, asked, route(10))
}
const asked = requestsOf(demo, 2000)
row('route, five ranked: demo', asked, route(5))
row('best path: demo', asked, (one) => rankPaths(one.query, one.amount, 1))
row('exact-out: demo', asked.slice(0, 200), (one) => inputFor(one.query, one.amount, 50))

/** Whole requests as strangers send them, with the document or the refusal that they get. */
async function anyRequest(market: Market, count: number): Promise<void> {
  const graph = graphOf(market)
  const context = { openMarket: async () => ({ market, graph }) }
  const requests = anyRequests(market, count)
  const times = new Map<string, number[]>()
  for (const isWarm of [false, true])
    for (const request of requests) {
      const start = performance.now()
      const outcome = await answer(context, request).then(
        () => 'answered',
        (error: { code?: string }) => error.code ?? 'bug',
      )
      if (isWarm) times.set(outcome, [...(times.get(outcome) ?? []), performance.now() - start])
    }
  for (const [outcome, each] of times) {
    each.sort((a, b) => a - b)
    const name = `any tokens, size and hops: ${each.length} ${outcome}`
    console.log(name.padEnd(60), at(each, 0.5), at(each, 0.95), at(each, 0.99), at(each, 1))
  }
}
await anyRequest(demo, 2000)
