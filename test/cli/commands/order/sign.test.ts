import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type {
  OrderChangeDocument,
  OrderHistoryAnswer,
} from '../../../../src/operations/history/order-history.js'
import { DEMO, network, problem } from '../execute/stage.js'
import { orderCalls, rate, type Signed, USDC } from './calls.js'

const net = await network()
const { executed } = net

const { order, signed, listed, best } = orderCalls(net)

const heldNow = (denom: string): bigint =>
  net.real.stateAt(net.real.height)!.get<bigint>(`bank/${DEMO}`, denom) ?? 0n

describe('swap order buy and sell', () => {
  test('places an order that rests, as previewed, and shows it in the list', async () => {
    const { bid } = await best()
    const price = rate(bid * 0.9)
    const report = await signed('buy', '100', 'rune', 'usdc', '--price', price)
    assert.equal(report.status, 'confirmed')
    assert.deepEqual(report.verified, { events: true, balances: true, router: null })
    const [message] = report.orders
    assert.deepEqual(message?.paid, message?.expected)
    const [resting] = (await listed()).orders
    assert.equal(resting?.id, message?.entries[0]?.id)
    assert.equal(resting?.remaining, message?.entries[0]?.rests)
    assert.deepEqual(report.spent, [{ denom: USDC, amount: resting?.offered }])
    assert.deepEqual(report.received, [])
  })
  test('adds to an order that rests at the same price, whose leading zero may be left out', async () => {
    const [before] = (await listed()).orders
    const [, , price = ''] = before!.id.split('/')
    assert.match(price, /^0\./)
    const { orders, spent } = await signed('buy', '50', 'rune', 'usdc', '--price', price.slice(1))
    assert.equal(
      BigInt(orders[0]!.entries[0]!.rests!),
      BigInt(before!.remaining) + BigInt(spent[0]!.amount),
    )
  })
  test('takes what crosses and pays what the preview says, to the atomic', async () => {
    const { ask } = await best()
    const args = ['buy', '20000', 'rune', 'usdc', '--price', rate(ask * 1.01)]
    const preview = JSON.parse((await order(...args, '--dry-run')).stdout) as Signed
    const report = await signed(...args)
    assert.deepEqual(report.orders[0]?.paid, preview.previews?.[0]?.paid)
    assert.deepEqual(report.orders[0]?.paid, report.orders[0]?.expected)
    const router = preview.previews?.[0]?.router
    assert.ok(BigInt(router!.received) > BigInt(router!.output.amount), 'no protocol fee is due')
  })
  test('leaves nothing of an immediate-or-cancel order in the book', async () => {
    const { ask } = await best()
    const before = (await listed()).orders.length
    const args = ['buy', '900000', 'rune', 'usdc', '--price', rate(ask * 1.005), '--ioc']
    const { orders } = await signed(...args)
    assert.deepEqual(orders[0]?.paid, orders[0]?.expected)
    assert.equal(orders[0]?.paid?.length, 2)
    assert.equal((await listed()).orders.length, before)
  })

  test('prices an immediate order by the book and its slippage, and reports how that was chosen', async () => {
    const call = ['sell', '10', 'rune', 'usdc', '--ioc', '--slippage']
    const { slippage, orders, received } = await signed(...call, 'auto')
    assert.deepEqual([slippage?.source, slippage?.bps], ['configured', 50])
    assert.deepEqual(orders[0]?.paid, orders[0]?.expected)
    assert.equal(received[0]?.denom, USDC)
    const dry = await order(...call, '1%', '--dry-run')
    assert.match(dry.stderr, /the limit is 0\.\d+ USDC per RUNE, .*; slippage 1 % \(100 bps\)/)
  })
  test('refuses a fill-or-kill order of which a part would come back', async () => {
    const { ask } = await best()
    const args = ['buy', '900000', 'rune', 'usdc', '--price', rate(ask * 1.005), '--fok']
    const refused = problem(await order(...args, '--yes'))
    assert.deepEqual([refused.code, refused['reason']], ['ORDER_REFUSED', 'not_filled'])
    const { bid } = await best()
    const whole = ['sell', '10', 'rune', 'usdc', '--price', rate(bid * 0.99), '--fok']
    assert.equal((await signed(...whole)).status, 'confirmed')
  })
  test('refuses an immediate-or-cancel order where one of the account rests', async () => {
    const [resting] = (await listed()).orders
    const [, , price = ''] = resting!.id.split('/')
    const refused = problem(
      await order('buy', '1', 'rune', 'usdc', '--price', price, '--ioc', '--yes'),
    )
    assert.equal(refused['reason'], 'order_exists')
  })
  for (const [args, code, detail] of [
    [['buy', '5', 'usdc', 'rune', '--price', '0.5'], 'INVALID_REQUEST', 'name rune first'],
    [['buy', '5', 'rune', 'usdc'], 'INVALID_REQUEST', 'one price'],
    [['buy', '5', 'rune', 'usdc', '--slippage', '1%'], 'INVALID_REQUEST', 'needs a price'],
    [
      ['buy', '5', 'rune', 'usdc', '--price', '1', '--ioc', '--slippage', '1%'],
      'INVALID_REQUEST',
      'limits already',
    ],
    [
      ['buy', '5', 'rune', 'usdc', '--price', '1', '--oracle', '5bps'],
      'INVALID_REQUEST',
      'one price',
    ],
    [['buy', '5', 'rune', 'usdc', '--price', '0'], 'INVALID_REQUEST', 'above zero'],
    [['buy', '5', 'rune', 'usdc', '--oracle', '0.5bps'], 'INVALID_REQUEST', 'whole basis points'],
    [['buy', '5', 'rune', 'usdc', '--price', '50'], 'ORDER_REFUSED', 'across the best price'],
    [['buy', '5', 'rune', 'usdc', '--price', '0.41234567'], 'ORDER_REFUSED', 'significant figures'],
    [['buy', '100', 'rune', 'usdc', '--price', '0.1', '--ioc'], 'ORDER_REFUSED', 'takes nothing'],
    [['buy', '100', 'rune', 'usdc', '--price', '0.1', '--fok'], 'ORDER_REFUSED', 'takes nothing'],
    [['claim', 'rune/usdc/buy/0.123'], 'ORDER_REFUSED', 'there is no order'],
    [['cancel', 'rune/usdc/buy/0.123'], 'ORDER_REFUSED', 'there is no order'],
    [['claim', '--all'], 'ORDER_REFUSED', 'nothing to claim'],
    [['claim'], 'INVALID_REQUEST', 'is missing'],
    [['cancel', 'rune/usdc/buy/0.1', '--all'], 'INVALID_REQUEST', 'takes no ids'],
    [
      ['replace', 'rune/usdc/buy/0.123', '--price', '0.2'],
      'ORDER_REFUSED',
      'rests of \\"rune/usdc/buy/0.123',
    ],
    [
      ['replace', 'rune/usdc/buy/0.123', '--price', '0.1230'],
      'ORDER_REFUSED',
      'has this price already',
    ],
    [
      ['ladder', 'buy', '5', 'rune', 'usdc', '--from-price', '0.1', '--to-price', '0.2'],
      'INVALID_REQUEST',
      'offers USDC',
    ],
    [['ladder', 'up', '5', 'rune', 'usdc'], 'INVALID_REQUEST', 'neither'],
  ] as const)
    test(`refuses swap order ${args.join(' ')}`, async () => {
      const before = executed.length
      const ended = await order(...args, '--yes')
      assert.equal(problem(ended).code, code, ended.stdout)
      assert.ok(ended.stdout.includes(detail), ended.stdout)
      assert.equal(executed.length, before)
    })
})

