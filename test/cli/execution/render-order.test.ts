import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { renderOrderConfirm } from '../../../src/cli/execution/render-confirm.js'
import { renderOrderReport } from '../../../src/cli/execution/render-report.js'
import { marketNaming } from '../../../src/cli/print-answer.js'
import { type Decimal, parseDecimal } from '../../../src/engine/math/decimal.js'
import { type OrderEntry, orderMessage } from '../../../src/engine/orders/order-message.js'
import type { OrderReport } from '../../../src/execution/lifecycle/report-schema.js'
import type { OrderView } from '../../../src/execution/plan/signing-view.js'
import { openOnce } from '../../../src/operations/context.js'
import { planOrders } from '../../../src/operations/orders/order-preview.js'
import { styleOf } from '../../../src/render/style.js'
import { displayWidth } from '../../../src/render/width.js'
import { market } from '../../support/demo-market.js'

const address = 'demo1kz3l6tyw3cp8rpdynt3psrgvmqkaj4ffc20hmn'
const [pair] = [...market.books.values()]
  .map(({ state }) => state.pair)
  .filter(({ base, quote }) => base === 'rune' && quote.startsWith('eth-usdc'))
const price = (text: string) => ({ fixed: parseDecimal(text) as Decimal })

/** The view of these entries on RUNE/USDC. */
async function viewOf(...entries: readonly OrderEntry[]): Promise<OrderView> {
  const draft = { pair: pair!.address, places: entries, entries: () => entries }
  const [planned] = await planOrders(
    openOnce(async () => market),
    undefined,
    [draft],
  )
  const { funds } = planned!.plan.preview
  return {
    kind: 'order',
    network: 'demo',
    keyName: 'demo',
    later: 0,
    fingerprint: 'ab'.repeat(32),
    tokens: market.tokens,
    market: { height: market.height },
    worthMicroUsd: 1_000_000n,
    decoded: {
      chainId: 'demo-1',
      accountNumber: 107n,
      sequence: 3n,
      sender: address,
      publicKey: new Uint8Array(33),
      memo: '',
      timeoutHeight: 1_164n,
      gasLimit: 900_000n,
      fee: [],
      calls: [
        {
          contract: pair!.address,
          message: JSON.stringify(orderMessage(planned!.plan.entries)),
          funds,
        },
      ],
    },
    messages: [
      {
        decoded: { pair: pair!.address, funds, entries: planned!.plan.entries },
        planned: planned!,
      },
    ],
  }
}

const naming = marketNaming(market, { aliases: new Map() } as never)
const context = {
  ...naming,
  accounts: new Map(),
  routerOrigin: '',
  blockMs: 2_000,
  allowance: undefined,
}
const style = (width: number) =>
  styleOf({ tty: true, width, color: false, ascii: false, links: false } as never)

const screen = async (width: number, ...entries: readonly OrderEntry[]) =>
  renderOrderConfirm(await viewOf(...entries), context, style(width))

const joined = (lines: readonly string[]) => lines.join(' ').replace(/\s+/g, ' ')

