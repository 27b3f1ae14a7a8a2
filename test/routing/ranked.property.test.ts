import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { Book } from '../../src/market/book.js'
import { isRefusal } from '../../src/market/refusal.js'
import { divide, executePath, quotePath, simulatePath } from '../../src/market/router.js'
import { bestPath, bestWalk } from '../../src/routing/best-walk.js'
import { findRoutes, routeAlong } from '../../src/routing/find.js'
import { graphOf } from '../../src/routing/graph.js'
import { queryOf } from '../../src/routing/query.js'
import { explainPaths, rankPaths } from '../../src/routing/ranked.js'
import type { Route } from '../../src/routing/route.js'
import { decodeSnapshot } from '../../src/snapshot/decode.js'
import {
  between,
  type Drawn,
  denomsOf,
  drawMarket,
  drawQuestion,
  once,
  type Question,
  seeds,
  shuffled,
} from '../support/markets.js'

/** A path as a list of addresses with its integer outputs: what two searches have to agree in. */
type Line = readonly [path: string, recipient: bigint, gross: bigint, ...bought: bigint[]]

/** Every simple path between two denoms, whatever it pays, found without the graph under test. */
function simplePaths({ market }: Drawn, { input, output, limits }: Question): Book[][] {
  const paths: Book[][] = []
  const path: Book[] = []
  const visit = (at: string, seen: readonly string[]): void => {
    for (const book of market.books.values()) {
      const { base, quote } = book.state.pair
      const to = at === base ? quote : at === quote ? base : undefined
      if (to === undefined || seen.includes(to)) continue
      path.push(book)
      if (to === output) paths.push([...path])
      else if (path.length < limits.maxHops) visit(to, [...seen, to])
      path.pop()
    }
  }
  visit(input.denom, [input.denom])
  return paths
}

const addressesOf = (books: readonly Book[]): string[] => books.map((b) => b.state.pair.address)

/** Every simple path within the limits that an execution takes, best first, ties by addresses. */
function exhaustive(drawn: Drawn, question: Question): Line[] {
  const { market } = drawn
  const { input, limits } = question
  const lines: Line[] = []
  for (const books of simplePaths(drawn, question)) {
    const addresses = addressesOf(books)
    const names = new Set([...addresses, ...denomsOf(market, input.denom, addresses)])
    if (limits.exclude.some((name) => names.has(name))) continue
    if (!limits.via.every((name) => names.has(name))) continue
    const hops = quotePath(market.router, books, input)
    if (isRefusal(hops)) continue
    const { denom, amount } = hops.at(-1)!.output
    const gross = amount + (market.router.balances.get(denom) ?? 0n)
    const division = divide(market.router, gross, limits.affiliate)
    if (isRefusal(division) || division.recipient === 0n) continue
    lines.push([
      addresses.join(' '),
      division.recipient,
      gross,
      ...hops.map(({ fill }) => fill.bought),
    ])
  }
  const keys = (path: string) => path.split(' ')
  return lines.sort((a, b) =>
    a[1] !== b[1] ? (a[1] > b[1] ? -1 : 1) : compareLists(keys(a[0]), keys(b[0])),
  )
}

function compareLists(a: readonly string[], b: readonly string[]): number {
  const i = a.findIndex((word, at) => word !== b[at])
  return i < 0 ? a.length - b.length : (a[i] ?? '') < (b[i] ?? '') ? -1 : 1
}

const lineOf = ({ edges, fills, gross, output }: Found): Line => [
  addressesOf(edges.map((edge) => edge.book)).join(' '),
  output,
  gross,
  ...fills.map((fill) => fill.bought),
]

/** Everything that a route says, without the books that it points to. */
const plain = (route: Route) => ({
  ...route,
  hops: route.hops.map(({ book, ...hop }) => ({ ...hop, address: book.state.pair.address })),
})

