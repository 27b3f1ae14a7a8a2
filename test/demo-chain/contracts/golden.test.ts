import assert from 'node:assert/strict'
import { test } from 'vitest'
import { execute, holdings, smartQuery, valuesOf } from '../../support/contract-world.js'
import { FEES, marketWorld } from '../../support/contracts.js'
import { type Golden, type GoldenSwap, goldenMarket, makerOf } from '../../support/golden.js'
import { readJson } from '../../support/vectors.js'

const worldOf = (recorded: Golden['pairs'] | readonly GoldenSwap[]) =>
  marketWorld(goldenMarket(recorded), 'bow-1.0')

test('pairs of a real node, FIN 1.0 and 1.1 with BOW, simulate as recorded, directly and through the router', () => {
  const { pairs, routes } = readJson<Golden>('golden_simulate.json')
  const world = worldOf(pairs)
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
  const world = worldOf(pairs)
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
    const world = worldOf([item])
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