describe('the confirmation screen of orders', () => {
  const bid: OrderEntry = { side: 'bid', price: price('0.2'), target: 5_000_000_000n }
  const crossing: OrderEntry = { side: 'bid', price: price('0.6'), target: 50_000_000_000n }

  for (const width of [40, 80, 120])
    test(`is at most ${width} columns wide, and has all of the addresses and the fingerprint`, async () => {
      const lines = await screen(width, bid, crossing)
      for (const line of lines) assert.ok(displayWidth(line) <= width, line)
      const whole = lines.join('').replace(/\s+/g, '')
      for (const text of [address, pair!.address, 'ab'.repeat(32)]) assert.ok(whole.includes(text))
    })
  test('puts no space into an address that is wider than the screen', async () => {
    for (const line of await screen(40, bid)) assert.doesNotMatch(line, /\S{20} \S/)
  })
  test('says what rests, in full', async () => {
    const text = joined(await screen(100, bid))
    assert.match(text, /buy at 0\.2 USDC.* per RUNE, up to 50\.00000000 USDC/)
    assert.match(text, /50\.00000000 USDC\S* rest/)
    assert.match(text, /Sends 50\.00000000 USDC\S* 5000000000 eth-usdc.* Gets back nothing/)
    assert.doesNotMatch(text, /pays fills|takes|returns/)
  })
  test('says what a change of an order pays, takes and returns, in full', async () => {
    const view = await viewOf(bid)
    const [{ planned, ...message }] = view.messages as [OrderView['messages'][number]]
    const { preview } = planned.plan
    const [effect] = preview.entries
    const claimed = { ...effect!.claimed, filled: 300n, paid: 298n, fee: 2n }
    const entries = [{ ...effect!, claimed, returned: 5n, rests: 0n }]
    const paid = [{ denom: 'rune', amount: 298n }]
    const plan = { ...planned.plan, preview: { ...preview, entries, paid } }
    const messages = [{ ...message, planned: { ...planned, plan } }]
    const text = joined(renderOrderConfirm({ ...view, messages }, context, style(120)))
    assert.match(text, /Gets back 0\.00000298 RUNE 298 rune/)
    assert.match(text, /pays fills of 0\.00000298 RUNE after a fee of 0\.00000002 RUNE/)
    assert.match(text, /returns 0\.00000005 USDC/)
    assert.doesNotMatch(text, / rest\b/)
  })
  test('has every digit of the price that is signed', async () => {
    const view = await viewOf(bid)
    const signed = { ...bid, price: price('64123.456789') }
    const [{ decoded, planned }] = view.messages as [(typeof view.messages)[number]]
    const messages = [{ decoded: { ...decoded, entries: [signed] }, planned }]
    const text = joined(renderOrderConfirm({ ...view, messages }, context, style(100)))
    assert.match(text, /buy at 64,123\.456789 USDC/)
  })
  test('says what is taken, at how many levels, and after which fee', async () => {
    const text = joined(await screen(100, crossing))
    assert.match(
      text,
      /takes [\d,.]+ RUNE for 500\.00000000 USDC\S* at \d+ levels?, after a fee of/,
    )
    assert.doesNotMatch(text, / rest /)
  })
  test('names a cancel that is part of the message', async () => {
    const text = joined(await screen(100, crossing, { ...crossing, target: 0n }))
    assert.match(text, /cancel: buy at 0\.6 USDC/)
  })
  test('says that other messages follow in transactions of their own', async () => {
    const lines = renderOrderConfirm({ ...(await viewOf(bid)), later: 3 }, context, style(100))
    assert.match(joined(lines), /1 message MsgExecuteContract; 3 more follow/)
  })
})

