import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { balanceOf } from '../../../src/demo-chain/modules/bank.js'
import { ChainFailure } from '../../../src/demo-chain/modules/chain-failure.js'
import type { Coin } from '../../../src/demo-chain/modules/contract.js'
import { OutOfGas } from '../../../src/demo-chain/modules/gas.js'
import type { Reader } from '../../../src/demo-chain/store/state.js'
import { compileBook } from '../../../src/engine/market/book.js'
import type { PairState } from '../../../src/engine/market/pair.js'
import { isOrderFailure } from '../../../src/engine/orders/order-failure.js'
import { type OrderEntry, orderMessage } from '../../../src/engine/orders/order-message.js'
import { placeKey } from '../../../src/engine/orders/order-price.js'
import { previewOrder } from '../../../src/engine/orders/preview-order.js'
import {
  coin,
  DENOMS,
  FEES,
  PAIR,
  type PairWorld,
  pairWorld,
} from '../../demo-chain/contracts/fin/pair-world.js'
import { execute, type World } from '../../support/contract-world.js'
import { LONG } from '../../support/long.js'
import { must } from '../../support/matching.js'
import { ownerOrdersOf, pairStateOf } from '../../support/order-world.js'

const [BTC, USDC] = DENOMS
const OWNERS = ['a', 'b'] as const
const PRICES = ['9.8', '10', '10.1', '0.3333'] as const
const DEVIATIONS = [-200, 0, 1]
/** Off the tick. */
const ODD = '10.00001'

const anySize = (most: bigint) =>
  fc.oneof(
    fc.bigInt(1n, 12n),
    fc.bigInt(1n, 5_000n),
    fc.bigInt(1n, most),
    fc.bigInt(1n, 100n * most),
  )
const anySide = fc.constantFrom('ask' as const, 'bid' as const)
const anyPlace = fc.record({
  side: anySide,
  price: fc.oneof(
    { weight: 30, arbitrary: fc.constantFrom(...PRICES).map((text) => ({ fixed: must(text) })) },
    { weight: 9, arbitrary: fc.constantFrom(...DEVIATIONS).map((bps) => ({ bps })) },
    { weight: 1, arbitrary: fc.constant({ fixed: must(ODD) }) },
  ),
})

const anyTarget = fc.oneof(
  { weight: 2, arbitrary: fc.constant(undefined) },
  { weight: 2, arbitrary: fc.constant(0n) },
  { weight: 4, arbitrary: anySize(100_000n) },
)

const anyEntry: fc.Arbitrary<OrderEntry> = fc
  .tuple(anyPlace, anyTarget)
  .map(([place, target]) => ({ ...place, target }))

/** Single entries, several, an immediate-or-cancel order, and a ladder. */
const anyEntries: fc.Arbitrary<readonly OrderEntry[]> = fc.oneof(
  anyEntry.map((entry) => [entry]),
  fc.array(anyEntry, { minLength: 1, maxLength: 5 }),
  fc.tuple(anyPlace, anySize(100_000n)).map(([place, target]) => [
    { ...place, target },
    { ...place, target: 0n },
  ]),
  fc
    .tuple(
      anySide,
      fc.integer({ min: 2, max: 20 }),
      fc.integer({ min: 900, max: 1080 }),
      anySize(9n),
    )
    .map(([side, steps, first, target]) =>
      Array.from({ length: steps }, (_, i) => ({
        side,
        price: { fixed: must(`${(first + i * 3) / 100}`) },
        target: target + BigInt(i),
      })),
    ),
)

type Funding = 'needed' | 'ample' | 'short'

const anyStep = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('swap' as const),
      denom: fc.constantFrom(BTC, USDC),
      amount: anySize(100_000n),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('oracle' as const),
      price: fc.constantFrom('10', '9.7', '10.3', '0.5', '9.123456789'),
    }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      kind: fc.constant('order' as const),
      owner: fc.constantFrom(...OWNERS),
      entries: anyEntries,
      /** Changes of orders that the owner has, by their places in the list, before the entries. */
      changes: fc.array(fc.tuple(fc.nat(9), anyTarget), { maxLength: 2 }),
      isOnlyChange: fc.boolean(),
      funding: fc.constantFrom<Funding>('needed', 'needed', 'ample', 'short'),
    }),
  },
)

