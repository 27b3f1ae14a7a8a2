import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { ChainFailure } from '../../../src/demo-chain/modules/chain-failure.js'
import { OutOfGas } from '../../../src/demo-chain/modules/gas.js'
import {
  compileBook,
  executeBook,
  quoteBook,
  simulateBook,
} from '../../../src/engine/market/book.js'
import { usualGas } from '../../../src/engine/market/gas.js'
import type { Market } from '../../../src/engine/market/market.js'
import { offerDenom, type PairState, type Side } from '../../../src/engine/market/pair.js'
import { isRefusal } from '../../../src/engine/market/refusal.js'
import { ANY_BOOK, anySide, anyState, type BookShape, runs } from '../../support/books.js'
import { execute, holdings, smartQuery } from '../../support/contract-world.js'
import { FEES, marketWorld } from '../../support/contracts.js'
import { anyOffer, offerOf } from '../../support/offers.js'

/** Everything that the contracts of the demo chain can hold, with nothing unknown. */
const shape = (versions: BookShape['versions'], makers: number): BookShape => ({
  ...ANY_BOOK,
  versions,
  oraclePools: 0,
  xyk: makers,
  quoted: 0,
  unknowns: false,
})

const cases = {
  'FIN 1.0 with one maker': shape(['1.0.0'], 1),
  'FIN 1.1 with two makers': shape(['1.1.0'], 2),
}

const marketOf = (state: PairState): Market => ({
  network: 'test',
  chainId: 'test-1',
  height: 1,
  time: '2026-05-01T12:00:00Z',
  tokens: new Map(),
  usd: undefined,
  gas: usualGas,
  router: {
    address: 'router',
    dialect: 'stack',
    feeBps: 0n,
    affiliates: new Map(),
    affiliateRounding: undefined,
    balances: new Map(),
  },
  arbs: [],
  books: new Map([[state.pair.address, compileBook(state)]]),
  excluded: [],
})

type Strategy = { readonly xyk: readonly [unknown, { readonly x: string; readonly y: string }] }

/** The contract's simulation and execution, or `undefined` where it refuses. */
function onContract(state: PairState, side: Side, amount: bigint) {
  const world = marketWorld(marketOf(state))
  const { address, base, quote } = state.pair
  const coin = { denom: offerDenom(state.pair, side), amount }
  const attempt = <Result>(work: () => Result): Result | undefined => {
    try {
      return work()
    } catch (error) {
      if (error instanceof ChainFailure || error instanceof OutOfGas) return undefined
      throw error
    }
  }
  const simulated = attempt(
    () =>
      smartQuery(world, address, { simulate: { denom: coin.denom, amount: `${amount}` } }) as {
        returned: string
        fee: string
      },
  )
  const executed = attempt(() => {
    const after = execute(world, world.start, address, { swap: { to: 'taker' } }, [coin]).state
    return {
      taker: holdings(after, 'taker'),
      pair: [base, quote].map((denom) => BigInt(holdings(after, address)[denom] ?? 0)),
      fees: holdings(after, FEES),
      makers: state.makers.map((maker) => {
        const [, { x, y }] = (smartQuery(world, maker.address, { strategy: {} }, after) as Strategy)
          .xyk
        return { x, y }
      }),
    }
  })
  return { simulated, executed }
}

describe("a quote equals the result of the demo chain's contract", () => {
  for (const [name, each] of Object.entries(cases))
    test(`in simulation, payout, fees, balances, makers and failures: ${name}`, () => {
      let paid = 0
      let refused = 0
      fc.assert(
        fc.property(anyState(each), anySide, anyOffer, (drawn, side, draw) => {
          // Balances that cover whatever the arbitrage step needs.
          const state: PairState = { ...drawn, balances: { base: 1n << 100n, quote: 1n << 100n } }
          const amount = offerOf(state, side, draw)
          if (amount === 0n) return
          const book = compileBook(state)
          const coin = { denom: offerDenom(state.pair, side), amount }
          const { simulated, executed } = onContract(state, side, amount)
          const engineFill = simulateBook(book, coin)
          assert.equal(isRefusal(engineFill), simulated === undefined)
          if (!isRefusal(engineFill) && simulated) {
            assert.equal(`${engineFill.bought}`, simulated.returned)
            assert.equal(`${engineFill.fee}`, simulated.fee)
          }
          const quoted = quoteBook(book, coin)
          const done = executeBook(book, coin)
          assert.equal(
            isRefusal(quoted),
            executed === undefined,
            isRefusal(quoted) ? quoted.why : 'accepted',
          )
          if (isRefusal(done) || !executed) {
            refused += 1
            return
          }
          paid += 1
          const { base, quote } = state.pair
          const received = side === 'ask' ? base : quote
          const due = [
            [received, done.bought],
            [coin.denom, done.unsold],
          ] as const
          assert.deepEqual(
            executed.taker,
            Object.fromEntries(due.filter(([, value]) => value > 0n).map(([d, v]) => [d, `${v}`])),
          )
          const after = done.after.state
          assert.deepEqual(executed.pair, [after.balances?.base, after.balances?.quote])
          const fees = { [base]: done.profit.base, [quote]: done.profit.quote }
          fees[received] = (fees[received] ?? 0n) + done.fee
          for (const [denom, value] of Object.entries(fees))
            assert.equal(executed.fees[denom] ?? '0', `${value}`)
          executed.makers.forEach(({ x, y }, at) => {
            const maker = after.makers[at]
            assert.ok(maker?.kind === 'xyk')
            assert.deepEqual([x, y], [`${maker.reserveX}`, `${maker.reserveY}`])
          })
        }),
        runs(80),
      )
      assert.ok(paid > 50, `${paid} paid, ${refused} refused`)
    })
})
