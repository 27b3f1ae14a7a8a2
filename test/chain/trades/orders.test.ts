import assert from 'node:assert/strict'
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { MsgExecuteContract } from 'cosmjs-types/cosmwasm/wasm/v1/tx'
import { describe, test } from 'vitest'
import { netChanges } from '../../../src/chain/trades/order-changes.js'
import { orderRunsOf } from '../../../src/chain/trades/order-runs.js'
import { parseDecimal } from '../../../src/engine/math/decimal.js'
import { recorded } from '../../demo-chain/node/recorded.js'
import { blockOf, type EventJson, event, type TxAnswer } from './staged-block.js'

const ROUTER = 'thor1yw4xvtc43me9scqfr2jr2gzvcxd3a9y4eq7gaukreugw2yd2f8tsz3392y'
const USDC = 'eth-usdc-0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
const PAIR = 'thor1dwsnlqw3lfhamc5dz3r57hlsppx3a2n2d7kppccxfdhfazjh06rs5077sz'
const OWNER = 'thor1cyglcvuqt5nzvlst6ehhgquhz0c7nzcsy00ms6'
const MAKER = 'thor1w5d0kgzwpakv28zzlq7lfv7e0hndd64msmehnj'
const FEES = 'thor19lsctk0e9kke9plu4gm4jm4eupjdd0q87zjs4r'
const denoms = { base: 'rune', quote: USDC }

const answerOf = (name: string): TxAnswer =>
  (recorded[name] as { response: { result: TxAnswer } }).response.result

/** The changes as short texts: action, side, price, amounts. */
async function changesIn(answer: TxAnswer, fees = { takerFee: '0.0015', makerFee: '0.00075' }) {
  const { runs, undecoded } = orderRunsOf(blockOf([answer]), ROUTER)
  assert.deepEqual(undecoded, [])
  const shares = {
    takerFee: parseDecimal(fees.takerFee)!,
    makerFee: parseDecimal(fees.makerFee)!,
  }
  const changes = await Promise.all(runs.map((run) => netChanges(run, denoms, async () => shares)))
  return changes.flat().map(({ action, side, price, sold, added, returned, received, fee }) => {
    const at = 'fixed' in price ? Number(price.fixed) / 1e18 : `oracle${price.bps}`
    const amounts = Object.entries({ sold, added, returned, received, fee })
    const nonZero = amounts.flatMap(([name, amount]) =>
      amount === 0n ? [] : [`${name} ${amount}`],
    )
    return [action, side, at, ...nonZero].join(' ')
  })
}

/** A message to the pair of these entries, and the events that FIN 1.1 emits for it. */
function answer(
  entries: readonly (readonly [side: string, price: object, target: string | null])[],
  { funds = '', own, paid = '', fees = '', sold = '', contract = PAIR }: Staged,
): TxAnswer {
  const msg = Buffer.from(JSON.stringify({ order: [entries, null] }))
  const message = MsgExecuteContract.fromPartial({ sender: OWNER, contract, msg })
  const body = TxBody.encode(
    TxBody.fromPartial({
      messages: [
        {
          typeUrl: MsgExecuteContract.typeUrl,
          value: MsgExecuteContract.encode(message).finish(),
        },
      ],
    }),
  ).finish()
  const tx = TxRaw.encode(TxRaw.fromPartial({ bodyBytes: body })).finish()
  const sent = (recipient: string, amount: string, sender = PAIR): readonly EventJson[] =>
    amount === '' ? [] : [event('transfer', { recipient, sender, amount })]
  const call = event('execute', { _contract_address: PAIR })
  return {
    tx: Buffer.from(tx).toString('base64'),
    tx_result: {
      code: 0,
      events: [
        event('message', { action: '/cosmwasm.wasm.v1.MsgExecuteContract', sender: OWNER }),
        ...sent(PAIR, funds, OWNER),
        call,
        ...sent(PAIR, funds),
        call,
        // The arbitrage step paid a profit before the orders.
        ...sent(FEES, '77rune'),
        ...sent(PAIR, funds),
        call,
        ...own.map(([type, attributes]) =>
          event(`wasm-rujira-fin/${type}`, { _contract_address: PAIR, ...attributes }),
        ),
        // A maker that the order took is called with what it is paid.
        ...sent(MAKER, sold),
        event('execute', { _contract_address: MAKER }),
        ...sent(PAIR, '600rune', MAKER),
        ...sent(OWNER, paid),
        ...sent(FEES, fees),
      ],
    },
  }
}
type Staged = {
  readonly funds?: string
  readonly own: readonly (readonly [type: string, attributes: Readonly<Record<string, string>>])[]
  readonly paid?: string
  readonly fees?: string
  readonly sold?: string
  readonly contract?: string
}

