import assert from 'node:assert/strict'
import { test } from 'vitest'
import { decodeSnapshot } from '../../../../src/snapshot/decode.js'
import type { VectorCoin } from '../../../support/cases.js'
import { execute, holdings, valuesOf } from '../../../support/contract-world.js'
import { FEES, marketWorld } from '../../../support/contracts.js'
import { readJson } from '../../../support/vectors.js'

type Level = { readonly price: string; readonly total: string }

/** A swap that a node executed, with the pair as it was before. */
type Recorded = {
  readonly pair: {
    readonly address: string
    readonly base: string
    readonly quote: string
    readonly version: string
  }
  readonly offer: VectorCoin
  readonly book: { readonly base: readonly Level[]; readonly quote: readonly Level[] }
  readonly strategy: object | null
  readonly trades: readonly {
    readonly rate: string
    readonly offer: string
    readonly bid: string
    readonly price: string
    readonly side: string
  }[]
  readonly received: readonly string[]
  readonly fees: readonly string[]
}

const MAKER = 'bow'

/** The node's query gas allowed 30 levels a side; what lies beyond was not read. */
const READ = 30

function worldBefore({ pair, book, strategy }: Recorded) {
  const tokenOf = (denom: string) => {
    const named = { symbol: denom, name: denom }
    return { denom, decimals: 8, ...named, chain: 'X', kind: 'secured' }
  }
  return marketWorld(
    decodeSnapshot(
      {
        format: 'swap.snapshot/1',
        network: 'node',
        chain_id: 'node-1',
        height: 1,
        time: '2026-05-01T00:00:00Z',
        tokens: [pair.base, pair.quote].map(tokenOf),
        router: { address: 'router', dialect: 'stack', fee_bps: 10 },
        pairs: [
          {
            address: pair.address,
            base: pair.base,
            quote: pair.quote,
            tick: 6,
            fee_taker: '0.0015',
            fee_maker: '0.00075',
            fin_version: pair.version,
            book: {
              ...book,
              truncated: { base: book.base.length >= READ, quote: book.quote.length >= READ },
            },
            makers: strategy ? [{ address: MAKER, strategy }] : [],
            status: 'open',
          },
        ],
      },
      'recorded',
    ),
  )
}

const coinsOf = (held: Record<string, string>) =>
  Object.entries(held).map(([denom, amount]) => `${amount}${denom}`)

test('36 swaps of a recorded node with FIN 1.0 and 1.1 give the same trades, payments and fees', () => {
  let trades = 0
  for (const item of readJson<Recorded[]>('golden_swaps.json')) {
    const { pair, offer } = item
    const funds = [{ denom: offer.denom, amount: BigInt(offer.amount) }]
    const world = worldBefore(item)
    const { state, events } = execute(world, world.start, pair.address, { swap: {} }, funds)
    assert.deepEqual(coinsOf(holdings(state, 'sender')), item.received)
    assert.deepEqual(coinsOf(holdings(state, FEES)), item.fees)
    const ours = events.filter(({ type }) => type === 'wasm-rujira-fin/trade')
    assert.deepEqual(
      ours.map((event) =>
        ['rate', 'offer', 'bid', 'side', 'price'].map((key) => valuesOf(event, key).join()),
      ),
      item.trades.map(({ rate, offer, bid, side, price }) => [
        rate,
        offer,
        bid,
        side,
        // The maker stands under another address here.
        price.replace(/^thor1[^:]*/, MAKER),
      ]),
    )
    trades += ours.length
  }
  assert.equal(trades, 72)
})
