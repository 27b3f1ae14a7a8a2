import assert from 'node:assert/strict'
import { Value } from 'typebox/value'
import { beforeAll, describe, test } from 'vitest'
import { agentsOf } from '../../../src/demo-chain/genesis/known-accounts.js'
import { encodeBech32 } from '../../../src/demo-chain/modules/addresses.js'
import { balanceOf } from '../../../src/demo-chain/modules/bank.js'
import type { Coin } from '../../../src/demo-chain/modules/contract.js'
import { executeContract, queryContract } from '../../../src/demo-chain/modules/dispatch.js'
import { Gas } from '../../../src/demo-chain/modules/gas.js'
import { Overlay } from '../../../src/demo-chain/store/state.js'
import { SwapError } from '../../../src/engine/errors.js'
import { balances } from '../../../src/operations/account/balances.js'
import {
  OrdersAnswer,
  orderPreviewOperation,
  orders,
} from '../../../src/operations/orders/order-operations.js'
import { orderPreview } from '../../../src/operations/orders/order-preview.js'
import {
  OrderPreviewAnswer,
  type OrderPreviewRequest,
} from '../../../src/operations/orders/order-preview-documents.js'
import { route } from '../../../src/operations/route/route.js'
import { grow, majorPairs } from '../../support/chain.js'
import { closingLast } from '../../support/closing.js'
import { btc, rune, type Stage, stage, usdc } from '../chain/stage.js'

const SEED = 7
const LIMIT = 2_000_000_000n
const UNUSED_ACCOUNT = encodeBech32('demo', new Uint8Array(20).fill(7))

let place: Stage
let owners: readonly string[]

beforeAll(async () => {
  place = await stage({ seed: SEED }, majorPairs, closingLast)
  grow(place.chain, 12)
  owners = agentsOf('demo', SEED).orders.map(({ address }) => address)
})

const listed = async () => {
  const answers = await Promise.all(owners.map((owner) => orders(place.app(), { owner })))
  return answers.filter((answer) => answer.orders.length > 0)
}

/** A message with its coins, and the denoms that it moves. */
type Message = Pick<OrderPreviewAnswer, 'base' | 'quote' | 'funds' | 'tx'>

/** The owner's balances after a message, as the chain's contracts execute it, less those before. */
function executed(owner: string, answer: Message): Record<string, bigint> {
  const { chain } = place
  const state = chain.stateAt(chain.height)!
  const overlay = new Overlay(state)
  const funds: readonly Coin[] = answer.funds.map(({ denom, amount }) => ({
    denom,
    amount: BigInt(amount),
  }))
  for (const { denom, amount } of funds)
    overlay.set(`bank/${owner}`, denom, balanceOf(overlay, owner, denom) + amount)
  const { contract, msg } = answer.tx
  const call = { sender: owner, contract, message: JSON.stringify(msg), funds }
  executeContract(chain.machineAt(chain.height), overlay, new Gas(LIMIT), call)
  return Object.fromEntries(
    [answer.base, answer.quote].map((denom) => [
      denom,
      balanceOf(overlay, owner, denom) - balanceOf(state, owner, denom),
    ]),
  )
}

const paidOf = ({ base, quote, paid }: OrderPreviewAnswer): Record<string, bigint> =>
  Object.fromEntries(
    [base, quote].map((denom) => [
      denom,
      BigInt(paid.find((coin) => coin.denom === denom)?.amount ?? 0),
    ]),
  )

const preview = (request: OrderPreviewRequest) => orderPreview(place.app(), request)

async function failure(request: unknown): Promise<SwapError> {
  try {
    await orderPreviewOperation.prepare(request).run(place.app())
  } catch (error) {
    if (error instanceof SwapError) return error
    throw error
  }
  return assert.fail('answered')
}