/** Runs a check on several questions to every generated market, naming the seed of a failure. */
function forEachQuestion(
  count: number,
  questions: number,
  check: (drawn: Drawn, question: Question) => void,
): void {
  for (const seed of seeds(count)) {
    const drawn = drawMarket(seed)
    for (let i = 0; i < questions; i += 1) {
      const question = drawQuestion(drawn)
      try {
        check(drawn, question)
      } catch (error) {
        const { maxHops, via, exclude } = question.limits
        const asked = `${question.input.amount} ${question.input.denom} to ${question.output}`
        const why = error instanceof Error ? error.message : `${error}`
        throw new Error(
          `seed ${seed} question ${i}: ${asked}, ${maxHops} hops, via ${via}, exclude ${exclude}, affiliate ${question.affiliate}: ${why}`,
          { cause: error },
        )
      }
    }
  }
}

const queryFor = ({ graph }: Drawn, { input, output, limits }: Question) =>
  queryOf(graph, input.denom, output, limits)

test('the ranked list is that of an exhaustive search, ties, via and exclude included', () => {
  forEachQuestion(400, 4, (drawn, question) => {
    const wanted = exhaustive(drawn, question)
    const query = queryFor(drawn, question)
    const { amount } = question.input
    for (const count of [1, 5, 10])
      assert.deepEqual(rankPaths(query, amount, count).found.map(lineOf), wanted.slice(0, count))
    const best = bestPath(query, amount)
    assert.deepEqual(best && lineOf(best), wanted[0])
    const walk = bestWalk(query, amount)
    if (walk) assert.ok(wanted.some((line) => line.join() === lineOf(walk).join()))
  })
})

test('a floor cuts what pays less and nothing that pays as much', () => {
  forEachQuestion(100, 2, (drawn, question) => {
    const query = queryFor(drawn, question)
    const { found } = rankPaths(query, question.input.amount, 25)
    for (const { output } of found) {
      const cut = rankPaths(query, question.input.amount, 25, output).found.map(lineOf)
      const kept = found.filter((path) => path.output >= output).map(lineOf)
      assert.deepEqual(cut.slice(0, kept.length), kept)
    }
  })
})

test('a route found by the search says what the same path says when it is asked for', () => {
  forEachQuestion(200, 2, (drawn, question) => {
    const { market } = drawn
    const { input, limits } = question
    const slippageBps = between(drawn.random, 0, 9999)
    const { routes } = findRoutes(queryFor(drawn, question), input, 10, { slippageBps })
    for (const route of routes) {
      const books = route.hops.map((hop) => hop.book)
      const along = routeAlong(market, books, input, { limits, slippageBps })
      assert.ok(!isRefusal(along))
      assert.deepEqual(plain(route), plain(along))
      const simulated = simulatePath(market.router, books, input)
      assert.equal(route.simulated, isRefusal(simulated) ? undefined : simulated.returned)
    }
  })
})

test('an execution pays what a route expects, and refuses to promise one atomic more', () => {
  forEachQuestion(300, 3, (drawn, question) => {
    const { market } = drawn
    const { input, limits, output } = question
    const { affiliate } = limits
    for (const route of findRoutes(queryFor(drawn, question), input, 10, { slippageBps: 50 }).routes) {
      const addresses = route.hops.map((hop) => hop.book.state.pair.address)
      const executed = (amount: bigint) =>
        executePath(market, addresses, input, { minReturn: { denom: output, amount }, affiliate })
      const done = executed(route.expected)
      assert.ok(!isRefusal(done), isRefusal(done) ? done.why : '')
      assert.equal(done.recipient, route.expected)
      assert.equal(done.exact, route.exact)
      assert.deepEqual(
        done.hops.map(({ sold, unsold, bought, fee, groups }) => [sold, unsold, bought, fee, groups]),
        route.hops.map(({ offer, fill }) => [offer.amount, 0n, fill.bought, fill.fee, fill.groups]),
      )
      const more = executed(route.expected + 1n)
      assert.equal(isRefusal(more) && more.refused, 'below_min_return')
    }
  })
})

