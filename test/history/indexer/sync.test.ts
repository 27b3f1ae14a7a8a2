import assert from 'node:assert/strict'
import { beforeAll, describe, test } from 'vitest'
import { marketReader } from '../../../src/chain/market/read-market.js'
import { demo } from '../../../src/chain/networks/demo.js'
import { NodeFault } from '../../../src/chain/rpc/faults.js'
import type { EmbeddedChain } from '../../../src/demo-chain/blocks/embedded-chain.js'
import type { FaultRequest } from '../../../src/demo-chain/faults/fault.js'
import { SwapError } from '../../../src/engine/errors.js'
import { pricerOf } from '../../../src/engine/market/valuation.js'
import { ONE } from '../../../src/engine/math/decimal.js'
import type { HistoryChain } from '../../../src/history/indexer/indexing.js'
import { type Sync, sync } from '../../../src/history/indexer/sync.js'
import type { HistoryStore } from '../../../src/history/store/history-store.js'
import { CHAIN_ID, openSource } from '../../chain/rpc/stage.js'
import { chainOf, document, grow, majorPairs } from '../../support/chain.js'
import { longTest } from '../../support/long.js'
import { everything, keyOf, type Staged, stage } from './stage.js'

const BLOCKS = process.env['SWAP_LONG'] ? 80 : 14

/** A chain with simulated traders, where the router emitted an executed swap. */
let real: EmbeddedChain
let expectedSwaps: readonly string[]

beforeAll(() => {
  real = chainOf({}, majorPairs)
  grow(real, BLOCKS)
  expectedSwaps = swapsOf(real)
})

function swapsOf(chain: EmbeddedChain): readonly string[] {
  const keys: string[] = []
  for (let height = chain.earliest; height <= chain.height; height++)
    for (const [txIndex, { hash, result }] of (chain.block(height)?.txs ?? []).entries())
      for (const [at, { type, attributes }] of result.events.entries()) {
        const read = (name: string) => attributes.find(({ key }) => key === name)?.value
        if (type !== 'wasm-liquidy-swap/execute') continue
        assert.equal(read('_contract_address'), document.router.address)
        keys.push([height, txIndex, read('msg_index'), at, hash].join('/'))
      }
  return keys.reverse()
}

/** Runs the indexer to its end. */
async function run(staged: Staged, options: Partial<Sync> = {}) {
  const { chain, store } = staged
  const leadership = await store.lead()
  try {
    return await sync({
      chain,
      store,
      leadership,
      signal: new AbortController().signal,
      progress: () => {},
      failed: () => {},
      ...options,
    })
  } finally {
    await leadership.release()
  }
}

const keysIn = async (store: HistoryStore) => (await everything(store)).map(keyOf)

