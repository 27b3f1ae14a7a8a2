import assert from 'node:assert/strict'
import { test } from 'vitest'
import { sideOf } from '../../../src/engine/market/pair.js'
import { isRefusal } from '../../../src/engine/market/refusal.js'
import { executePath, simulatePath } from '../../../src/engine/market/router.js'
import { findRoutes, routeAlong } from '../../../src/engine/routing/find-routes.js'
import { type Edge, graphOf } from '../../../src/engine/routing/graph.js'
import { type Limits, type PathQuery, queryOf } from '../../../src/engine/routing/query.js'
import type { Route } from '../../../src/engine/routing/route.js'
import { decodeSnapshot } from '../../../src/engine/snapshot/decode.js'
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

/** All members of a route without the books that it refers to. */
const plain = (route: Route) => ({
  ...route,
  hops: route.hops.map(({ book, ...hop }) => ({ ...hop, address: book.state.pair.address })),
})

type RouteRequest = { readonly from: string; readonly to: string; readonly amount: bigint }

const queryFor = ({ graph }: Drawn, { from, to }: RouteRequest, limits: Limits): PathQuery =>
  queryOf(graph, from, to, limits)

/** Some queries to every generated market: amounts around the ends of the first levels. */
function* drawnQueries(count: number): Generator<readonly [Drawn, RouteRequest, Limits]> {
  for (const seed of seeds(count)) {
    const drawn = drawMarket(seed)
    const { random, graph, market } = drawn
    for (let i = 0; i < 4; i += 1) {
      const [from, to] = shuffled(random, graph.denoms) as [string, string]
      const book = anyOf(random, graph.leaving[graph.indexOf.get(from)!]!).book
      const cost = costsOf(book, sideOf(book.state.pair, from)!, between(random, 1, 3)).at(-1) ?? 0n
      const amount = (cost * BigInt(between(random, 1, 8))) / 8n + BigInt(between(random, 0, 2))
      const affiliate = market.router.affiliates.get(anyOf(random, ['', 'acme', 'most']))
      const limits = { maxHops: between(random, 1, 4), via: [], exclude: [], affiliate }
      yield [drawn, { from, to, amount: amount > 0n ? amount : 1n }, limits]
    }
  }
}

test('a route found by the search equals the same path when it is given', () => {
  for (const [drawn, request, limits] of drawnQueries(30)) {
    const { market, random, seed } = drawn
    const input = { denom: request.from, amount: request.amount }
    const slippageBps = between(random, 0, 9999)
    const { routes } = findRoutes(queryFor(drawn, request, limits), input, 10, { slippageBps })
    for (const route of routes) {
      const books = route.hops.map((hop) => hop.book)
      const along = routeAlong(market, books, input, { limits, slippageBps })
      assert.ok(!isRefusal(along), `seed ${seed}`)
      assert.deepEqual(plain(route), plain(along), `seed ${seed}`)
      const simulated = simulatePath(market.router, books, input)
      assert.equal(route.simulated, isRefusal(simulated) ? undefined : simulated.returned)
    }
  }
})

test('an execution pays what a route expects, and fails with a minimum of one atomic more', () => {
  let executions = 0
  for (const [drawn, request, limits] of drawnQueries(50)) {
    const { market, seed } = drawn
    const input = { denom: request.from, amount: request.amount }
    const query = queryFor(drawn, request, limits)
    for (const route of findRoutes(query, input, 10, { slippageBps: 50 }).routes) {
      const addresses = route.hops.map((hop) => hop.book.state.pair.address)
      const { affiliate } = limits
      const executed = (amount: bigint) =>
        executePath(market, addresses, input, {
          minReturn: { denom: request.to, amount },
          affiliate,
        })
      const done = executed(route.expected)
      assert.ok(!isRefusal(done), `seed ${seed}: ${isRefusal(done) && done.why}`)
      assert.equal(done.recipient, route.expected)
      assert.equal(done.exact, route.exact)
      assert.deepEqual(
        done.hops.map(({ sold, unsold, bought, fee, groups }) => [
          sold,
          unsold,
          bought,
          fee,
          groups,
        ]),
        route.hops.map(({ offer, fill }) => [offer.amount, 0n, fill.bought, fill.fee, fill.groups]),
      )
      const more = executed(route.expected + 1n)
      assert.equal(isRefusal(more) && more.refused, 'below_min_return')
      executions += 1
    }
  }
  assert.ok(executions > 100, `${executions} executions`)
})

test('the order of the pairs and tokens in the document changes no answer', () => {
  for (const [drawn, { from, to, amount }, limits] of drawnQueries(15)) {
    const { document, random, seed } = drawn
    const tokens = shuffled(random, document['tokens'] as readonly object[])
    const mixed = { ...document, pairs: shuffled(random, document.pairs), tokens }
    const answers = [drawn.graph, graphOf(decodeSnapshot(mixed, 'mixed'))].map((graph) => {
      const query = queryOf(graph, from, to, limits)
      const terms = { slippageBps: 50, explain: true }
      const { routes, examined, rejected } = findRoutes(query, { denom: from, amount }, 10, terms)
      const refused = rejected.map(({ edges, refusal }) => [
        edges.map((edge) => edge.book.state.pair.address),
        refusal,
      ])
      return { routes: routes.map(plain), examined, refused }
    })
    assert.deepEqual(answers[1], answers[0], `seed ${seed}`)
  }
})

test('a given path pays what an execution pays, also where it visits a denom or pair twice', () => {
  let twice = 0
  for (const [drawn, { from, amount }, limits] of drawnQueries(75)) {
    const { graph, market, random, seed } = drawn
    if (market.router.balances.size > 0) continue
    const edges: Edge[] = []
    let at = graph.indexOf.get(from)!
    for (let hop = between(random, 1, 5); hop > 0; hop -= 1) {
      const last = edges.at(-1)
      const back = graph.leaving[at]!.filter((edge) => edge.book === last?.book)
      const edge = anyOf(random, back.length > 0 && once(random, 3) ? back : graph.leaving[at]!)
      edges.push(edge)
      at = edge.to
    }
    const books = edges.map((edge) => edge.book)
    const input = { denom: from, amount }
    const route = routeAlong(market, books, input, { limits, slippageBps: 0 })
    const addresses = books.map((book) => book.state.pair.address)
    const minReturn = { denom: graph.denoms[at]!, amount: 1n }
    const done = executePath(market, addresses, input, {
      minReturn,
      affiliate: limits.affiliate,
    })
    if (isRefusal(route)) {
      // An unsold rest may be sold by a later hop; the route does not count on it.
      const agrees = isRefusal(done) || route.refused === 'beyond_depth'
      assert.ok(agrees, `seed ${seed} ${addresses}: ${route.why}`)
      continue
    }
    assert.ok(!isRefusal(done), `seed ${seed} ${addresses}`)
    assert.deepEqual([done.recipient, done.exact], [route.expected, route.exact], `seed ${seed}`)
    if (new Set(books).size < books.length) twice += 1
  }
  assert.ok(twice > 15, `${twice} paths meet a pair twice`)
})
