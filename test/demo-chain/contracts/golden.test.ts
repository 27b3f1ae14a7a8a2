import assert from 'node:assert/strict'
import { test } from 'vitest'
import { decodeSnapshot } from '../../../src/engine/snapshot/decode.js'
import type { VectorCoin } from '../../support/cases.js'
import { execute, holdings, smartQuery, valuesOf } from '../../support/contract-world.js'
import { FEES, type MarketWorld, marketWorld } from '../../support/contracts.js'
import { readJson } from '../../support/vectors.js'

type Level = { readonly price: string; readonly total: string }
type Recorded = {
  readonly pair: {
    readonly address: string
    readonly base: string
    readonly quote: string
    readonly version: string
  }
  readonly book: { readonly base: readonly Level[]; readonly quote: readonly Level[] }
  readonly strategy: object | null
}
type Amounts = { readonly returned: string; readonly fee: string } | { readonly error: string }
type Golden = {
  readonly pairs: readonly (Recorded & {
    readonly cases: readonly { readonly offer: VectorCoin; readonly result: Amounts }[]
  })[]
  readonly routes: readonly {
    readonly coin: VectorCoin
    readonly stages: readonly object[]
    readonly router: Amounts
  }[]
}
type GoldenSwap = Recorded & {
  readonly offer: VectorCoin
  readonly simulate: Amounts
  readonly trades: readonly Readonly<Record<string, string>>[]
  readonly received: readonly string[]
  readonly fees: readonly string[]
  readonly strategyAfter: object | null
}

const makerOf = (address: string): string => `bow ${address}`

/** The contracts of these pairs with the 30 levels a side that the node's query gas allowed. */
function worldOfPairs(recorded: readonly Recorded[]): MarketWorld {
  const denoms = [...new Set(recorded.flatMap(({ pair }) => [pair.base, pair.quote]))]
  const market = decodeSnapshot(
    {
      format: 'swap.snapshot/1',
      network: 'node',
      chain_id: 'node-1',
      height: 1,
      time: '2026-05-01T00:00:00Z',
      tokens: denoms.map((denom) => ({
        denom,
        decimals: 8,
        symbol: denom,
        name: denom,
        chain: 'X',
        kind: 'secured',
      })),
      router: { address: 'router', dialect: 'stack', fee_bps: 10 },
      pairs: recorded.map(({ pair, book, strategy }) => ({
        address: pair.address,
        base: pair.base,
        quote: pair.quote,
        tick: 6,
        fee_taker: '0.0015',
        fee_maker: '0.00075',
        fin_version: pair.version,
        book: {
          ...book,
          truncated: { base: book.base.length >= 30, quote: book.quote.length >= 30 },
        },
        makers: strategy ? [{ address: makerOf(pair.address), strategy }] : [],
        status: 'open',
      })),
    },
    'recorded',
  )
  return marketWorld(market, 'bow-1.0')
}

test('pairs of a real node, FIN 1.0 and 1.1 with BOW, simulate as recorded, directly and through the router', () => {
  const { pairs, routes } = readJson<Golden>('golden_simulate.json')
  const world = worldOfPairs(pairs)
  let same = 0
  for (const { pair, cases } of pairs)
    for (const { offer, result } of cases) {
      // The node's limit of query gas, which these worlds do not have.
      if ('error' in result) continue
      assert.deepEqual(smartQuery(world, pair.address, { simulate: offer }), result)
      same += 1
    }
  for (const { coin, stages, router } of routes) {
    if ('error' in router) continue
    assert.deepEqual(smartQuery(world, world.router, { simulate: { coin, stages } }), router)
    same += 1
  }
  assert.equal(same, 172 + 26)
})

test('pairs of a real node have the recorded books', () => {
  const { pairs } = readJson<Golden>('golden_simulate.json')
  const world = worldOfPairs(pairs)
  for (const { pair, book } of pairs)
    assert.deepEqual(smartQuery(world, pair.address, { book: { limit: 30 } }), {
      base: book.base,
      quote: book.quote,
    })
})

test('36 executed swaps trade, pay and charge as recorded, and leave the maker as recorded', () => {
  const swaps = readJson<GoldenSwap[]>('golden_swaps.json')
  for (const item of swaps) {
    const { address } = item.pair
    const world = worldOfPairs([item])
    const offer = { denom: item.offer.denom, amount: BigInt(item.offer.amount) }
    const { state, events } = execute(world, world.start, address, { swap: {} }, [offer])
    const trades = events
      .filter(({ type }) => type === 'wasm-rujira-fin/trade')
      .map(({ attributes }) =>
        Object.fromEntries(
          attributes.map(({ key, value }) => [key, value.replace(`bow ${address}:`, 'bow:')]),
        ),
      )
    const expected = item.trades.map(({ msg_index: _, ...trade }) => ({
      ...trade,
      price: trade['price']?.replace(/^thor1[^:]+:/, 'bow:'),
    }))
    assert.deepEqual(trades, expected)
    assert.deepEqual(coins(holdings(state, 'sender')), [...item.received].sort())
    assert.deepEqual(coins(holdings(state, FEES)), item.fees)
    if (item.strategyAfter !== null)
      assert.deepEqual(smartQuery(world, makerOf(address), { strategy: {} }, state), {
        ...item.strategyAfter,
        // The owner of the shares does not matter to a swap.
        xyk: (item.strategyAfter as { xyk: readonly object[] }).xyk.map((part) =>
          'shares' in part ? { ...part, shares: '1' } : part,
        ),
      })
    assert.equal(valuesOf(events.at(-1)!, 'amount')[0], item.fees[0])
  }
  assert.equal(swaps.length, 36)
})

const coins = (held: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(held)
    .map(([denom, amount]) => amount + denom)
    .sort()