test('a rejected path is one that an execution refuses for the reason given', () => {
  forEachQuestion(200, 2, (drawn, question) => {
    const { market } = drawn
    const { rejected } = explainPaths(queryFor(drawn, question), question.input.amount, 10)
    for (const { edges, refusal } of rejected) {
      const books = edges.map((edge) => edge.book)
      const route = routeAlong(market, books, question.input, {
        limits: question.limits,
        slippageBps: 0,
      })
      assert.deepEqual(isRefusal(route) && route.refused, refusal.refused)
    }
  })
})

test('the order of the pairs in the document changes no answer', () => {
  forEachQuestion(60, 2, (drawn, question) => {
    const { document, random } = drawn
    const mixed = decodeSnapshot(
      {
        ...document,
        pairs: shuffled(random, document.pairs),
        tokens: shuffled(random, document['tokens'] as object[]),
      },
      'mixed',
    )
    const { input, output, limits } = question
    const answers = [drawn.graph, graphOf(mixed)].map((graph) => {
      const query = queryOf(graph, input.denom, output, limits)
      const { routes, examined, rejected } = findRoutes(query, input, 10, { slippageBps: 50, explain: true })
      return {
        routes: routes.map(plain),
        examined,
        rejected: rejected.map(({ edges, refusal }) => [
          addressesOf(edges.map((edge) => edge.book)),
          refusal,
        ]),
      }
    })
    assert.deepEqual(answers[1], answers[0])
  })
})

test('the generated questions meet every kind of refusal, tie, maker and cycle that matters', () => {
  const met = new Map<string, number>()
  const count = (what: string) => met.set(what, (met.get(what) ?? 0) + 1)
  forEachQuestion(400, 3, (drawn, question) => {
    const query = queryFor(drawn, question)
    const { found, rejected } = explainPaths(query, question.input.amount, 10)
    for (const { refusal } of rejected) count(refusal.refused)
    count(found.length === 0 ? 'no path' : found.length === 1 ? 'one path' : 'several paths')
    if (found.some((path, i) => path.output === found[i - 1]?.output)) count('tie')
    const best = found[0]
    const walk = bestWalk(query, question.input.amount)
    if (best && !walk) count('walk that is no path')
    if (best && walk && walk.output < best.output) count('walk misled by a refusal')
    if (best?.edges.some(({ book }) => book.state.makers.length > 0)) count('maker')
    if (best?.fills.some((fill) => !fill.exact)) count('inexact')
    if (best?.fills.some((fill) => fill.groups > 1)) count('several levels')
    const steps = best?.edges.map(({ book }) => book.settled()) ?? []
    if (steps.some((step) => !isRefusal(step) && step.changed)) count('arbitrage step')
    if (best && best.edges.length > 2) count('three hops')
    if (best && drawn.market.router.balances.size > 0) count('router balance')
    if (best && question.limits.via.length > 0) count('via')
    if (best && question.limits.exclude.length > 0) count('exclude')
    if (best && best.output < best.gross / 2n) count('high fees')
    if (once(drawn.random, 1)) count('questions')
  })
  const least = {
    ...{ 'no path': 200, 'one path': 100, 'several paths': 200, tie: 40, maker: 200 },
    ...{ 'several levels': 100, 'arbitrage step': 60, 'three hops': 100, 'router balance': 60 },
    ...{ 'walk that is no path': 3, 'walk misled by a refusal': 3, inexact: 40, via: 8, exclude: 30 },
    ...{ beyond_depth: 500, abort_window: 40, zero_output: 100, empty_maker_message: 40 },
    ...{ arb_capital: 5, overflow: 20, pool_precision: 5, fees_exceed_output: 5, 'high fees': 40 },
  }
  for (const [what, enough] of Object.entries(least))
    assert.ok((met.get(what) ?? 0) >= enough, `${what}: ${met.get(what)} of ${enough}`)
})