describe('the orders of an account', () => {
  test('are those that each pair answers, and add up', async () => {
    const answers = await listed()
    assert.ok(answers.length > 0)
    const { chain } = place
    const state = chain.stateAt(chain.height)!
    for (const answer of answers) {
      assert.deepEqual(Value.Errors(OrdersAnswer, answer), [])
      assert.deepEqual(answer.unread, [])
      for (const { pair, side, price, remaining, filled, offered } of answer.orders) {
        const key = [answer.owner, side === 'buy' ? 'quote' : 'base', { fixed: price }]
        const message = JSON.stringify({ order: key })
        const machine = chain.machineAt(chain.height)
        const response = JSON.parse(queryContract(machine, state, new Gas(LIMIT), pair, message))
        assert.deepEqual(
          [response.remaining, response.filled, response.offer],
          [remaining, filled, offered],
        )
      }
      const sum = (member: 'remaining' | 'claimable', denom: 'offer_denom' | 'receive_denom') => {
        const sums = new Map<string, bigint>()
        for (const order of answer.orders)
          sums.set(order[denom], (sums.get(order[denom]) ?? 0n) + BigInt(order[member]))
        return [...sums].filter(([, amount]) => amount > 0n).sort()
      }
      const coins = (list: OrdersAnswer['resting']) =>
        list.map(({ denom, amount }) => [denom, BigInt(amount)])
      assert.deepEqual(coins(answer.resting), sum('remaining', 'offer_denom'))
      assert.deepEqual(coins(answer.claimable), sum('claimable', 'receive_denom'))
    }
  })

  test('are those of one pair where one is named', async () => {
    const [answer] = await listed()
    const { pair } = answer!.orders[0]!
    const one = await orders(place.app(), { owner: answer!.owner, pair })
    assert.deepEqual(
      one.orders,
      answer!.orders.filter((order) => order.pair === pair),
    )
  })

  test('are an empty list for an unknown account, and refused for another network’s', async () => {
    const answer = await orders(place.app(), { owner: UNUSED_ACCOUNT })
    assert.deepEqual([answer.orders, answer.resting, answer.claimable], [[], [], []])
    const foreign = orders(place.app(), { owner: 'thor1cyglcvuqt5nzvlst6ehhgquhz0c7nzcsy00ms6' })
    await assert.rejects(foreign, {
      code: 'INVALID_ADDRESS',
      message: /^"thor1\w+" is not an account of this network$/,
    })
  })
})

describe('the balances of an account', () => {
  test('count what rests in its orders and what it can claim', async () => {
    const [answer] = await listed()
    const { balances: rows, orders_unread, total_usd } = await balances(place.app(), answer!.owner)
    assert.deepEqual(orders_unread, [])
    const { chain } = place
    const state = chain.stateAt(chain.height)!
    for (const member of ['resting', 'claimable'] as const) {
      const counted = rows.filter((row) => row[member] !== '0')
      const coins = counted.map((row) => ({ denom: row.denom, amount: row[member] }))
      const byDenom = (a: { denom: string }, b: { denom: string }) => (a.denom < b.denom ? -1 : 1)
      assert.deepEqual(coins.sort(byDenom), [...answer![member]].sort(byDenom))
    }
    for (const { denom, amount } of rows)
      assert.equal(balanceOf(state, answer!.owner, denom), BigInt(amount))
    const sum = rows.reduce((total, { value_usd }) => total + Number(value_usd ?? 0), 0)
    assert.ok(Math.abs(sum / Number(total_usd) - 1) < 1e-9)
  })
})

