import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { readPairContract } from '../../../src/chain/market/pair-config.js'
import { type ReadMode, readPair } from '../../../src/chain/market/read-pair.js'
import { ReaderCache } from '../../../src/chain/market/reader-cache.js'
import { selfTest } from '../../../src/chain/market/self-test.js'
import { queryBatch } from '../../../src/chain/queries/query-batch.js'
import type { Source } from '../../../src/chain/rpc/query-source.js'
import type { GenesisOrder } from '../../../src/demo-chain/contracts/fin/fin-genesis.js'
import { ChainFailure } from '../../../src/demo-chain/modules/chain-failure.js'
import { putContract } from '../../../src/demo-chain/modules/dispatch.js'
import { bankQueries } from '../../../src/demo-chain/node/queries/account-queries.js'
import type { View } from '../../../src/demo-chain/node/queries/query.js'
import { contractQueries } from '../../../src/demo-chain/node/queries/wasm.js'
import { Overlay } from '../../../src/demo-chain/store/state.js'
import { type Book, quoteBook, simulateBook } from '../../../src/engine/market/book.js'
import { isRefusal } from '../../../src/engine/market/refusal.js'
import {
  at,
  DENOMS,
  PAIR,
  type PairWorld,
  pairWorld,
} from '../../demo-chain/contracts/fin/pair-world.js'
import { runs } from '../../support/books.js'
import { smartQuery as askWorld, type World } from '../../support/contract-world.js'
import { must } from '../../support/matching.js'
import { marketOf } from '../../support/small-market.js'

const handlers = new Map([...contractQueries, ...bankQueries].map((query) => [query.path, query]))

/** A node with the contracts of one world; its storage is refused if requested. */
function sourceOf(world: World, storage: boolean): Source {
  const state = new Overlay(world.start)
  putContract(state, PAIR, {
    code: 'fin-1.1',
    label: 'pair',
    creator: 'creator',
    admin: '',
    height: 1,
    txIndex: 0,
    message: '{}',
  })
  const node = { queryGas: 2_000_000_000n } as View['node']
  const view: View = { node, height: 1, state, machine: world.machine }
  const absent = () => Promise.reject(new Error('not in this world'))
  return {
    newestHeight: async () => 1,
    queries: async (questions) =>
      questions.map(({ path, data }) => {
        try {
          if (!storage && path.endsWith('/AllContractState'))
            throw new ChainFailure('sdk', 6, 'not served')
          return { ok: true, value: handlers.get(path)!.bytes(view, data) }
        } catch (error) {
          if (!(error instanceof ChainFailure)) throw error
          return { ok: false, code: 6, codespace: 'sdk', text: error.message }
        }
      }),
    call: absent,
    rest: absent,
    close: () => {},
  }
}

async function read(world: World, storage = true) {
  const cost = { queries: 0, batches: 0, bytes: 0 }
  const ask = queryBatch(sourceOf(world, storage), 'world', 1, cost)
  const facts = await readPairContract(ask, PAIR, 1)
  const cache = new ReaderCache().pair(PAIR, 1)
  const { document, mode } = await readPair(ask, facts, cache)
  const market = marketOf([document], DENOMS)
  const book = market.books.get(PAIR)
  assert.ok(book, market.excluded[0]?.reason)
  return { ask, book, mode, why: cache.why }
}

const price = fc.oneof(
  fc.integer({ min: 1, max: 999_999 }).map((n) => at(`${n}`)),
  fc.integer({ min: -3000, max: 3000 }).map((oracle) => ({ oracle })),
)
const orders = (prices: fc.Arbitrary<GenesisOrder['price']>): fc.Arbitrary<GenesisOrder[]> =>
  fc.uniqueArray(
    fc.record({
      owner: fc.constantFrom('anna', 'b', 'charlie'),
      side: fc.constantFrom('base' as const, 'quote' as const),
      price: prices,
      offer: fc.bigInt(1n, 10n ** 12n),
    }),
    {
      maxLength: 25,
      selector: ({ owner, side, price: p }) =>
        `${owner} ${side} ${'fixed' in p ? p.fixed : p.oracle}`,
    },
  )
const makers = fc.array(
  fc.record({ x: fc.bigInt(10n ** 7n, 10n ** 12n), y: fc.bigInt(10n ** 7n, 10n ** 14n) }),
  { maxLength: 2 },
)
const worldWith = (prices: fc.Arbitrary<GenesisOrder['price']>): fc.Arbitrary<PairWorld> =>
  fc
    .record({ orders: orders(prices), makers, oracle: fc.integer({ min: 900, max: 90_000 }) })
    .map(({ orders: placed, makers: quoting, oracle }) => ({
      orders: placed,
      makers: quoting.map((maker, n) => ({ ...maker, address: `maker${n}`, step: '0.02' })),
      oracle: [`${oracle}.07`, '1.001'],
      feeTaker: must('0.0015'),
    }))

