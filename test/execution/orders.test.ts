import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { priceLevels } from '../../src/engine/market/price-levels.js'
import { decimal } from '../../src/engine/math/decimal.js'
import { truncateFloor } from '../../src/engine/math/tick.js'
import { execute, resume } from '../../src/execution/execute.js'
import { legsLeft } from '../../src/execution/journal/intent.js'
import { newIntentId } from '../../src/execution/journal/journal.js'
import { prepareOrders } from '../../src/execution/plan/prepare-orders.js'
import type { OrderTask } from '../../src/execution/task.js'
import { openOnce } from '../../src/operations/context.js'
import { takerPrice } from '../../src/operations/orders/taker-price.js'
import { document } from '../support/chain.js'
import { longTest } from '../support/long.js'
import { buyTask, orderTask, pairOf, resting } from './orders-stage.js'
import { ownLock } from './script.js'
import { btc, rune, type Stage, stage, usdc, usualTerms } from './stage.js'

/** What mainnet allows a transaction. */
const GAS_LIMIT = 90_000_000n

const terms = { ...usualTerms, mode: 'legs' } as const

/** Cancels of the account's orders on these pairs, a message each. */
const cancels = (at: Stage, pairs: readonly string[]): OrderTask =>
  orderTask(
    at,
    pairs.map((pair) => ({
      pair,
      places: [],
      entries: (_, { orders }) => orders.map(({ side, price }) => ({ side, price, target: 0n })),
    })),
    terms,
  )

/** A low bid on each of two pairs. */
async function withOrders(at: Stage): Promise<readonly string[]> {
  const pairs = [await pairOf(at, rune, usdc), await pairOf(at, btc, usdc)]
  const price = { fixed: (10n ** 16n) as never }
  const drafts = pairs.map((pair) => ({
    pair,
    places: [{ side: 'bid', price } as const],
    entries: () => [{ side: 'bid', price, target: 5_000_000n } as const],
  }))
  const { error } = await execute(at.session(), orderTask(at, drafts, terms), newIntentId)
  assert.equal(error, undefined)
  return pairs
}