const order = (side: string, price: string) => ({ owner: OWNER, side, price })
const fixed = (text: string) => ({ fixed: text })

describe('the orders of a recorded transaction', () => {
  test('that placed one of FIN 1.1 and two of 1.0', async () => {
    assert.deepEqual(await changesIn(answerOf('tx_fin_order_v11')), [
      'place bid 0.05 added 100000000',
    ])
    assert.deepEqual(await changesIn(answerOf('tx_fin_order_v10')), [
      'place bid 0.4 added 100000000',
      'place ask 0.7 added 100000000',
    ])
  })
  test('that took one back is a cancellation by its message', async () => {
    assert.deepEqual(await changesIn(answerOf('tx_fin_order_retract')), [
      'cancel bid 0.4 returned 100000000',
    ])
  })
  test('that claimed an oracle order of thorchain-1 have its fee', async () => {
    const claim = answer([['quote', { oracle: -10 }, null]], {
      own: [['order.withdraw', { ...order('quote', 'oracle:-10'), amount: '1703' }]],
      paid: '1701rune',
      fees: '2rune',
    })
    assert.deepEqual(await changesIn(claim), ['claim bid oracle-10 received 1701 fee 2'])
  })
})

describe('the changes of an order message', () => {
  const ioc = {
    funds: `500${USDC}`,
    own: [
      ['trade', { rate: '0.5', offer: '300', bid: '600', price: 'fixed:0.5', side: 'base' }],
      ['order.create', { ...order('quote', 'fixed:0.5'), offer: '200' }],
      ['order.retract', { ...order('quote', 'fixed:0.5'), amount: '200' }],
    ],
    paid: `200${USDC},599rune`,
    sold: `300${USDC}`,
  } as const

  test('that takes and cancels its rest', async () => {
    const entries = [
      ['quote', fixed('0.5'), '500'],
      ['quote', fixed('0.5'), '0'],
    ] as const
    assert.deepEqual(await changesIn(answer(entries, ioc)), [
      'place bid 0.5 sold 300 added 200 received 599 fee 1',
      'cancel bid 0.5 returned 200',
    ])
  })
  test('that is taken as a whole has no change for its cancel, which creates an order of nothing', async () => {
    const [entries, complete] = [
      [
        ['quote', fixed('0.5'), '300'],
        ['quote', fixed('0.5'), '0'],
      ],
      [
        ioc.own[0],
        ['order.create', { ...order('quote', 'fixed:0.5'), offer: '0' }],
        ['order.create', { ...order('quote', 'fixed:0.5'), offer: '0' }],
      ],
    ] as const
    const taken = { ...ioc, funds: `300${USDC}`, own: complete, paid: '599rune' }
    assert.deepEqual(await changesIn(answer(entries, taken)), [
      'place bid 0.5 sold 300 received 599 fee 1',
    ])
  })
  test('whose message changes nothing is left out, and later blocks are still indexed', () => {
    const own = [['order.create', { ...order('quote', 'fixed:0.5'), offer: '0' }]] as const
    const { runs, undecoded } = orderRunsOf(
      blockOf([answer([['quote', fixed('0.5'), '0']], { own })]),
      ROUTER,
    )
    assert.deepEqual([runs, undecoded], [[], []])
  })
  test('that leaves a part of an order lowers it', async () => {
    const lower = answer([['quote', fixed('0.5'), '50']], {
      own: [['order.retract', { ...order('quote', 'fixed:0.5'), amount: '150' }]],
      paid: `150${USDC}`,
    })
    assert.deepEqual(await changesIn(lower), ['lower bid 0.5 returned 150'])
  })
  test('sent by another contract has no cancellation, since its entries are not known', async () => {
    const [, lowered] = await changesIn(
      answer([], { ...ioc, contract: ROUTER.replace('yw4', 'yw5') }),
    )
    assert.equal(lowered, 'lower bid 0.5 returned 200')
  })

  const two = {
    own: [
      ['order.withdraw', { ...order('quote', 'fixed:0.5'), amount: '1703' }],
      ['order.withdraw', { ...order('quote', 'fixed:0.4'), amount: '4001' }],
      ['order.increase', { ...order('quote', 'fixed:0.4'), amount: '9' }],
    ],
    funds: `9${USDC}`,
    paid: '5698rune',
    fees: '6rune',
  } as const
  const entries = [
    ['quote', fixed('0.5'), null],
    ['quote', fixed('0.4'), '19'],
  ] as const

  test('divide the fees of several claims as the pair charges them', async () => {
    assert.deepEqual(await changesIn(answer(entries, two)), [
      'claim bid 0.5 received 1701 fee 2',
      'claim bid 0.4 received 3997 fee 4',
      'raise bid 0.4 added 9',
    ])
  })
  test('have the fee of a maker only where they are claims, and that of a taker only where they take', async () => {
    const both = {
      own: [...two.own.slice(1, 2), ...ioc.own.slice(0, 2)],
      funds: `500${USDC}`,
      paid: '4596rune',
      fees: '4rune',
    }
    assert.deepEqual(await changesIn(answer(entries, both)), [
      'claim bid 0.4 received 3997 fee 4',
      'place bid 0.5 sold 300 added 200 received 599 fee 1',
    ])
  })
  test('need the fees of their pair only where several of them paid one', async () => {
    const unknown = async (staged: Staged) => {
      const [run] = orderRunsOf(blockOf([answer(entries, staged)]), ROUTER).runs
      return (await netChanges(run!, denoms, async () => undefined)).map(({ fee }) => fee)
    }
    await assert.rejects(unknown(two), /fees of its pair are not known/)
    const [withdraw, , increase] = two.own
    assert.deepEqual(
      await unknown({ ...two, own: [withdraw, increase], paid: '1701rune', fees: '2rune' }),
      [2n, 0n],
    )
    const added = ['order.create', { ...order('quote', 'fixed:0.4'), offer: '9' }] as const
    const one = { ...ioc, own: [...ioc.own, added], funds: `509${USDC}` }
    assert.deepEqual(await unknown(one), [1n, 0n, 0n])
  })
  test('are cancellations by the entry of their own place that sets an amount', async () => {
    const retract = ['order.retract', { ...order('quote', 'fixed:0.4'), amount: '150' }] as const
    const cancel = ['quote', fixed('0.4'), '0'] as const
    for (const before of [
      ['quote', fixed('0.5'), '100'],
      ['quote', fixed('0.4'), null],
    ] as const)
      assert.deepEqual(
        await changesIn(answer([before, cancel], { own: [retract], paid: `150${USDC}` })),
        ['cancel bid 0.4 returned 150'],
      )
  })
  test('are refused where payments and events do not add up', async () => {
    const wrong: readonly Staged[] = [
      { ...two, fees: '7rune' },
      { ...two, paid: '5699rune' },
      { ...two, funds: '' },
      { ...two, funds: `10${USDC}` },
      { ...ioc, paid: `201${USDC},599rune` },
      { ...ioc, paid: `200${USDC},601rune` },
    ]
    for (const events of wrong)
      await assert.rejects(changesIn(answer(entries, events)), /do not add up/)
    await assert.rejects(
      changesIn(answer(entries, two), { takerFee: '0.0015', makerFee: '0.002' }),
      /do not add up/,
    )
  })
  test('keep aside events that no call of their contract precedes, or that cannot be read', () => {
    const events = (list: Staged['own']) =>
      orderRunsOf(blockOf([answer(entries, { own: list })]), ROUTER)
    const at = order('quote', 'fixed:0.4')
    const unreadable: readonly Staged['own'][] = [
      [['order.withdraw', { ...at, amount: '-1' }]],
      [['order.withdraw', { ...at, side: 'both', amount: '1' }]],
      [['order.withdraw', { ...at, price: 'ccl:1', amount: '1' }]],
      [['order.withdraw', { ...at, price: 'oracle:-10001', amount: '1' }]],
      [['order.expire', { ...at, amount: '1' }]],
      [['order.withdraw', { ...at, amount: '1', _contract_address: FEES }]],
    ]
    for (const own of unreadable) {
      const { runs, undecoded } = events(own)
      assert.deepEqual([runs.length, undecoded.length], [0, 1], JSON.stringify(own))
    }
  })
})
