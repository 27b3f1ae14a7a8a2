import assert from 'node:assert/strict'
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { MsgExecuteContract } from 'cosmjs-types/cosmwasm/wasm/v1/tx'
import { describe, test } from 'vitest'
import {
  answerOf,
  DONE,
  ELSE,
  put,
  ROUTER,
  read,
  SECOND_EVENT,
  withEvents,
} from './recorded-swap.js'
import { type EventJson, event } from './staged-block.js'

/** A transaction of messages that call other contracts. */
function txThrough(
  contracts: readonly string[],
  sender = 'THOR1TPDHFPU37LZKPACHUXC94EA94FNUX8RPXMLL4W',
) {
  const messages = contracts.map((contract) => ({
    typeUrl: MsgExecuteContract.typeUrl,
    value: MsgExecuteContract.encode({
      sender,
      contract,
      msg: Buffer.from('{}'),
      funds: [],
    }).finish(),
  }))
  const bodyBytes = TxBody.encode(TxBody.fromPartial({ messages })).finish()
  const raw = TxRaw.encode({ bodyBytes, authInfoBytes: new Uint8Array(), signatures: [] }).finish()
  return Buffer.from(raw).toString('base64')
}

const eventsOf = (name: string, message = 0) =>
  answerOf(name).tx_result.events.filter(({ attributes }) =>
    attributes.some(({ key, value }) => key === 'msg_index' && value === `${message}`),
  )
const inMessage = (events: readonly EventJson[], message: number) =>
  events.map(put('msg_index', `${message}`))

describe('swaps within messages to other contracts', () => {
  const [one, two] = [eventsOf('tx_router_1hop'), eventsOf('tx_router_2hop')]

  test('are separated, with the wallet that signed', () => {
    const { legs, undecoded } = read(withEvents([...one, ...two], txThrough([ELSE])))
    assert.deepEqual(undecoded, [])
    assert.deepEqual(
      legs.map(({ sender, input, output, hops }) => [
        sender,
        input.amount,
        output.amount,
        hops.length,
      ]),
      [
        ['thor1tpdhfpu37lzkpachuxc94ea94fnux8rpxmll4w', 1_000_000n, 77_893_253_129n, 1],
        ['thor1tpdhfpu37lzkpachuxc94ea94fnux8rpxmll4w', 1_000_000n, 152_453_998_735n, 2],
      ],
    )
  })
  test('of several messages belong to their messages', () => {
    const events = [...one, ...inMessage(two, 2), ...inMessage(one, 1)]
    const { legs } = read(withEvents(events, txThrough([ELSE, ELSE, ELSE])))
    assert.deepEqual(
      legs.map(({ msgIndex, hops }) => [msgIndex, hops.length]),
      [
        [0, 1],
        [1, 1],
        [2, 2],
      ],
    )
  })
  test('of a recipient that is called back come before the fees of the first, and both are complete', () => {
    // The recipient is paid, swaps again, and only then are the fees of the first swap sent.
    const payout = one.findIndex(
      ({ type, attributes }) =>
        type === 'transfer' && attributes.some(({ value }) => value?.startsWith('77893253129')),
    )
    const events = [...one.slice(0, payout + 1), ...two, ...one.slice(payout + 1)]
    const { legs, undecoded } = read(withEvents(events, txThrough([ELSE])))
    assert.deepEqual(undecoded, [])
    assert.deepEqual(
      legs.map(({ output }) => output.amount),
      [77_893_253_129n, 152_453_998_735n],
    )
  })
  test('of an unknown type of message have the signer that the node reports', () => {
    const body = TxBody.fromPartial({
      messages: [{ typeUrl: '/cosmos.authz.v1beta1.MsgExec', value: new Uint8Array() }],
    })
    const raw = TxRaw.encode({
      bodyBytes: TxBody.encode(body).finish(),
      authInfoBytes: new Uint8Array(),
      signatures: [],
    }).finish()
    const events = [
      event('message', { action: '/cosmos.authz.v1beta1.MsgExec', sender: ELSE, module: 'authz' }),
      ...one.filter(({ type }) => type !== 'message'),
    ].map((each) => ({
      ...each,
      attributes: [
        ...each.attributes.slice(0, -1),
        { key: 'authz_msg_index', value: '0' },
        ...each.attributes.slice(-1),
      ],
    }))
    const { legs, undecoded } = read(withEvents(events, Buffer.from(raw).toString('base64')))
    assert.deepEqual(undecoded, [])
    assert.deepEqual(
      legs.map(({ sender }) => sender),
      [ELSE],
    )
  })
  test('that pay out a balance without a hop are not swaps', () => {
    const done = two.findIndex(({ type }) => type === DONE)
    const swept = [
      event('execute', { _contract_address: ROUTER }),
      ...two.slice(done).filter(({ type }) => type !== SECOND_EVENT),
    ]
    assert.deepEqual(read(withEvents(swept, txThrough([ELSE]))), { legs: [], undecoded: [] })
  })
  test('that sell a balance without attached coins have no input', () => {
    const first = one.findIndex(({ type }) => type === 'execute')
    const { legs } = read(withEvents(one.slice(first), txThrough([ELSE])))
    assert.deepEqual(
      legs.map(({ input }) => input),
      [{ denom: 'btc-btc', amount: 0n }],
    )
  })
})