describe('order messages', () => {
  test('of several pairs are one transaction where their gas allows it', async () => {
    const at = await stage()
    const pairs = await withOrders(at)
    const { report } = await execute(at.session(), cancels(at, pairs), newIntentId)
    assert.equal(report.status, 'confirmed')
    assert.equal(report.txs.length, 1)
    assert.deepEqual(report.received, [{ denom: usdc, amount: '10000000' }])
  })

  longTest(
    'that need more gas together are sent in several transactions, and confirmed once',
    async () => {
      const free = await stage()
      const { report } = await execute(
        free.session(),
        cancels(free, await withOrders(free)),
        newIntentId,
      )
      const used = BigInt(report.txs[0]?.gas_used ?? 0)
      const at = await stage({ gasLimit: (used * 3n) / 4n })
      const pairs = await withOrders(at)
      let confirmed = 0
      const session = at.session({
        confirm: async (view) => {
          confirmed += 1
          assert.ok(view.kind === 'order' && view.messages.length === 1 && view.later === 1)
        },
      })
      const divided = await execute(session, cancels(at, pairs), newIntentId)
      assert.equal(divided.report.status, 'confirmed')
      assert.equal(divided.report.txs.length, 2)
      assert.equal(confirmed, 1)
      assert.deepEqual(
        divided.report.orders.map(({ paid }) => paid?.length),
        [1, 1],
      )
    },
  )

  test('that were interrupted between two transactions are continued', async () => {
    const free = await stage()
    const whole = await execute(free.session(), cancels(free, await withOrders(free)), newIntentId)
    const used = BigInt(whole.report.txs[0]?.gas_used ?? 0)
    const at = await stage({ gasLimit: (used * 3n) / 4n })
    const pairs = await withOrders(at)
    const stop = new AbortController()
    const session = at.session({
      interrupt: stop.signal,
      progress: ({ stage: step }) => void (step === 'verified' && stop.abort()),
    })
    const stopped = await execute(session, cancels(at, pairs), newIntentId)
    assert.equal(stopped.error?.code, 'PARTIALLY_EXECUTED')
    assert.match(stopped.error?.message ?? '', /some of the orders/)
    const intent = at.journal.find(stopped.report.id!)!
    assert.deepEqual(legsLeft(intent), [1])
    const { report } = await resume(at.session(), intent, async () => cancels(at, pairs))
    assert.equal(report.status, 'confirmed')
    assert.equal(report.txs.length, 2)
    assert.equal(await resting(at, '0.01'), 0n)
  })

  test('are not signed where the market has moved so that other messages would be needed', async () => {
    const at = await stage()
    const task = await buyTask(at, '0.1', 1_000_000n, usualTerms)
    const session = at.session({
      // While the person looks at it, the same account adds to the order from elsewhere.
      async confirm() {
        const other = await buyTask(at, '0.1', 7n, usualTerms)
        await execute(at.session({ lock: ownLock }), other, newIntentId)
      },
    })
    await assert.rejects(execute(session, task, newIntentId), { code: 'QUOTE_EXPIRED' })
    assert.equal(await resting(at, '0.1'), 7n)
  })

  test('are not signed where the same message would need other coins', async () => {
    const at = await stage()
    const place = { side: 'bid', price: { fixed: decimal(10n ** 17n) } } as const
    const entries = () => [{ ...place, target: 1_000_000n }]
    const draft = { pair: await pairOf(at, rune, usdc), places: [place], entries }
    const prepared = await prepareOrders(at.session(), orderTask(at, [draft], usualTerms))
    await prepared.recheck(await at.chain.market())
    await execute(at.session(), await buyTask(at, '0.1', 7n, usualTerms), newIntentId)
    await assert.rejects(prepared.recheck(await at.chain.market()), { code: 'QUOTE_EXPIRED' })
  })

  test('that the book prices are not signed where two nodes differ about it', async () => {
    const at = await stage({ nodes: 2 })
    const { books } = await at.chain.market()
    const { pair } = books.get(await pairOf(at, rune, usdc))!.state
    const task = async (): Promise<OrderTask> => {
      const market = await at.chain.market()
      const app = openOnce(async () => market)
      const order = { side: 'ask', amount: 10n ** 10n } as const
      const { price, source } = await takerPrice(app, pair, order, { bps: 50, isAuto: false })
      const place = { side: order.side, price: { fixed: price } }
      const entries = () => [
        { ...place, target: order.amount },
        { ...place, target: 0n },
      ]
      const draft = { pair: pair.address, places: [place], entries }
      return { ...orderTask(at, [draft], usualTerms), pricedBy: source }
    }
    const honest = await execute(at.session(), await task(), newIntentId)
    assert.equal(honest.error, undefined)
    at.fail({ kind: 'lying-book', n: 2 })
    const priced = await task()
    at.heal()
    await assert.rejects(execute(at.session(), priced, newIntentId), {
      code: 'UPSTREAM_INVALID_DATA',
      message: 'two nodes do not agree about this order',
    })
    assert.equal(at.intents().length, 1)
  })

  test('are limited by the coins that they send when no person confirms', async () => {
    const at = await stage()
    const limits = { perTx: 1_000n, perDay: 10n ** 12n }
    const task = await buyTask(at, '0.1', 10n ** 9n, { ...usualTerms, limits })
    await assert.rejects(execute(at.session(), task, newIntentId), { code: 'LIMIT_EXCEEDED' })
    assert.deepEqual(at.intents(), [])
  })

  test('on every pair of the market are cancelled in at most two transactions', async () => {
    const at = await stage({ market: document, gasLimit: GAS_LIMIT, patienceMs: 60_000 })
    const { books } = await at.chain.market()
    const drafts = [...books.values()].flatMap(({ state }) => {
      const { pair } = state
      const best = priceLevels(state, 'bid').next()
      if (best.done) return []
      const price = { fixed: truncateFloor(decimal(best.value.rate / 2n), pair.tick) }
      const entry = { side: 'bid', price, target: 1_000_000n } as const
      return [{ pair: pair.address, places: [entry], entries: () => [entry] }]
    })
    assert.ok(drafts.length > 50, `${drafts.length}`)
    const session = () => at.session({ stallMs: 60_000 })
    const placed = await execute(session(), orderTask(at, drafts, terms), newIntentId)
    assert.equal(placed.report.status, 'confirmed')
    const pairs = drafts.map(({ pair }) => pair)
    const { report } = await execute(session(), cancels(at, pairs), newIntentId)
    assert.equal(report.status, 'confirmed')
    assert.ok(report.txs.length <= 2, `${report.txs.length}`)
    for (const { gas_used } of report.txs) assert.ok(BigInt(gas_used!) <= GAS_LIMIT)
    assert.equal(
      report.received.reduce((sum, { amount }) => sum + BigInt(amount), 0n),
      BigInt(drafts.length) * 1_000_000n,
    )
    for (const { paid, expected } of report.orders) assert.deepEqual(paid, expected)
  })
})
