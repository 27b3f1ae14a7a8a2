import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { balanceOf } from '../../../../src/demo-chain/modules/bank.js'
import { ChainFailure } from '../../../../src/demo-chain/modules/chain-failure.js'
import type { Reader } from '../../../../src/demo-chain/store/state.js'
import { runs } from '../../../support/books.js'
import { execute, smartQuery } from '../../../support/contract-world.js'
import { must } from '../../../support/matching.js'
import { at, coin, DENOMS, FEES, PAIR, type PairWorld, pairWorld } from './pair-world.js'

const [BTC, USDC] = DENOMS
const OWNERS = ['a', 'b', 'c'] as const
const PRICES = ['9.5', '10', '10.5'] as const

const owner = fc.constantFrom(...OWNERS)
const side = fc.constantFrom('base', 'quote')
const price = fc.constantFrom(...PRICES)

/** A step in the life of a pair. Amounts range from dust to more than the book holds. */
const step = fc.oneof(
  fc.record({
    kind: fc.constant('swap' as const),
    denom: fc.constantFrom(BTC, USDC),
    amount: fc.bigInt(1n, 100_000n),
  }),
  fc.record({
    kind: fc.constant('order' as const),
    owner,
    side,
    price,
    target: fc.option(fc.oneof(fc.constant(0n), fc.bigInt(1n, 100_000n))),
  }),
)

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** The deposit of each order: enough for any target. */
const AMPLE = [coin(200_000n, BTC), coin(200_000n, USDC)]

const total = (state: Reader, holders: readonly string[], denom: string): bigint =>
  holders.reduce((sum, holder) => sum + balanceOf(state, holder, denom), 0n)

type Shown = { readonly remaining: string; readonly filled: string; readonly side: string }

/** The amount owed to all orders, by denom. */
function owed(world: ReturnType<typeof pairWorld>, state: Reader) {
  const due = { [BTC]: 0n, [USDC]: 0n }
  for (const account of OWNERS) {
    const { orders } = smartQuery(
      world,
      PAIR,
      { orders: { owner: account, limit: 31 } },
      state,
    ) as {
      orders: Shown[]
    }
    for (const { remaining, filled, side: given } of orders) {
      due[given === 'base' ? BTC : USDC] += BigInt(remaining)
      due[given === 'base' ? USDC : BTC] += BigInt(filled)
    }
  }
  return due
}

/** Runs the steps; a step that fails changes nothing. @returns the deposits from outside */
function runSteps(given: PairWorld, steps: readonly Step[], check: (state: Reader) => void) {
  const world = pairWorld(given)
  let state: Reader = world.start
  const entered = { [BTC]: 0n, [USDC]: 0n }
  let failed = 0
  for (const one of steps) {
    const [message, funds, sender] =
      one.kind === 'swap'
        ? ([{ swap: {} }, [coin(one.amount, one.denom)], 'taker'] as const)
        : ([
            {
              order: [
                [[one.side, { fixed: one.price }, one.target === null ? null : `${one.target}`]],
                null,
              ],
            },
            AMPLE,
            one.owner,
          ] as const)
    try {
      state = execute(world, state, PAIR, message, funds, sender).state
      for (const { denom, amount } of funds) entered[denom as typeof BTC] += amount
    } catch (error) {
      if (!(error instanceof ChainFailure)) throw error
      failed += 1
    }
    check(state)
  }
  return { world, state, entered, failed }
}

for (const version of ['1.0', '1.1'] as const)
  test(`FIN ${version} conserves every coin, and the pair can always pay every order`, () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const given = { version, feeTaker: must('0.0015'), feeMaker: must('0.00075') }
        const world = pairWorld(given)
        const { state, entered } = runSteps(given, steps, (now) => {
          const due = owed(world, now)
          for (const denom of DENOMS) assert.ok(balanceOf(now, PAIR, denom) >= due[denom])
        })
        const holders = [PAIR, FEES, 'taker', ...OWNERS]
        for (const denom of DENOMS) assert.equal(total(state, holders, denom), entered[denom])
      }),
      runs(60),
    )
  })

test('orders of one price never claim more than was paid in, nor more than is left', () => {
  fc.assert(
    fc.property(
      fc.array(fc.bigInt(1n, 10n ** 13n), { minLength: 1, maxLength: 5 }),
      fc.array(fc.bigInt(1n, 10n ** 14n), { minLength: 1, maxLength: 8 }),
      (offers, buys) => {
        const orders = offers.map((offer, index) => ({
          owner: `owner-${index}`,
          side: 'base' as const,
          price: at('9.7'),
          offer,
        }))
        const world = pairWorld({ version: '1.0', orders })
        let state: Reader = world.start
        for (const amount of buys)
          state = execute(world, state, PAIR, { swap: {} }, [coin(amount, USDC)], 'taker').state
        const paid = balanceOf(state, PAIR, USDC)
        const left = balanceOf(state, PAIR, BTC)
        let filled = 0n
        let remaining = 0n
        for (const { owner: account } of orders) {
          const answered = smartQuery(
            world,
            PAIR,
            { order: [account, 'base', { fixed: '9.7' }] },
            state,
          ) as Shown
          filled += BigInt(answered.filled)
          remaining += BigInt(answered.remaining)
        }
        assert.ok(filled <= paid, `${paid} paid, ${filled} shared`)
        assert.ok(remaining <= left, `${left} left, ${remaining} shared`)
        // From the fourth fill on the product loses digits, and the orders more than a rounding each.
        if (buys.length > 3) return
        const lost = BigInt(orders.length)
        assert.ok(paid - filled <= lost && left - remaining <= lost)
      },
    ),
    runs(60),
  )
})

test('claims and cancellations of all orders leave only the rounding errors', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const { world, state: before } = runSteps({}, steps, () => {})
      let state = before
      for (const account of OWNERS)
        for (const given of ['base', 'quote'])
          for (const where of PRICES) {
            const message = { order: [[[given, { fixed: where }, '0']], null] }
            state = execute(world, state, PAIR, message, [], account).state
          }
      assert.deepEqual(owed(world, state), { [BTC]: 0n, [USDC]: 0n })
      for (const denom of DENOMS) assert.ok(balanceOf(state, PAIR, denom) <= 100n)
    }),
    runs(40),
  )
})
