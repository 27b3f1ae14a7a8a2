import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { ChainFailure } from '../../../src/demo-chain/modules/chain-failure.js'
import { OutOfGas } from '../../../src/demo-chain/modules/gas.js'
import type { Reader } from '../../../src/demo-chain/store/state.js'
import type { Book } from '../../../src/engine/market/book.js'
import { otherDenom, sideOf } from '../../../src/engine/market/pair.js'
import { isRefusal, type Refusal } from '../../../src/engine/market/refusal.js'
import type { Coin } from '../../../src/engine/market/token.js'
import { routeAlong } from '../../../src/engine/routing/find-routes.js'
import { type Limits, queryOf } from '../../../src/engine/routing/query.js'
import type { Route } from '../../../src/engine/routing/route.js'
import { isFailed } from '../../../src/engine/splits/execute-legs.js'
import { type GivenLeg, splitAlong } from '../../../src/engine/splits/given-legs.js'
import { execute, holdings } from '../../support/contract-world.js'
import { type MarketWorld, marketWorld } from '../../support/contracts.js'
import { drawMarket } from '../../support/drawn-market.js'
import {
  anyOf,
  between,
  type Drawn,
  marketOf,
  once,
  type PairDocument,
  seeds,
} from '../../support/markets.js'
import { drawAmount } from '../splits/questions.js'

const LIMITS: Limits = { maxHops: 6, via: [], exclude: [], affiliate: undefined }

type GivenPath = { readonly books: readonly Book[]; readonly input: Coin; readonly end: string }

/** A drawn market that contracts can hold: recorded versions, no oracles, a pair per maker. */
function drawContracts(seed: number): Drawn {
  const { document } = drawMarket(seed, { books: false })
  const pairs = document.pairs.map(({ balances: _balances, ...pair }): PairDocument => {
    const makers = (pair['makers'] as MakerDocument[])
      .filter(({ strategy }) => strategy !== undefined)
      .map((maker) => ({ ...maker, address: `${maker.address}.${pair.address}` }))
    const fin_version = makers.length > 1 || seed % 2 === 0 ? '1.1.0' : '1.0.0'
    const { base, quote } = pair['pools'] as Record<'base' | 'quote', { readonly bps?: number }[]>
    const pools = { base: base.filter(isFixed), quote: quote.filter(isFixed) }
    return { ...pair, makers, pools, oracles: null, fin_version }
  })
  return marketOf({ ...document, pairs }, seed)
}

const isFixed = ({ bps }: { readonly bps?: number }): boolean => bps === undefined

type MakerDocument = { readonly address: string; readonly strategy?: object }

/** A walk over the pairs that visits a denom or a pair twice. */
function drawPath(drawn: Drawn, from: string): GivenPath | undefined {
  const { random, market } = drawn
  const books: Book[] = []
  let end = from
  const denoms = [end]
  for (let left = between(random, 2, 5); left > 0; left -= 1) {
    const open = [...market.books.values()].filter(({ state }) => sideOf(state.pair, end))
    const again = open.filter((book) => books.includes(book))
    const book = anyOf(random, again.length > 0 && once(random, 2) ? again : open)
    books.push(book)
    end = otherDenom(book.state.pair, end)
    denoms.push(end)
  }
  const input = { denom: from, amount: drawAmount(drawn, from) }
  return new Set(denoms).size < denoms.length ? { books, input, end } : undefined
}

/** What the contracts pay for a message, and whether coins of its hops are left in the router. */
type Paid = { readonly paid: bigint; readonly left: boolean; readonly state: Reader }