describe('the preview of an order message', () => {
  test('of cancelling everything equals what the contracts pay', async () => {
    let compared = 0
    for (const answer of await listed())
      for (const pair of new Set(answer.orders.map((order) => order.pair))) {
        const entries = answer.orders
          .filter((order) => order.pair === pair)
          .slice(0, 20)
          .map(({ side, price }) => ({ side, price: price!, target: '0' }))
        const answered = await preview({ owner: answer.owner, pair, entries })
        assert.deepEqual(Value.Errors(OrderPreviewAnswer, answered), [])
        assert.equal(answered.exact, true)
        assert.deepEqual(executed(answer.owner, answered), paidOf(answered))
        compared += entries.length
      }
    assert.ok(compared > 10)
  })

  test('of an order that takes, rests or is cancelled at once equals what the contracts pay', async () => {
    const { market } = await place.app().openMarket()
    let takers = 0
    let mixed = 0
    for (const { state } of [...market.books.values()].slice(0, 4)) {
      const { address: pair } = state.pair
      const ask = state.asks.fixed[2] ?? state.asks.fixed[0]
      if (ask === undefined) continue
      const price = `${Number(ask.rate / 10n ** 8n) / 1e10}`
      const order = {
        side: 'buy' as const,
        price,
        target: `${(ask.total * ask.rate) / 10n ** 18n}`,
      }
      for (const entries of [[order], [order, { ...order, target: '0' }]]) {
        const answered = await preview({ owner: UNUSED_ACCOUNT, pair, entries })
        assert.deepEqual(executed(UNUSED_ACCOUNT, answered), paidOf(answered))
        const { taken } = answered.entries[0]!
        if (taken.offered === '0') continue
        takers += 1
        assert.equal(answered.router?.received, taken.received)
        assert.ok(taken.levels.length > 0)
        const beside = (sold: string) => {
          const sale = { side: 'sell' as const, price: sold, target: '100000000' }
          return preview({ owner: UNUSED_ACCOUNT, pair, entries: [...entries, sale] })
        }
        assert.deepEqual((await beside('90000')).router, answered.router)
        if ((await beside('0.00001')).router === null) mixed += 1
      }
    }
    assert.ok(takers > 0 && mixed > 0, `${takers} ${mixed}`)
  })

  test('of a ladder has its steps, and needs their sum', async () => {
    const { market } = await place.app().openMarket()
    const [book] = market.books.values()
    const { pair } = book!.state
    const answered = await preview({
      pair: pair.address,
      ladder: { side: 'buy', from: '0.00001', to: '0.00002', steps: 5, total: '1000000' },
    })
    assert.equal(answered.entries.length, 5)
    assert.deepEqual(answered.funds, [{ denom: pair.quote, amount: '1000000' }])
    assert.equal(answered.orders.length, 5)
    assert.equal(answered.router, null)
  })

  test('refuses what would do nothing or fail, with its reason', async () => {
    const { market } = await place.app().openMarket()
    const [pair = ''] = market.books.keys()
    const reason = async (entry: object, more: object = {}) => {
      const { code, members } = await failure({ pair, entries: [entry], ...more })
      assert.equal(code, 'ORDER_REFUSED')
      return members['reason']
    }
    const entry = { side: 'buy', price: '0.00001' }
    assert.equal(await reason({ ...entry, target: '0' }), 'nothing_to_cancel')
    assert.equal(await reason({ ...entry, target: null }), 'nothing_to_claim')
    assert.equal(await reason({ ...entry, price: '0.00001234567', target: '5' }), 'invalid_price')
    assert.equal(await reason({ side: 'buy', oracle_bps: -5, target: '5' }), 'no_oracle')
    assert.equal(await reason({ ...entry, target: '5' }, { funds: [] }), 'insufficient_funds')
    const far = { side: 'buy', price: '1000000000', target: '5' }
    assert.equal(await reason(far, { max_cross_bps: 50 }), 'beyond_max_cross')
  })

  test('refuses an invalid request at the member that is at fault', async () => {
    const { market } = await place.app().openMarket()
    const [pair = ''] = market.books.keys()
    const rows: readonly (readonly [unknown, string])[] = [
      [{ pair }, 'INVALID_REQUEST'],
      [{ pair, entries: [], ladder: {} }, 'INVALID_REQUEST'],
      [{ pair, entries: [{ side: 'buy', target: '1' }] }, 'INVALID_REQUEST'],
      [{ pair, entries: [{ side: 'buy', price: '-1', target: '1' }] }, 'INVALID_REQUEST'],
      [{ pair, entries: [{ side: 'buy', price: '1', target: '1.5' }] }, 'INVALID_AMOUNT'],
      [{ pair: 'none', entries: [{ side: 'buy', price: '1', target: '1' }] }, 'NOT_FOUND'],
    ]
    for (const [request, code] of rows) assert.equal((await failure(request)).code, code)
  })
})

describe('the order beside a route', () => {
  test('pays what it says, to the atomic, and more than every route', async () => {
    let compared = 0
    for (const [base, quote] of [
      [rune, usdc],
      [btc, usdc],
    ] as const)
      for (const amount of ['1000000', '100000000', '3000000000'])
        for (const [from, to] of [
          [base, quote],
          [quote, base],
        ] as const) {
          const { direct, routes } = await route(place.app(), {
            input: { denom: from!, amount },
            output: { denom: to! },
            allow_direct: true,
          })
          if (direct == null) continue
          compared += 1
          assert.ok(BigInt(direct.expected_output) > BigInt(routes[0]!.expected_output))
          assert.ok(direct.gain_bps > 0)
          assert.ok(BigInt(direct.funds[0]!.amount) <= BigInt(amount))
          const tx = { contract: direct.pair, msg: direct.tx }
          const balanceChanges = executed(UNUSED_ACCOUNT, {
            base: base!,
            quote: quote!,
            funds: direct.funds,
            tx,
          })
          assert.equal(balanceChanges[to!], BigInt(direct.expected_output))
        }
    assert.ok(compared >= 4, `${compared}`)
  })
})
