import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { entryAddedTo, orderAt } from '../../src/cli/commands/order/place.js'
import { parseDecimal } from '../../src/engine/math/decimal.js'
import type { OrderEntry } from '../../src/engine/orders/order-message.js'
import type { OrderPlace } from '../../src/engine/orders/order-price.js'
import { execute } from '../../src/execution/execute.js'
import { newIntentId } from '../../src/execution/journal/journal.js'
import { ledgerIn } from '../../src/execution/journal/ledger-file.js'
import { prepareOrders } from '../../src/execution/plan/prepare-orders.js'
import type { SigningTerms } from '../../src/execution/task.js'
import type { OrderDraft } from '../../src/operations/orders/order-preview.js'
import { thinRune } from '../support/chain.js'
import { buyTask, orderTask, pairOf, resting } from './orders-stage.js'
import { btc, rune, type Stage, stage, usdc, usualTerms } from './stage.js'

const DOLLAR = 1_000_000n
/** 100 USDC, which has 8 decimals on the chain; worth 100 dollars. */
const OFFER = 10n ** 10n

const bid = (price: string): OrderPlace => ({ side: 'bid', price: { fixed: parseDecimal(price)! } })

const limited = (
  perTx: bigint | undefined,
  perDay: bigint | undefined = undefined,
): SigningTerms => ({ ...usualTerms, limits: { perTx, perDay } })

/** Moves what rests at a price to another one; without that it is cancelled. */
const moved = async (at: Stage, from: string, to: string | undefined) => ({
  pair: await pairOf(at, rune, usdc),
  places: to === undefined ? [] : [bid(to)],
  entries: (_: unknown, owner: Parameters<typeof orderAt>[1]): readonly OrderEntry[] => [
    { ...bid(from), target: 0n },
    ...(to === undefined
      ? []
      : [entryAddedTo(bid(to), orderAt(bid(from), owner)!.remaining, owner)]),
  ],
})

const moveTask = async (at: Stage, from: string, to: string | undefined, terms: SigningTerms) =>
  orderTask(at, [await moved(at, from, to)], terms)

async function withBid(price: string): Promise<Stage> {
  const at = await stage()
  const task = await buyTask(at, price, OFFER, { ...usualTerms, unattended: false })
  const { error } = await execute(at.session(), task, newIntentId)
  assert.equal(error, undefined)
  return at
}

/** What the record of signatures counts, in dollars and rounded. */
const counted = ({ folder, chain, account }: Stage) =>
  ledgerIn(`${folder}/limits`)
    .read({ chainId: chain.chainId, address: account.address })
    .map(({ micro_usd: micro }) => micro && Math.round(Number(micro) / 1e6))