function routerPays(
  world: MarketWorld,
  drawn: Drawn,
  path: GivenPath,
  start: Reader,
): Paid | undefined {
  const { books, input, end } = path
  const { router } = drawn.market
  let at = input.denom
  const stages = books.map(({ state }) => {
    const offered = at
    at = otherDenom(state.pair, at)
    return { address: state.pair.address, denom: router.dialect === 'forward' ? at : offered }
  })
  const list = router.dialect === 'forward' ? stages : stages.reverse()
  const message = {
    swap: { stages: list, min_return: { denom: end, amount: '1' }, recipient: 'user' },
  }
  const had = BigInt(holdings(start, 'user')[end] ?? 0)
  try {
    const { state } = execute(world, start, world.router, message, [input])
    const used = new Set(stages.map(({ denom }) => denom)).add(input.denom)
    const after = holdings(state, world.router)
    const left = [...used].some((denom) => denom !== end && BigInt(after[denom] ?? 0) > 0n)
    const paid = BigInt(holdings(state, 'user')[end] ?? 0) - had
    return { paid, left, state }
  } catch (failure) {
    if (failure instanceof ChainFailure || failure instanceof OutOfGas) return undefined
    throw failure
  }
}

const refusals = { contract: 0, stranded: 0 }

function check(
  title: string,
  computed: readonly Route[] | Refusal,
  executed: readonly (Paid | undefined)[],
) {
  const failed = executed.includes(undefined)
  const hasRest = executed.some((each) => each?.left)
  if (isRefusal(computed)) {
    if (computed.refused === 'zero_output') return false
    assert.ok(failed || hasRest, `${title}: refused, and the contract pays ${executed[0]?.paid}`)
    refusals[failed ? 'contract' : 'stranded'] += 1
    return false
  }
  if (!computed.every(({ exact }) => exact)) return false
  assert.ok(!failed && !hasRest, `${title}: quoted, and the contract fails or keeps a part`)
  assert.deepEqual(
    computed.map(({ expected }) => expected),
    executed.map((each) => each?.paid),
    title,
  )
  return true
}

describe('a given path that returns to a token or uses a pair twice', () => {
  test('pays what the router contract pays, or is refused where coins would stay in the router', () => {
    let agreed = 0
    let leftovers = 0
    for (const seed of seeds(25)) {
      const drawn = drawContracts(seed)
      const { market } = drawn
      const world = marketWorld(market)
      for (let i = 0; i < 12; i += 1) {
        const path = drawPath(drawn, anyOf(drawn.random, drawn.graph.denoms))
        if (path === undefined) continue
        const executed = routerPays(world, drawn, path, world.start)
        const terms = { limits: LIMITS, slippageBps: 0 }
        const route = routeAlong(market, path.books, path.input, terms)
        const computed = isRefusal(route) ? route : [route]
        if (!check(`seed ${seed} path ${i}`, computed, [executed])) continue
        agreed += 1
        if (!isRefusal(route) && route.hops.some(({ fill }) => fill.unsold > 0n)) leftovers += 1
      }
    }
    assert.ok(agreed > 60 && leftovers > 5, `${agreed} agreed, ${leftovers} with leftovers`)
    assert.ok(refusals.stranded > 5, `${refusals.stranded} refused`)
  })

  test('as one of two legs pays what the router contract pays for the two messages', () => {
    let agreed = 0
    for (const seed of seeds(25)) {
      const drawn = drawContracts(seed)
      const { market, graph, random } = drawn
      const world = marketWorld(market)
      for (let i = 0; i < 8; i += 1) {
        const from = anyOf(random, graph.denoms)
        const first = drawPath(drawn, from)
        const drawnSecond = drawPath(drawn, from)
        if (first === undefined) continue
        const second =
          drawnSecond?.end === first.end
            ? drawnSecond
            : { ...first, input: { denom: from, amount: first.input.amount / 3n + 1n } }
        const one = routerPays(world, drawn, first, world.start)
        const two = one && routerPays(world, drawn, second, one.state)
        const legs = [first, second].map(
          ({ books, input }): GivenLeg => ({ books, amount: input.amount }),
        )
        const amount = legs.reduce((sum, leg) => sum + leg.amount, 0n)
        const query = queryOf(graph, from, first.end, LIMITS)
        const split = splitAlong(query, { denom: from, amount }, legs, 0)
        const computed = isFailed(split) ? split.refusal : split.legs.map(({ route }) => route)
        if (check(`seed ${seed} legs ${i}`, computed, [one, two])) agreed += 1
      }
    }
    assert.ok(agreed > 15, `${agreed} agreed`)
  })
})