type Step = typeof anyStep extends fc.Arbitrary<infer S> ? S : never

const anyWorld = (version: '1.0' | '1.1'): fc.Arbitrary<PairWorld> =>
  fc
    .record({
      oracle: fc.option(fc.constant(['10', '1'] as const), { nil: undefined, freq: 4 }),
      makers: fc.integer({ min: 0, max: version === '1.0' ? 1 : 2 }),
      deep: fc.boolean(),
      feeTaker: fc.constantFrom('0', '0.0015', '0.3'),
      feeMaker: fc.constantFrom('0', '0.00075', '0.2'),
    })
    .map(({ oracle, makers, deep, feeTaker, feeMaker }) => ({
      version,
      ...(oracle && { oracle }),
      feeTaker: must(feeTaker),
      feeMaker: must(feeMaker),
      makers: Array.from({ length: makers }, (_, i) => ({
        address: `maker${i}`,
        x: (deep ? 1_000n : 1n) * 40_000n,
        y: (deep ? 1_000n : 1n) * (400_000n + 7_000n * BigInt(i)),
        step: '0.1',
      })),
    }))

/** Everything of a pair's state that a preview foretells. */
const comparable = ({ asks, bids, makers, balances }: PairState) => ({
  asks,
  bids,
  makers,
  balances,
})

const STEPS = { minLength: 15, maxLength: 25 }

const AMPLE = 10n ** 15n

/** Counts of a run, so that a property that compares nothing fails. */
type Tally = { messages: number; failed: number; taken: number; claimed: number }

function checkSteps(
  version: '1.0' | '1.1',
  drawnWorld: PairWorld,
  steps: readonly Step[],
  tally: Tally,
) {
  const oracles = new Map([
    ['BTC.BTC', must('10')],
    ['ETH.USDC', must('1')],
  ])
  const fixed = pairWorld(drawnWorld)
  const world: World = {
    ...fixed,
    machine: { ...fixed.machine, oracle: (_s, chain, symbol) => oracles.get(`${chain}.${symbol}`) },
  }
  let state: Reader = world.start
  for (const step of steps) {
    if (step.kind === 'oracle') oracles.set('BTC.BTC', must(step.price))
    else if (step.kind === 'swap') state = swapped(world, state, step.denom, step.amount)
    else state = checkMessage(version, world, state, step, tally)
  }
}

function swapped(world: World, state: Reader, denom: string, amount: bigint): Reader {
  try {
    return execute(world, state, PAIR, { swap: {} }, [coin(amount, denom)], 'taker').state
  } catch (error) {
    if (error instanceof ChainFailure || error instanceof OutOfGas) return state
    throw error
  }
}