type Coins = readonly { readonly denom: string; readonly amount: string }[]

/** Sums by denom of what came less what went, as text. */
function netOf(came: Coins, went: Coins): string {
  const sums = new Map<string, bigint>()
  for (const { denom, amount } of came) sums.set(denom, (sums.get(denom) ?? 0n) + BigInt(amount))
  for (const { denom, amount } of went) sums.set(denom, (sums.get(denom) ?? 0n) - BigInt(amount))
  return [...sums]
    .filter(([, amount]) => amount !== 0n)
    .map(([denom, amount]) => `${amount}${denom}`)
    .sort()
    .join(' ')
}

/** What the index says that each of these order messages moved. */
async function indexedChanges(messages: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const call = ['history', '--orders', '--owner', 'demo', '--from', '2000-01-01']
  const { stdout, stderr } = await net.run(...call, '--json')
  assert.notEqual(stdout, '', stderr)
  const { items } = JSON.parse(stdout) as OrderHistoryAnswer
  const hashes = new Set(items.map(({ tx_hash }) => tx_hash))
  assert.equal((await net.run(...call, '-q')).stdout, `${[...hashes].join('\n')}\n`)
  const changes = items.map((item) => ({ ...item, message: `${item.tx_hash} ${item.pair}` }))
  return new Map(
    messages.map((message) => {
      const own = changes.filter((change) => change.message === message)
      const of = (
        denom: 'offer_denom' | 'receive_denom',
        ...names: (keyof OrderChangeDocument)[]
      ) =>
        own.flatMap((change) =>
          names.map((name) => ({ denom: change[denom], amount: `${change[name]}` })),
        )
      return [
        message,
        netOf(
          [...of('receive_denom', 'received'), ...of('offer_denom', 'returned')],
          of('offer_denom', 'sold', 'added'),
        ),
      ]
    }),
  )
}

