import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { Book } from '../../../src/engine/market/book.js'
import { askDenom, sideOf } from '../../../src/engine/market/pair.js'
import { isRefusal } from '../../../src/engine/market/refusal.js'
import { payoutOf, quotePath } from '../../../src/engine/market/router.js'
import type { Coin, Denom } from '../../../src/engine/market/token.js'
import { decimal } from '../../../src/engine/math/decimal.js'
import { routeAlong } from '../../../src/engine/routing/find-routes.js'
import type { Graph } from '../../../src/engine/routing/graph.js'
import { type Limits, queryOf } from '../../../src/engine/routing/query.js'
import { gasCost, type RankedPath, rankPaths } from '../../../src/engine/routing/rank-paths.js'
import { drawMarket } from '../../support/drawn-market.js'
import {
  anyOf,
  between,
  costsOf,
  type Drawn,
  once,
  seeds,
  shuffled,
} from '../../support/markets.js'

type PathQuestion = { readonly input: Coin; readonly output: Denom; readonly limits: Limits }

/** Two denoms, mostly open limits, and an amount near the end of a level. */
function drawQuery({ random, market, graph }: Drawn): PathQuestion {
  const [from, output] = shuffled(random, graph.denoms)
  const names = () =>
    Array.from({ length: once(random, 3) ? 2 : 1 }, () =>
      anyOf(random, once(random, 2) ? graph.denoms : [...market.books.keys()]),
    )
  const limits: Limits = {
    maxHops: anyOf(random, [1, 2, 3, 3, 4, 4, 4, 5]),
    via: once(random, 6) ? names() : [],
    exclude: once(random, 6) ? names() : [],
    affiliate: market.router.affiliates.get(anyOf(random, ['', '', '', 'acme', 'most'])),
  }
  const offer = drawOffer(random, [...market.books.values()], from!)
  const amount = offer - (market.router.balances.get(from!) ?? 0n)
  return { input: { denom: from!, amount: amount > 0n ? amount : 1n }, output: output!, limits }
}

/** A few atomics, any power of ten, or an offer near the end of one of the first levels of a book. */
function drawOffer(random: Drawn['random'], books: readonly Book[], denom: Denom): bigint {
  const kind = between(random, 0, 9)
  if (kind === 0) return BigInt(between(random, 1, 9))
  if (kind === 1) return BigInt(between(random, 1, 99)) * 10n ** BigInt(between(random, 0, 26))
  const book = anyOf(
    random,
    books.filter(({ state }) => sideOf(state.pair, denom)),
  )
  const costs = costsOf(book, sideOf(book.state.pair, denom)!, between(random, 1, kind < 7 ? 2 : 6))
  const share = BigInt(kind < 5 ? between(random, 1, 1100) : 1000)
  return ((costs.at(-1) ?? 0n) * share) / 1000n + BigInt(between(random, -2, 2))
}

/** A path as a list of addresses with its integer outputs, in which two searches must agree. */
type Line = readonly [path: string, net: bigint, ...bought: bigint[]]

const addressesOf = (books: readonly Book[]): string[] => books.map((b) => b.state.pair.address)

/** Every simple path between two denoms with its denoms, found without the graph under test. */
function simplePaths({ market }: Drawn, { input, output, limits }: PathQuestion) {
  const paths: { readonly books: readonly Book[]; readonly denoms: readonly Denom[] }[] = []
  const visit = (books: readonly Book[], denoms: readonly Denom[]): void => {
    for (const book of market.books.values()) {
      const side = sideOf(book.state.pair, denoms.at(-1)!)
      const to = side && askDenom(book.state.pair, side)
      if (to === undefined || denoms.includes(to)) continue
      const longer = { books: [...books, book], denoms: [...denoms, to] }
      if (to === output) paths.push(longer)
      else if (longer.books.length < limits.maxHops) visit(longer.books, longer.denoms)
    }
  }
  visit([], [input.denom])
  return paths
}

/** Every simple path within the limits that an execution accepts, best first, ties by addresses. */
function exhaustive(graph: Graph, drawn: Drawn, question: PathQuestion): Line[] {
  const { router } = drawn.market
  const { input, output, limits } = question
  const lines: Line[] = []
  for (const { books, denoms } of simplePaths(drawn, question)) {
    const names = new Set([...addressesOf(books), ...denoms])
    if (limits.exclude.some((name) => names.has(name))) continue
    if (!limits.via.every((name) => names.has(name))) continue
    const hops = quotePath(router, books, input)
    if (isRefusal(hops)) continue
    const gross = hops.at(-1)!.output.amount + (router.balances.get(output) ?? 0n)
    const payout = payoutOf(router, gross, limits.affiliate)
    if (isRefusal(payout)) continue
    const bought = hops.map(({ fill }) => fill.bought)
    const net = payout.recipient - gasCost(graph, output, hops)
    lines.push([addressesOf(books).join('\n'), net, ...bought])
  }
  return lines.sort((a, b) => (a[1] !== b[1] ? (a[1] > b[1] ? -1 : 1) : a[0] < b[0] ? -1 : 1))
}

const lineOf = ({ hops, net }: RankedPath): Line => [
  addressesOf(hops.map(({ book }) => book)).join('\n'),
  net,
  ...hops.map(({ fill }) => fill.bought),
]

