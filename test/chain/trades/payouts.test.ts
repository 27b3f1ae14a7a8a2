import assert from 'node:assert/strict'
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { MsgExecuteContract } from 'cosmjs-types/cosmwasm/wasm/v1/tx'
import { describe, test } from 'vitest'
import { TRADE } from '../../../src/chain/trades/leg.js'
import {
  DONE,
  ELSE,
  put,
  ROUTER,
  read,
  recordedTx,
  SECOND_EVENT,
  withEvents,
} from './recorded-swap.js'
import { type EventJson, event } from './staged-block.js'

const recordedBody = TxBody.decode(TxRaw.decode(Buffer.from(recordedTx.tx, 'base64')).bodyBytes)
const recordedCall = MsgExecuteContract.decode(recordedBody.messages[0]!.value)
const SENDER = recordedCall.sender
const usdc = 'eth-usdc-0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'

/** The recorded transaction of two hops with its call changed. */
function txOf(own: Partial<MsgExecuteContract>): string {
  const value = MsgExecuteContract.encode({ ...recordedCall, ...own }).finish()
  const body = TxBody.fromPartial({ messages: [{ ...recordedBody.messages[0]!, value }] })
  const bodyBytes = TxBody.encode(body).finish()
  const raw = TxRaw.encode({ bodyBytes, authInfoBytes: new Uint8Array(), signatures: [] }).finish()
  return Buffer.from(raw).toString('base64')
}

/** The call with a recipient. */
function txPaying(recipient: string): string {
  const { swap } = JSON.parse(Buffer.from(recordedCall.msg).toString())
  return txOf({ msg: Buffer.from(JSON.stringify({ swap: { ...swap, recipient } })) })
}

type Change = (each: EventJson) => EventJson | readonly EventJson[]
/** The only transfer of some coins, or the events of a type, and how they are changed. */
type Changed = readonly [which: string, change: Change]
const amount = (coins: string): Change => put('amount', coins)
const recipient = (account: string): Change => put('recipient', account)

/** The recorded events with changes. */
const changing = (...changes: readonly Changed[]) =>
  changes.reduce<readonly EventJson[]>(
    (events, [which, change]) =>
      events.flatMap((each) =>
        each.type === which || (each.type === 'transfer' && nameOf(each) === which)
          ? change(each)
          : each,
      ),
    recordedTx.tx_result.events,
  )

/** The transfers of the recorded swap, by what they are. */
const NAMES: Readonly<Record<string, string>> = {
  [`1000000btc-btc ${ROUTER}`]: 'funds',
  [`77910218894${usdc} ${ROUTER}`]: 'first output',
  [`117040890${usdc} thor19lsctk0e9kke9plu4gm4jm4eupjdd0q87zjs4r`]: 'first fee',
  [`152606605341rune ${ROUTER}`]: 'second output',
  [`152453998735rune ${SENDER}`]: 'payout',
  '152606606rune thor1q0wuf60eqv3qj9ym4kpy6sthg7m34zrrs8w3g4': 'platform fee',
}
const attributeOf = ({ attributes }: EventJson, name: string) =>
  attributes.find(({ key }) => key === name)?.value
const nameOf = (each: EventJson): string | undefined =>
  attributeOf(each, 'sender') === ROUTER && attributeOf(each, 'amount') === `77910218894${usdc}`
    ? 'second input'
    : NAMES[`${attributeOf(each, 'amount')} ${attributeOf(each, 'recipient')}`]
const paidByRouter = (coins: string, to: string): EventJson =>
  event('transfer', { amount: coins, recipient: to, sender: ROUTER })

const elsewhere = txOf({ contract: ELSE })

const twoCoins = [
  { denom: 'atom', amount: '5' },
  { denom: 'btc-btc', amount: '1000000' },
]

describe('a swap of the router is undecoded', () => {
  const rows: readonly (readonly [string, readonly EventJson[], RegExp, tx?: string])[] = [
    ['whose hops do not join', changing(['second input', amount('77910218894tcy')]), /do not join/],
    [
      'that was sent less than its message says',
      changing(['funds', amount('999999btc-btc')]),
      /did not arrive/,
    ],
    [
      'that was sent one coin more',
      changing(['funds', amount('1000000btc-btc,5rune')]),
      /did not arrive/,
    ],
    [
      'with a hop that sells two coins',
      changing(['second input', amount(`77910218894${usdc},5rune`)]),
      /does not report what it sold/,
    ],
    [
      'with a hop that pays two coins',
      changing(['second output', amount('152606605341rune,5tcy')]),
      /several denoms/,
    ],
    [
      'that pays something else first',
      changing(['payout', (each) => [paidByRouter('1rune', ELSE), each]]),
      /not the first thing paid/,
    ],
    [
      'that pays another account than its sender',
      changing(['payout', recipient(ELSE)]),
      /another account was paid/,
    ],
    [
      'that pays more than its event says',
      changing(['payout', amount('152453998736rune')]),
      /was not paid as the event says/,
    ],
    ['that pays another coin', changing(['payout', amount('152453998735tcy')]), /was not paid/],
    ['that pays two coins', changing(['payout', amount('152453998735rune,5tcy')]), /was not paid/],
    [
      'of another coin in its second event',
      changing([SECOND_EVENT, put('output_denom', 'tcy')]),
      /different outputs/,
    ],
    [
      'that was sent less of one of two coins',
      changing(['funds', amount('4atom,1000000btc-btc')]),
      /did not arrive/,
      txOf({ funds: twoCoins }),
    ],
    [
      'that pays what is no address',
      changing([SECOND_EVENT, () => []], ['payout', recipient('thor1short')]),
      /not an address/,
      elsewhere,
    ],
    [
      'with a long affiliate',
      changing([DONE, put('affiliate', 'x'.repeat(129))]),
      /longer than a code/,
      elsewhere,
    ],
    [
      'whose foreign recipient has a space',
      changing([SECOND_EVENT, recipient('bc1 q')]),
      /not an address/,
      txPaying('bc1 q'),
    ],
    [
      'whose foreign recipient is another one in its second event',
      changing([SECOND_EVENT, recipient('bc1qother')]),
      /two recipients/,
      txPaying('bc1qexample'),
    ],
  ]
  for (const [what, events, reason, tx] of rows)
    test(what, () => {
      const { legs, undecoded } = read(withEvents(events, tx))
      assert.deepEqual([legs.length, undecoded.length], [0, 1])
      assert.match(undecoded[0]!.reason, reason)
    })
})