describe('a market maker', () => {
  test('places ladders on two pairs, is filled, claims, moves an order and cancels all, and every atomic is accounted for', async () => {
    await order('cancel', '--all', '--yes')
    const denoms = [USDC, 'rune', 'btc-btc']
    const start = denoms.map(heldNow)
    const moved = new Map<string, bigint>()
    const reported = new Map<string, string>()
    const add = ({
      spent,
      received,
      orders = [],
    }: Pick<Signed, 'spent' | 'received'> & Partial<Pick<Signed, 'orders'>>) => {
      for (const { tx_hash, pair, funds, paid } of orders)
        reported.set(`${tx_hash} ${pair}`, netOf(paid!, funds))
      for (const { denom, amount } of spent)
        moved.set(denom, (moved.get(denom) ?? 0n) - BigInt(amount))
      for (const { denom, amount } of received)
        moved.set(denom, (moved.get(denom) ?? 0n) + BigInt(amount))
    }
    const { bid, ask } = await best()
    const [from, to] = [rate((bid + ask) / 2), rate(ask * 1.03)]
    const asks = ['--from-price', from, '--to-price', to, '--steps', '5']
    add(await signed('ladder', 'sell', '5000', 'rune', 'usdc', ...asks, '--weight', 'linear'))
    const bids = ['--from-price', rate(bid * 0.97), '--to-price', rate(bid * 0.9), '--steps', '4']
    add(await signed('ladder', 'buy', '1000', 'usdc', 'rune', ...bids))
    add(await signed('sell', '0.1', 'btc', 'usdc', '--price', '200000'))
    assert.equal((await listed()).orders.length, 10)
    const swap = await net.run(
      ...[
        'execute',
        '2000',
        'usdc',
        'rune',
        '--from',
        'demo',
        '--yes',
        '--slippage',
        '5%',
        '--json',
      ],
    )
    assert.equal(swap.status, 0, swap.stdout)
    const { spent, amount_out: out } = JSON.parse(swap.stdout)
    add({ spent, received: [out] })
    const { claimable, orders } = await listed()
    const filled = orders.filter((each) => each.claimable !== '0')
    assert.ok(filled.length > 0)
    const claimed = await signed('claim', '--all')
    assert.deepEqual(claimed.received, claimable)
    add(claimed)
    const open = (await listed()).orders.find(({ side }) => side === 'buy')!
    const name = `rune/usdc${open.id.slice(open.pair.length)}`
    const replaced = await signed('replace', name, '--price', rate(bid * 0.95))
    assert.deepEqual([replaced.spent, replaced.received], [[], []])
    add(replaced)
    const { resting } = await listed()
    const cancelled = await signed('cancel', '--all')
    assert.equal(cancelled.txs.length, 1)
    assert.equal(cancelled.orders.length, 2)
    assert.deepEqual(cancelled.received, resting)
    add(cancelled)
    assert.deepEqual((await listed()).orders, [])
    assert.deepEqual(await indexedChanges([...reported.keys()]), reported)
    assert.deepEqual(
      denoms.map((denom, i) => heldNow(denom) - start[i]!),
      denoms.map((denom) => moved.get(denom) ?? 0n),
    )
  })
})