/** The graph of a drawn market; every third has a gas price, from one that hardly counts to one that decides. */
function graphOf(seed: number, { graph, market }: Drawn): Graph {
  if (seed % 3 > 0) return graph
  const denom = graph.denoms[seed % graph.denoms.length]!
  const price = { denom, amount: decimal(10n ** BigInt(seed % 20)) }
  return { ...graph, market: { ...market, gas: { ...market.gas, price } }, gasWorths: new Map() }
}

type DrawnQuestion = { readonly drawn: Drawn; readonly question: PathQuestion }

/** Runs a check on several queries to every generated market, with the seed in the failure. */
function forEachQuery(
  count: number,
  questions: number,
  check: (query: ReturnType<typeof queryOf>, question: DrawnQuestion) => void,
): void {
  for (const seed of seeds(count)) {
    const drawn = drawMarket(seed)
    for (let i = 0; i < questions; i += 1) {
      const question = drawQuery(drawn)
      const { input, output, limits } = question
      try {
        check(queryOf(graphOf(seed, drawn), input.denom, output, limits), { drawn, question })
      } catch (error) {
        const label = `${input.amount} ${input.denom} to ${output}, ${limits.maxHops} hops`
        const why = error instanceof Error ? error.message : `${error}`
        const names = `via ${limits.via}, exclude ${limits.exclude}`
        throw new Error(`seed ${seed} question ${i}: ${label}, ${names}: ${why}`, { cause: error })
      }
    }
  }
}

test('the ranked list of paths is that of an exhaustive search, ties, via and exclude included', () => {
  forEachQuery(30, 3, (query, { drawn, question }) => {
    const expected = exhaustive(query.graph, drawn, question)
    const { amount } = question.input
    for (const count of [1, 5, 10])
      assert.deepEqual(rankPaths(query, amount, count).found.map(lineOf), expected.slice(0, count))
  })
})

test('collecting refusals changes no result of the path search', () => {
  forEachQuery(20, 2, (query, { question }) => {
    const { amount } = question.input
    const [quick, explained] = [rankPaths(query, amount, 5), rankPaths(query, amount, 5, true)]
    assert.deepEqual(quick.found.map(lineOf), explained.found.map(lineOf))
    assert.equal(quick.examined, explained.examined)
  })
})

test('a path prefix reported as refused is refused on execution, or every continuation of it is', () => {
  forEachQuery(40, 2, (query, { drawn, question }) => {
    const { input, limits } = question
    const along = (books: readonly Book[]) =>
      routeAlong(drawn.market, books, input, { limits, slippageBps: 0 })
    for (const { edges, refusal } of rankPaths(query, input.amount, 10, true).rejected) {
      const path = edges.map((edge) => edge.book)
      const quoted = along(path)
      if (isRefusal(quoted)) {
        // The search may report an overflow where an execution meets another refusal first.
        assert.ok([quoted.refused, 'beyond_depth'].includes(refusal.refused), refusal.why)
        continue
      }
      assert.match(refusal.why, /leads on/)
      for (const { books, denoms } of simplePaths(drawn, question)) {
        const goesOn = path.every((book, i) => books[i] === book)
        const names = [...addressesOf(books), ...denoms]
        if (goesOn && !limits.exclude.some((name) => names.includes(name)))
          assert.ok(isRefusal(along(books)), addressesOf(books).join())
      }
    }
  })
})

test('the generated path queries cover every kind of refusal, tie, maker and cycle', () => {
  const caseCounts = new Map<string, number>()
  const count = (name: string) => caseCounts.set(name, (caseCounts.get(name) ?? 0) + 1)
  forEachQuery(80, 3, (query, { drawn, question }) => {
    const { found, rejected } = rankPaths(query, question.input.amount, 10, true)
    for (const { refusal } of rejected) count(refusal.refused)
    count(found.length === 0 ? 'no path' : found.length === 1 ? 'one path' : 'several paths')
    if (found.some((path, i) => path.output === found[i - 1]?.output)) count('tie')
    const best = found[0]
    if (best === undefined) return
    if (best.edges.some(({ book }) => book.state.makers.length > 0)) count('maker')
    if (best.hops.some(({ fill }) => !fill.exact)) count('inexact')
    if (best.hops.some(({ fill }) => fill.groups > 1)) count('several levels')
    const steps = best.edges.map(({ book }) => book.afterArbitrage())
    if (steps.some((step) => !isRefusal(step) && step.changed)) count('arbitrage step')
    if (best.edges.length > 2) count('three hops')
    if (drawn.market.router.balances.size > 0) count('router balance')
    if (question.limits.via.length > 0) count('via')
    if (question.limits.exclude.length > 0) count('exclude')
    if (best.output < best.hops.at(-1)!.output.amount / 2n) count('high fees')
  })
  const least = {
    'no path': 40,
    'one path': 16,
    'several paths': 30,
    tie: 6,
    maker: 30,
    inexact: 8,
    'several levels': 12,
    'arbitrage step': 6,
    'three hops': 12,
    'router balance': 8,
    via: 2,
    exclude: 4,
    'high fees': 6,
    zero_output: 20,
    beyond_depth: 100,
    abort_window: 6,
    empty_maker_message: 6,
    fees_exceed_output: 1,
    arb_capital: 1,
    overflow: 2,
    pool_precision: 1,
  }
  for (const [name, enough] of Object.entries(least))
    assert.ok(
      (caseCounts.get(name) ?? 0) >= enough,
      `${name}: ${caseCounts.get(name)} of ${enough}`,
    )
})