function checkMessage(
  version: '1.0' | '1.1',
  world: World,
  state: Reader,
  step: Extract<Step, { kind: 'order' }>,
  tally: Tally,
): Reader {
  const book = compileBook(pairStateOf(world, state, PAIR, version))
  const { owner, funding } = step
  const own = ownerOrdersOf(world, state, PAIR, owner)
  const changes = step.changes.flatMap(([at, target]) => {
    const order = own.orders[at % Math.max(own.orders.length, 1)]
    return order === undefined ? [] : [{ side: order.side, price: order.price, target }]
  })
  const isOnlyChange = step.isOnlyChange && changes.length > 0
  const entries = isOnlyChange ? changes : [...changes, ...step.entries]
  const needed = previewOrder(book, own, entries)
  const funds: readonly Coin[] =
    funding === 'ample' || isOrderFailure(needed)
      ? [coin(AMPLE, BTC), coin(AMPLE, USDC)]
      : funding === 'needed'
        ? needed.funds
        : needed.funds.flatMap(({ denom, amount }) =>
            amount > 1n ? [coin(amount - 1n, denom)] : [],
          )
  const preview = previewOrder(book, own, entries, funds)
  const isEarly = version === '1.0' && isOrderFailure(preview) && preview.refused === 'no_oracle'
  tally.messages += 1
  const before = (holder: string) => DENOMS.map((denom) => balanceOf(state, holder, denom))
  let next: Reader
  try {
    next = execute(world, state, PAIR, orderMessage(entries), funds, owner).state
  } catch (error) {
    if (!(error instanceof ChainFailure || error instanceof OutOfGas)) throw error
    assert.ok(isOrderFailure(preview), `the contract fails: ${error.message}`)
    // In 1.0 the price of an oracle order is needed by the step behind the entries only.
    const { contractText } = isEarly ? { contractText: undefined } : preview
    assert.ok(
      contractText === undefined || error.message.includes(contractText),
      `${error.message} where the preview says ${contractText}`,
    )
    tally.failed += 1
    return state
  }
  // An order without a rate may come and go within such a message: the preview refuses that as well.
  if (isEarly) return state
  assert.ok(
    !isOrderFailure(preview),
    `the preview fails: ${isOrderFailure(preview) && preview.why}`,
  )
  assert.ok(preview.exact)
  const balanceChange = (holder: string) =>
    before(holder).map((held, at) => balanceOf(next, holder, DENOMS[at]!) - held)
  const inPair = (coins: readonly Coin[]) =>
    DENOMS.map((denom) => coins.find((each) => each.denom === denom)?.amount ?? 0n)
  assert.deepEqual(balanceChange(owner), inPair(preview.paid))
  const fees = inPair(preview.makerFees)
  const { base, quote } = preview.profit
  assert.deepEqual(balanceChange(FEES), [fees[0]! + base, fees[1]! + quote])
  assert.deepEqual(comparable(preview.after), comparable(pairStateOf(world, next, PAIR, version)))
  const comparableOrders = (orders: typeof own.orders) =>
    Object.fromEntries(
      orders.map((order) => [placeKey(order), { ...order, updatedAt: 0n, share: undefined }]),
    )
  const after = ownerOrdersOf(world, next, PAIR, owner)
  assert.deepEqual(comparableOrders(preview.orders), comparableOrders(after.orders))
  // With less knowledge a preview says that it is not exact, or has the same numbers.
  const stripped = own.orders.map(({ share: _share, ...order }) => order)
  const blind = previewOrder(book, { orders: stripped, oracle: own.oracle }, entries, funds)
  if (!isOrderFailure(blind) && blind.exact) {
    assert.deepEqual(comparableOrders(blind.orders), comparableOrders(preview.orders))
    assert.deepEqual(blind.paid, preview.paid)
  }
  tally.taken += preview.entries.filter(({ taken }) => taken.received > 0n).length
  tally.claimed += preview.entries.filter(({ claimed }) => claimed.filled > 0n).length
  return next
}

describe('the preview of an order message', () => {
  for (const version of ['1.0', '1.1'] as const)
    test(`equals FIN ${version} in what is paid, rests and is returned, failures included`, () => {
      const tally: Tally = { messages: 0, failed: 0, taken: 0, claimed: 0 }
      fc.assert(
        fc.property(anyWorld(version), fc.array(anyStep, STEPS), (drawnWorld, steps) => {
          checkSteps(version, drawnWorld, steps, tally)
        }),
        { numRuns: LONG ? 600 : 12 },
      )
      const { messages, claimed, taken } = tally
      assert.ok(claimed * 50 > messages && (version === '1.0' || taken * 20 > messages))
      assert.ok(!LONG || messages > 5_000, `${messages} messages`)
      if (LONG) process.stdout.write(`FIN ${version}: ${JSON.stringify(tally)}\n`)
    }, 1_800_000)
})