/** Compares the computed results with the contract's, for offers of all sizes. */
function compare(world: World, book: Book): number {
  let exact = 0
  for (const denom of DENOMS)
    for (let amount = 3n; amount < 10n ** 15n; amount *= 97n) {
      const computed = simulateBook(book, { denom, amount })
      if (!isRefusal(computed) && !computed.exact) continue
      let answered: unknown
      try {
        answered = askWorld(world, PAIR, { simulate: { denom, amount: `${amount}` } })
      } catch {
        answered = undefined
      }
      assert.deepEqual(
        isRefusal(computed)
          ? undefined
          : { returned: `${computed.bought}`, fee: `${computed.fee}` },
        answered,
        `${amount} ${denom}`,
      )
      exact += 1
    }
  return exact
}

describe('a pair that is read', () => {
  test('from its storage quotes exactly what the contract answers, oracle orders included', async () => {
    let exact = 0
    await fc.assert(
      fc.asyncProperty(worldWith(price), async (pair) => {
        const world = pairWorld(pair)
        const { ask, book, mode } = await read(world)
        assert.equal(mode, 'storage' satisfies ReadMode)
        assert.equal(book.state.exact, true)
        assert.equal(await selfTest(ask, book, 7, 'thorough'), undefined)
        exact += compare(world, book)
      }),
      runs(8),
    )
    assert.ok(exact > 60, `${exact} answers were exact`)
  })

  test('from its book is right wherever it is marked as exact', async () => {
    await fc.assert(
      fc.asyncProperty(worldWith(price), async (pair) => {
        const world = pairWorld(pair)
        const { book, mode, why } = await read(world, false)
        assert.equal(mode, 'book' satisfies ReadMode)
        assert.match(why ?? '', /not served/)
        compare(world, book)
      }),
      runs(8),
    )
  })

  test('is without bids at a price of zero and asks above 10^18, which pay nothing', async () => {
    const oracle = ['1000', '1'] as const
    const owner = 'anna'
    const rest: readonly GenesisOrder[] = [
      { owner, side: 'quote', price: { oracle: -5 }, offer: 100_000n },
      { owner, side: 'base', price: at('1100'), offer: 100_000n },
    ]
    for (const storage of [true, false]) {
      const stateOf = async (orders: readonly GenesisOrder[]) => {
        const { ask, book } = await read(pairWorld({ oracle, orders }), storage)
        assert.equal(await selfTest(ask, book, 7, 'thorough'), undefined)
        return [book.state.asks, book.state.bids]
      }
      for (const offer of [1n, 700n])
        assert.deepEqual(
          await stateOf([
            ...rest,
            { owner, side: 'quote', price: { oracle: -10_000 }, offer },
            { owner, side: 'base', price: at('2000000000000000000'), offer },
          ]),
          await stateOf(rest),
        )
    }
  })

  test('has a bid above 10^18, which rests where its amount buys nothing', async () => {
    const bid = { owner: 'anna', side: 'quote' as const, offer: 1n }
    const ask = { owner: 'anna', side: 'base' as const, price: at('1100'), offer: 100_000n }
    const orders: readonly GenesisOrder[] = [{ ...bid, price: at('2000000000000000000') }, ask]
    for (const storage of [true, false]) {
      const { ask: query, book } = await read(pairWorld({ orders }), storage)
      assert.equal(await selfTest(query, book, 7, 'thorough'), undefined)
      assert.deepEqual(
        book.state.bids.fixed.map(({ total }) => total),
        [1n],
      )
      for (const [denom, bought] of [
        [DENOMS[0], 0n],
        [DENOMS[1], 1n],
      ] as const) {
        const fill = quoteBook(book, { denom, amount: 2200n })
        assert.ok(!isRefusal(fill))
        assert.equal(fill.bought, bought)
      }
    }
  })

  test('by its queries is excluded if it has oracle orders and the oracle does not answer', async () => {
    const world = pairWorld({
      oracle: ['1000', '1'],
      orders: [{ owner: 'anna', side: 'base', price: { oracle: 5 }, offer: 100n }],
    })
    const withoutOracle = { ...world, machine: { ...world.machine, oracle: () => undefined } }
    await assert.rejects(read(withoutOracle), /was refused/)
  })
})