describe('the report of orders', () => {
  const usdc = pair!.quote
  const entryOf = (place: string, target: string | null, rests = '0', claimed = '0') => ({
    entries: [{ id: `${pair!.address}/${place}`, target, rests, claimed }],
  })
  const report: OrderReport = {
    id: 'x_00000001',
    once: null,
    replayed: false,
    status: 'confirmed',
    evidence: 'block',
    network: 'demo',
    chain_id: 'demo-1',
    mode: 'batch',
    key: 'demo',
    from: address,
    orders: [
      {
        pair: pair!.address,
        ...entryOf('buy/0.2', '5000000000', '4000000000'),
        funds: [{ denom: usdc, amount: '5000000000' }],
        expected: [{ denom: 'rune', amount: '200000000' }],
        paid: [{ denom: 'rune', amount: '200000000' }],
        tx_hash: 'AB',
      },
    ],
    spent: [{ denom: usdc, amount: '5000000000' }],
    received: [{ denom: 'rune', amount: '200000000' }],
    txs: [],
    verified: { events: true, balances: true, router: null },
  }
  const text = (changes: Partial<OrderReport['orders'][number]>) =>
    joined(
      renderOrderReport(
        { ...report, orders: [{ ...report.orders[0]!, ...changes }] },
        naming,
        style(100),
      ).split('\n'),
    )

  test('says what rests where the message paid as previewed', () => {
    assert.match(text({}), /buy\/0\.2: 40 USDC\S* rest paid 2 RUNE/)
  })
  test('says that nothing rests of an order that was cancelled or filled', () => {
    const entries = [{ id: `${pair!.address}/buy/0.2`, target: '0', rests: '0' }]
    assert.match(text({ entries }), /buy\/0\.2: nothing rests paid 2 RUNE/)
  })
  test('says what the preview was where it paid something else', () => {
    const other = text({ paid: [{ denom: 'rune', amount: '300000000' }] })
    assert.match(other, /paid 3 RUNE the preview was 2 RUNE/)
    assert.doesNotMatch(other, / rest /)
  })
  test('has the order as its title, and the number of messages if there are several orders', () => {
    const rows: readonly (readonly [Partial<OrderReport['orders'][number]>, RegExp])[] = [
      [{ expected: [], paid: [] }, /^buy 250 RUNE at 0\.2 USDC\S* per RUNE · confirmed/],
      [{}, /^buy RUNE for 50 USDC\S* at 0\.2 USDC\S* per RUNE · confirmed/],
      [{ expected: null }, /^buy RUNE for 50 USDC\S* at 0\.2 /],
      [
        { ...entryOf('sell/0.2', '100000000'), funds: [{ denom: 'rune', amount: '12345678901' }] },
        /^sell 123\.45679 RUNE at 0\.2 USDC/,
      ],
      [
        entryOf('buy/oracle-25bps', '5000000000'),
        /^buy RUNE for 50 USDC\S* at the oracle price -25 /,
      ],
      [{ ...entryOf('buy/0.2', '100'), funds: [] }, /^buy at 0\.2 USDC/],
      [entryOf('buy/0.2', '0'), /^cancel: buy at 0\.2 USDC/],
      [entryOf('buy/0.2', null), /^claim: buy at 0\.2 USDC/],
      [
        { entries: [...report.orders[0]!.entries, ...report.orders[0]!.entries] },
        /^1 order message/,
      ],
    ]
    for (const [changes, title] of rows) assert.match(text(changes), title)
    const two = { ...report, orders: [report.orders[0]!, report.orders[0]!] }
    assert.match(renderOrderReport(two, naming, style(100)), /^2 order messages/)
  })
  test('says the average price of what a new order took', () => {
    assert.match(text({}), /paid 2 RUNE on average 5 USDC\S* per RUNE/)
    const sold = {
      ...entryOf('sell/0.2', '400000000', '0'),
      funds: [{ denom: 'rune', amount: '400000000' }],
      expected: [{ denom: usdc, amount: '100000000' }],
      paid: [{ denom: usdc, amount: '100000000' }],
    }
    assert.match(text(sold), /on average 0\.25 USDC\S* per RUNE/)
    const withClaim = entryOf('sell/0.2', '400000000', '0', '20000000')
    assert.match(text({ ...sold, ...withClaim }), /on average 0\.2 USDC\S* per RUNE/)
    const nothingTaken = {
      ...entryOf('buy/0.2', '5000000000', '5000000000'),
      expected: [],
      paid: [],
    }
    const addedTo = entryOf('buy/0.2', '6000000000', '0')
    const { claimed: _, ...unknownClaim } = report.orders[0]!.entries[0]!
    const withRest = [...sold.paid, { denom: 'rune', amount: '1' }]
    for (const changes of [
      nothingTaken,
      addedTo,
      { entries: [unknownClaim] },
      { paid: [{ denom: 'rune', amount: '3' }] },
      { ...sold, expected: withRest, paid: withRest },
    ])
      assert.doesNotMatch(text(changes), /average/)
  })
  test('has an immediate order as its title, with its average price whatever the preview was', () => {
    const immediate = {
      entries: ['400000000', '0'].flatMap((target) => entryOf('sell/0.2', target).entries),
      funds: [{ denom: 'rune', amount: '400000000' }],
      expected: [{ denom: usdc, amount: '100000000' }],
      paid: [
        { denom: 'rune', amount: '200000000' },
        { denom: usdc, amount: '60000000' },
      ],
    }
    assert.match(text(immediate), /^sell 4 RUNE down to 0\.2 USDC\S* per RUNE · confirmed/)
    assert.match(text(immediate), /on average 0\.3 USDC\S* per RUNE/)
    const addedTo = ['500000000', '0'].flatMap((target) => entryOf('sell/0.2', target).entries)
    assert.doesNotMatch(text({ ...immediate, entries: addedTo }), /average/)
  })
  test('says that a message was not executed', () => {
    assert.match(text({ paid: null }), /not executed/)
  })
  test('compares nothing where no preview is known', () => {
    assert.doesNotMatch(text({ expected: null }), /preview/)
  })
})
