import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { ChainEvent } from '../../../src/demo/wasm/events.js'
import { execute } from '../../support/contract-world.js'
import {
  eventsOf,
  type RecordedEvent,
  type RecordedTx,
  recordedTxs,
  worldBefore,
} from '../../support/recorded-txs.js'

const txs = recordedTxs()

const asRecorded = ({ type, attributes }: ChainEvent): RecordedEvent => [
  type,
  attributes.map(({ key, value }) => [key, value]),
]

/** A maker's fee and surplus follow from reserves that the transaction does not tell. */
const withoutMargins = ([type, attributes]: RecordedEvent): RecordedEvent => [
  type,
  attributes.map(([key, value]) =>
    type === 'wasm-rujira-bow/swap' && (key === 'fee' || key === 'surplus')
      ? [key, '']
      : [key, value],
  ),
]

/** Every message on the state that the one before left. */
function replay(name: string, tx: RecordedTx): readonly (readonly RecordedEvent[])[] {
  const world = worldBefore(tx, /v11|fin11/.test(name) ? '1.1' : '1.0')
  let state = world.start
  return tx.messages.map(({ sender, contract, message, funds }) => {
    const coins = funds.map(({ denom, amount }) => ({ denom, amount: BigInt(amount) }))
    const done = execute(world, state, contract, JSON.parse(message), coins, sender)
    state = done.state
    return done.events.map(asRecorded)
  })
}

/** What is not of these contracts: bank messages, orders, and a router built otherwise. */
const others = /^(mixed_send_and_swap|fin_order_.*|router_prebuilt_affiliate)$/

describe('what a real node recorded of a transaction, the contracts say as well', () => {
  for (const [name, tx] of Object.entries(txs)) {
    if (tx.code !== 0 || others.test(name)) continue
    test(`${name}: every event in its place, every attribute in its order, every number`, () => {
      for (const [at, events] of replay(name, tx).entries())
        assert.deepEqual(events.map(withoutMargins), eventsOf(tx, at).map(withoutMargins))
    })
  }
})