describe('a swap of the router', () => {
  const legOf = (events: readonly EventJson[], tx?: string) => {
    const { legs, undecoded } = read(withEvents(events, tx))
    assert.deepEqual(undecoded, [])
    return legs[0]!
  }

  test('is paid to an address of another chain through a module', () => {
    const events = changing(['payout', recipient(ELSE)], [SECOND_EVENT, recipient('bc1qexample')])
    assert.equal(legOf(events, txPaying('bc1qexample')).recipient, 'bc1qexample')
  })

  test('is paid to the account that its message names in capitals', () => {
    const { events } = recordedTx.tx_result
    assert.equal(legOf(events, txPaying(SENDER.toUpperCase())).recipient, SENDER)
    const loud = changing([SECOND_EVENT, recipient(SENDER.toUpperCase())])
    assert.equal(legOf(loud).recipient, SENDER)
  })

  test('is not changed by payments of other contracts, nor by events that look like payments of the router', () => {
    const { raw: _, eventIndex: __, ...plain } = legOf(recordedTx.tx_result.events)
    const payment = { amount: '7rune', recipient: ELSE }
    const forged = [
      event('transfer', { ...payment, sender: ELSE }),
      event('wasm-transfer', { ...payment, sender: ROUTER, _contract_address: ELSE }),
    ]
    const later = event(SECOND_EVENT, { _contract_address: ROUTER, recipient: ELSE })
    for (const changed of [
      changing(['payout', (each) => [...forged, each]]),
      changing([SECOND_EVENT, () => []], ['payout', (each) => [each, later]]),
    ]) {
      const { raw, eventIndex, ...leg } = legOf(changed)
      assert.deepEqual(leg, plain)
    }
  })

  test('has no input where the coins before its call are sent elsewhere', () => {
    const { input } = legOf(changing(['funds', recipient(ELSE)]), elsewhere)
    assert.deepEqual(input, { denom: 'btc-btc', amount: 0n })
  })

  test('has an affiliate of up to 128 characters', () => {
    const code = 'x'.repeat(128)
    assert.equal(legOf(changing([DONE, put('affiliate', code)]), elsewhere).code, code)
  })

  test('has as input the coin that its first hop sells', () => {
    const events = changing(['funds', amount('5atom,1000000btc-btc')])
    assert.deepEqual(legOf(events, txOf({ funds: twoCoins })).input, {
      denom: 'btc-btc',
      amount: 1_000_000n,
    })
  })

  test('has a hop whose pair keeps its fee, or returns what it cannot sell', () => {
    const kept = legOf(changing(['first fee', () => []]))
    assert.deepEqual([kept.hops[0]?.fee, kept.hops[0]?.unsold], [117_040_890n, 0n])
    const back: Change = (each) => [put('amount', '7btc-btc')(each), each]
    const [hop] = legOf(changing(['first output', back])).hops
    assert.deepEqual([hop?.fee, hop?.unsold], [117_040_890n, 7n])
    assert.deepEqual(hop?.output, { denom: usdc, amount: 77_910_218_894n })
  })

  test('has a hop whose fee is what its pair sends on, otherwise what its trades paid more', () => {
    const traded = [TRADE, put('bid', '1')] as const
    const hopOf = (...changes: readonly Changed[]) => legOf(changing(...changes)).hops[0]
    assert.equal(hopOf(traded)?.fee, 117_040_890n)
    assert.equal(hopOf(traded, ['first fee', () => []])?.fee, 0n)
    const forged = event(TRADE, { _contract_address: ELSE, bid: '99999999999999' })
    const hop = hopOf(['first fee', () => []], ['first output', (each) => [forged, each]])
    assert.deepEqual([hop?.fee, hop?.trades], [117_040_890n, 1])
  })

  test('has a hop that pays nothing in the denom that comes next', () => {
    const outputs = (...without: readonly string[]) =>
      legOf(changing(...without.map((name) => [name, () => []] as const))).hops.map(
        ({ output }) => output,
      )
    const [first, second] = outputs()
    assert.deepEqual(outputs('first output'), [{ denom: usdc, amount: 0n }, second])
    assert.deepEqual(outputs('second output'), [first, { denom: 'rune', amount: 0n }])
  })

  for (const name of ['affiliate', 'referral'])
    test(`has the account that is paid the ${name} fee after the platform, also where both are the same`, () => {
      const fee = 152_606_606n
      const output = `${152_453_998_735n - fee}`
      const events = changing(
        [DONE, put(`${name}_fee`, `${fee}`)],
        [SECOND_EVENT, put('output_amount', output)],
        ['platform fee', (each) => [each, paidByRouter(`${fee}rune`, ELSE)]],
        ['payout', amount(`${output}rune`)],
      )
      const { affiliatePaid, fees } = legOf(events)
      assert.equal(affiliatePaid, ELSE)
      const [referral, affiliate] = name === 'referral' ? [fee, 0n] : [0n, fee]
      assert.deepEqual(fees, { protocol: fee + referral, referral, affiliate })
    })
})