describe('the index of a chain with simulated traders', () => {
  test('has every swap through the router once, from the blocks alone', async () => {
    const staged = await stage(real)
    const { done, left, complete, swaps, quarantined } = await run(staged)
    assert.deepEqual([left, complete, quarantined], [0, true, 0])
    assert.equal(done, real.height - real.earliest + 1)
    assert.ok(expectedSwaps.length > BLOCKS / 4)
    assert.equal(swaps, expectedSwaps.length)
    assert.deepEqual([...(await keysIn(staged.store))].sort(), [...expectedSwaps].sort())
    const state = await staged.store.state()
    assert.deepEqual(state.done, [{ from: real.earliest, to: real.height }])
    assert.ok(staged.node.asked.every((body) => !body.includes('_search')))
    const again = await run(staged)
    assert.deepEqual([again.done, again.swaps], [0, 0])
    assert.equal((await keysIn(staged.store)).length, expectedSwaps.length)
  })

  test('waits for a node that restarts', async () => {
    const staged = await stage(real)
    const failures: unknown[] = []
    staged.node.fail({ kind: 'refuse' })
    setTimeout(() => staged.node.heal(), 1_500)
    const { complete, swaps } = await run(staged, { failed: (error) => failures.push(error) })
    assert.deepEqual([complete, swaps], [true, expectedSwaps.length])
    assert.ok(failures.length > 0)
  })

  longTest('fails when no node answers for as long as it waits', async () => {
    const staged = await stage(real)
    staged.node.fail({ kind: 'refuse' })
    await assert.rejects(run(staged, { patienceMs: 1_000 }), /refused|answer|reset/)
  })

  test('has volumes at the market prices after the block', async () => {
    const staged = await stage(real)
    await run(staged)
    const source = openSource({ chainId: CHAIN_ID, rpc: [staged.node.rpc], deadlineMs: 20_000 })
    const reader = marketReader(demo, source)
    const swaps = await everything(staged.store)
    const heights = [...new Set(swaps.map(({ height }) => height))].slice(-5).sort((a, b) => a - b)
    for (const height of heights) {
      const market = await reader.read(height)
      const priceOf = pricerOf(market)
      const unit = 10n ** BigInt(market.tokens.get(market.usd ?? '')?.decimals ?? 0)
      for (const { input, output, fees, volumeUsd } of swaps.filter(
        (swap) => swap.height === height,
      )) {
        const gross = output.amount + fees.protocol + fees.affiliate
        const [valued] = [input, { denom: output.denom, amount: gross }].filter(({ denom }) =>
          priceOf(denom),
        )
        const price = valued && priceOf(valued.denom)
        assert.equal(
          volumeUsd,
          price && (valued.amount * price.numerator * ONE) / (price.denominator * unit),
        )
      }
    }
    source.close()
  })

  longTest(
    'keeps its prices when it is rebuilt although the state of those blocks is pruned',
    async () => {
      const staged = await stage(real)
      await run(staged)
      const before = await everything(staged.store)
      const leadership = await staged.store.lead()
      await staged.store.reindex(leadership, { prices: true })
      await leadership.release()
      assert.equal((await keysIn(staged.store)).length, 0)
      // Old states are refused; blocks are not.
      staged.node.fail({ kind: 'pruned', n: 1, method: 'abci_query' })
      await run(staged)
      const after = await everything(staged.store)
      assert.deepEqual(
        after.map(({ volumeUsd }) => volumeUsd),
        before.map(({ volumeUsd }) => volumeUsd),
      )
    },
  )

  test('has no volumes for blocks whose state was pruned before they were indexed', async () => {
    const staged = await stage(real)
    staged.node.fail({ kind: 'pruned', n: 1, method: 'abci_query' })
    await run(staged)
    const swaps = await everything(staged.store)
    assert.deepEqual(swaps.map(keyOf).sort(), [...expectedSwaps].sort())
    // A swap paid in dollars has a volume without any state.
    const priced = swaps.filter(({ volumeUsd, input }) => volumeUsd && input.denom !== demo.usd)
    assert.deepEqual(
      priced.filter(({ height }) => height !== real.height),
      [],
    )
  })

  test('continues where it was interrupted, any number of times', async () => {
    const staged = await stage(real)
    for (let runs = 0; ; runs++) {
      const ending = new AbortController()
      const { complete, left } = await run(staged, {
        signal: ending.signal,
        progress: () => ending.abort(),
      })
      assert.equal(complete, left === 0)
      if (complete) break
      assert.ok(runs < BLOCKS)
    }
    assert.deepEqual([...(await keysIn(staged.store))].sort(), [...expectedSwaps].sort())
  })

  test('fails after too many failures in a row alone, not after as many with blocks between them', async () => {
    const staged = await stage(real)
    // So few that the round reads them from the first one on.
    const from = real.height - 9
    let next = from
    const missing = new NodeFault('height_unavailable', staged.node.rpc, 'has no such block')
    const chain: HistoryChain = {
      ...staged.chain,
      block: async (height) => {
        if (height > next) throw missing
        return staged.chain.block(height)
      },
    }
    const { complete, done } = await run(
      { ...staged, chain },
      { from, progress: () => void (next += 1) },
    )
    assert.deepEqual([complete, done], [true, 10])
  })

  test('is not repeated after a refusal', async () => {
    const { chain, store } = await stage(real)
    const refused = new SwapError('INVALID_REQUEST', 'swaps would be lost')
    let calls = 0
    const prepare = async () => {
      calls += 1
      throw refused
    }
    const run = { chain, store, leadership: await store.lead(), prepare, progress: () => {} }
    const { signal } = new AbortController()
    await assert.rejects(sync({ ...run, signal, failed: assert.ifError }), refused)
    assert.equal(calls, 1)
  })
  test('starts at a configured height', async () => {
    const staged = await stage(real)
    const from = real.height - 9
    const { done } = await run(staged, { from })
    assert.equal(done, 10)
    const expectedFrom = expectedSwaps.filter((key) => Number(key.split('/')[0]) >= from)
    assert.deepEqual([...(await keysIn(staged.store))].sort(), [...expectedFrom].sort())
  })
})

describe('indexing from a node that fails', () => {
  const kinds: readonly string[] = [
    '502',
    'html200',
    'empty',
    'truncated',
    'not-json',
    'null',
    'mixed-heights',
    'partial',
    'shuffled',
    'duplicated',
    'foreign-ids',
    'one-object',
    'reset',
  ]
  test('repeatedly loses no swap and duplicates none', async () => {
    const staged = await stage(real)
    const known = new Set<string>()
    let count = 0
    const fail = () => {
      for (const method of ['block_results', 'block', 'abci_query']) {
        const kind = kinds[count++ % kinds.length]!
        try {
          staged.node.fail({ kind, once: true, method } as FaultRequest)
          known.add(kind)
        } catch (error) {
          if (!(error instanceof SwapError)) throw error
        }
      }
    }
    fail()
    const { complete } = await run(staged, { progress: fail })
    assert.ok(complete && known.size > 3, [...known].join())
    assert.deepEqual([...(await keysIn(staged.store))].sort(), [...expectedSwaps].sort())
  })

  longTest('or that has the protocol of newer nodes works', async () => {
    const [newer, older] = [await stage(real), await stage(real)]
    older.node.fail({ kind: 'old-encoding' })
    await run(newer)
    await run(older)
    assert.deepEqual(await everything(older.store), await everything(newer.store))
  })

  longTest('permanently ends with its error, and keeps what was written', async () => {
    const staged = await stage(real, 500)
    await run(staged, { from: real.height - 5 })
    staged.node.fail({ kind: '403' })
    await assert.rejects(run(staged), /403|lets|forbid/i)
    assert.deepEqual((await staged.store.state()).done, [
      { from: real.height - 5, to: real.height },
    ])
  })

  test('or is of another chain, so that blocks do not link, is refused without touching a row', async () => {
    const staged = await stage(real)
    await run(staged)
    const other = chainOf({ seed: 5 }, majorPairs)
    grow(other, BLOCKS + 5)
    const otherStage = await stage(other)
    await assert.rejects(
      run({ ...staged, chain: otherStage.chain }),
      (error) => error instanceof SwapError && error.code === 'UPSTREAM_INVALID_DATA',
    )
    assert.deepEqual([...(await keysIn(staged.store))].sort(), [...expectedSwaps].sort())
  })
})
