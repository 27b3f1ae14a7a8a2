import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { faucetAddress } from '../../../src/demo-chain/genesis/known-accounts.js'
import { marketSnapshotOf } from '../../../src/demo-chain/genesis/market-snapshot.js'
import { encodeBech32 } from '../../../src/demo-chain/modules/addresses.js'
import { SwapError } from '../../../src/engine/errors.js'
import { decodeSnapshot } from '../../../src/engine/snapshot/decode.js'
import { balances } from '../../../src/operations/account/balances.js'
import { book } from '../../../src/operations/book/book.js'
import { snapshot } from '../../../src/operations/book/snapshot-summary.js'
import { HeightUnavailable } from '../../../src/operations/chain-port.js'
import { failureOf } from '../../chain/rpc/stage.js'
import { document, grow } from '../../support/chain.js'
import { rune, stage } from './stage.js'

describe('the book of a pair', () => {
  test('has levels that fall in price from the highest ask to the lowest bid, with cumulative depths', async () => {
    const { app } = await stage()
    const read = app()
    for (const pair of (await snapshot(read)).pairs) {
      const answer = await book(read, { pair: pair.address, levels: 20 })
      assert.deepEqual(answer.pair, pair)
      for (const [side, better] of [
        [answer.asks, (a: number, b: number) => a < b],
        [answer.bids, (a: number, b: number) => a > b],
      ] as const) {
        assert.ok(side.levels.length <= 20)
        let depth = 0n
        for (const [i, level] of side.levels.entries()) {
          depth += BigInt(level.amount.amount)
          assert.equal(level.depth, `${depth}`)
          const parts = level.sources.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
          assert.equal(`${parts}`, level.amount.amount)
          const before = side.levels[i - 1]
          if (before) assert.ok(better(Number(before.rate), Number(level.rate)))
        }
      }
      assert.equal(answer.asks.levels[0]?.rate ?? null, pair.best_ask)
      assert.equal(answer.bids.levels[0]?.rate ?? null, pair.best_bid)
    }
  })

  test('is refused differently for an unknown pair and for a halted one', async () => {
    const { app, chain } = await stage({ life: false }, document)
    const none = await failureOf(book(app(), { pair: 'demo1nobody', levels: 1 }))
    assert.ok(none instanceof SwapError && none.code === 'NOT_FOUND')
    const market = decodeSnapshot(marketSnapshotOf(chain), 'chain')
    const halted = market.excluded.find(({ status }) => status === 'halted')
    assert.ok(halted !== undefined)
    const venue = { market, graph: (await app().openMarket()).graph }
    const error = await failureOf(
      book({ openMarket: async () => venue }, { pair: halted.address, levels: 1 }),
    )
    assert.ok(error instanceof SwapError && error.code === 'MARKET_HALTED')
  })
})

describe('the balances of an account', () => {
  test('are those of the bank, the most valuable first, and add up', async () => {
    const { app, chain } = await stage({ life: false }, document)
    const address = faucetAddress('demo')
    const answer = await balances(app(), address)
    assert.equal(answer.fee_denom, rune)
    assert.ok(answer.balances.length > 20)
    const state = chain.stateAt(chain.height)
    for (const { denom, amount } of answer.balances)
      assert.equal(state?.get<bigint>(`bank/${address}`, denom), BigInt(amount))
    const values = answer.balances.flatMap(({ value_usd }) => value_usd ?? []).map(Number)
    assert.deepEqual(
      values,
      [...values].sort((a, b) => b - a),
    )
    const sum = values.reduce((a, b) => a + b, 0)
    assert.ok(Math.abs(sum / Number(answer.total_usd) - 1) < 1e-9)
  })

  test('are empty for an unknown account', async () => {
    const { app } = await stage()
    const address = encodeBech32('demo', new Uint8Array(20).fill(3))
    const { balances: coins, total_usd } = await balances(app(), address)
    assert.deepEqual([coins, total_usd], [[], '0'])
  })

  test('are refused for an address of another chain', async () => {
    const { app } = await stage()
    const address = encodeBech32('thor', new Uint8Array(20).fill(3))
    const error = await failureOf(balances(app(), address))
    assert.ok(error instanceof SwapError && error.code === 'INVALID_ADDRESS')
    assert.match(error.message, /^"thor1\w+" is not an account of this network$/)
    assert.equal(error.members['pointer'], '/address')
  })
})

describe('a book or balance at an older block', () => {
  test('is answered with the state of that block', async () => {
    const { app, chain } = await stage({ seed: 8 })
    const then = await snapshot(app())
    grow(chain, 3)
    assert.deepEqual(await snapshot(app(then.height)), then)
    assert.equal((await snapshot(app())).height, then.height + 3)
  })

  test('is refused with the available blocks if the block is pruned or in the future', async () => {
    const { app, chain } = await stage()
    grow(chain, 3)
    const { earliest, height } = chain
    for (const asked of [earliest - 1, 1, height + 1, height + 2, height + 1_000_000]) {
      const error = await failureOf(app(asked).openMarket())
      assert.ok(error instanceof HeightUnavailable, `${asked}: ${error}`)
      assert.deepEqual([error.members['earliest'], error.members['latest']], [earliest, height])
      assert.match(error.message, asked > height ? /not there yet/ : /not kept any more/)
    }
    assert.equal((await app(earliest).openMarket()).market.height, earliest)
  })

  test('is refused with the available states if the state of the block is pruned', async () => {
    const { app, chain, node } = await stage()
    grow(chain, 20)
    node.fail({ kind: 'pruned', n: 7, method: 'abci_query' })
    const { earliest, height } = chain
    for (const asked of [earliest, height - 7, earliest - 1]) {
      const error = await failureOf(app(asked).openMarket())
      assert.ok(error instanceof HeightUnavailable, `${asked}: ${error}`)
      assert.deepEqual([error.members['earliest'], error.members['latest']], [height - 6, height])
      if (asked < earliest) assert.match(error.message, /^block \d+ is not kept any more/)
      else {
        assert.equal(error.message, `the state of block ${asked} is pruned`)
        assert.match(error.why ?? '', /has the state of the blocks \d+ to \d+/)
      }
    }
    assert.equal((await app(height - 6).openMarket()).market.height, height - 6)
  })
})