describe('the limits of orders that no person confirms', () => {
  test('count what a sale pays where a few small orders make the price', async () => {
    const at = await stage({ market: thinRune })
    const place: OrderPlace = { side: 'ask', price: { fixed: parseDecimal('0.00015')! } }
    const draft: OrderDraft = {
      pair: await pairOf(at, rune, usdc),
      places: [place],
      entries: (_, owner) => [entryAddedTo(place, 10n ** 10n, owner)],
    }
    // A sale of 100 RUNE pays some $50.
    const task = orderTask(at, [draft], limited(10n * DOLLAR))
    await assert.rejects(execute(at.session(), task, newIntentId), { code: 'LIMIT_EXCEEDED' })
  })

  test('count what a cancelled order pays for, and are checked before and at signing', async () => {
    const at = await withBid('0.1')
    const refused = await moveTask(at, '0.1', '0.2', limited(99n * DOLLAR))
    await assert.rejects(execute(at.session(), refused, newIntentId), { code: 'LIMIT_EXCEEDED' })
    assert.equal(await resting(at, '0.1'), OFFER)
    const free = await moveTask(at, '0.1', '0.2', limited(undefined))
    const prepared = await prepareOrders(at.session(), free)
    const worth = (await prepared.txMicroUsd([]))!
    assert.ok(worth >= 99n * DOLLAR && worth < 102n * DOLLAR)
    const strict = { ...free, terms: limited(99n * DOLLAR) }
    await assert.rejects(prepareOrders(at.session(), strict), { code: 'LIMIT_EXCEEDED' })
    await assert.rejects(execute(at.session(), strict, newIntentId, prepared), {
      code: 'LIMIT_EXCEEDED',
      hint: 'sell less, raise limits.per_tx_usd, or have a person run it in a terminal, without --yes or --confirm',
    })
    assert.equal(await resting(at, '0.1'), OFFER)
  })

  test('count an order again each time it is moved', async () => {
    const at = await withBid('0.1')
    const terms = limited(undefined, 250n * DOLLAR)
    const moves = [
      ['0.1', '0.2'],
      ['0.2', '0.15'],
    ] as const
    for (const [from, to] of moves) {
      const { report } = await execute(
        at.session(),
        await moveTask(at, from, to, terms),
        newIntentId,
      )
      assert.equal(report.status, 'confirmed')
    }
    assert.deepEqual(counted(at), [null, 100, 100])
    const third = await moveTask(at, '0.15', '0.1', terms)
    await assert.rejects(execute(at.session(), third, newIntentId), { code: 'LIMIT_EXCEEDED' })
    assert.equal(await resting(at, '0.15'), OFFER)
  })

  test('count of orders in several transactions only those of the one that is signed', async () => {
    const priced = { price: { fixed: parseDecimal('0.01')! }, side: 'bid' } as const
    const prepare = async (at: Stage, mode: SigningTerms['mode'] = 'legs') => {
      const pairs = [await pairOf(at, rune, usdc), await pairOf(at, btc, usdc)]
      const drafts = pairs.map((pair) => ({
        pair,
        places: [priced],
        entries: () => [{ ...priced, target: OFFER }],
      }))
      return prepareOrders(at.session(), orderTask(at, drafts, { ...usualTerms, mode }))
    }
    const whole = await prepare(await stage())
    assert.equal(await whole.txMicroUsd([]), whole.worthMicroUsd)
    const gasLimit = (whole.built.gasUsed! * 3n) / 4n
    const at = await stage({ gasLimit })
    const divided = await prepare(at)
    assert.deepEqual([divided.indexes, divided.view.later], [[0], 1])
    assert.equal(divided.worthMicroUsd, whole.worthMicroUsd)
    assert.equal((await divided.txMicroUsd([]))! * 2n, divided.worthMicroUsd)
    await divided.recheck(await at.chain.market())
    await assert.rejects(prepare(at, 'batch'), { code: 'TX_FAILED' })
    const narrow = await stage({ gasLimit: whole.built.gasUsed! / 4n })
    await assert.rejects(prepare(narrow), { code: 'TX_FAILED' })
  })

  test('count the fee, unless every order is only closed', async () => {
    const at = await withBid('0.1')
    const fees = [{ denom: rune, amount: 10n ** 8n }]
    const cancel = await moved(at, '0.1', undefined)
    const placed = { price: { fixed: parseDecimal('0.01')! }, side: 'bid' } as const
    const other = {
      pair: await pairOf(at, btc, usdc),
      places: [placed],
      entries: () => [{ ...placed, target: OFFER }],
    }
    const feeOf = async (...drafts: readonly OrderDraft[]) => {
      const task = orderTask(at, drafts, limited(undefined))
      const prepared = await prepareOrders(at.session(), task)
      return (await prepared.txMicroUsd(fees))! - prepared.worthMicroUsd!
    }
    const fee = await feeOf(other)
    assert.ok(fee > 0n)
    assert.deepEqual([await feeOf(cancel, other), await feeOf(cancel)], [fee, 0n])
  })

  test('never refuse a cancel, whatever was sold before it', async () => {
    const at = await withBid('0.1')
    const move = await moveTask(at, '0.1', '0.2', limited(undefined))
    assert.equal((await execute(at.session(), move, newIntentId)).error, undefined)
    const cancel = await moveTask(at, '0.2', undefined, limited(DOLLAR, DOLLAR))
    const { report } = await execute(at.session(), cancel, newIntentId)
    assert.equal(report.status, 'confirmed')
    assert.deepEqual(counted(at), [null, 100, 0])
    assert.equal(await resting(at, '0.2'), 0n)
  })
})
