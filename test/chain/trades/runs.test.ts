import assert from 'node:assert/strict'
import { test } from 'vitest'
import { legsOf } from '../../../src/chain/trades/block-trades.js'
import type { ChainEvent } from '../../../src/chain/trades/events.js'
import { runsIn } from '../../../src/chain/trades/order-runs.js'
import { runsOf } from '../../../src/chain/trades/runs.js'
import { rootCursor } from '../../../src/engine/snapshot/json-cursor.js'

test('a message of a thousand swaps is read once, not once for each of them', () => {
  let reads = 0
  const event = (
    index: number,
    type: string,
    own: Readonly<Record<string, string>>,
  ): ChainEvent => {
    const attributes = new Map(Object.entries(own).map(([name, value]) => [name, [value]]))
    const get = (name: string) => {
      reads += 1
      return attributes.get(name)
    }
    return {
      get index() {
        reads += 1
        return index
      },
      type,
      attributes: Object.assign(new Map(), { get }),
      message: 0,
      raw: {},
    }
  }
  const events = Array.from({ length: 1_000 }, (_, i) => [
    event(3 * i, 'wasm-liquidy-swap/execute', { _contract_address: 'router' }),
    event(3 * i + 1, 'wasm-liquidy-swap/swap', { _contract_address: 'router' }),
    event(3 * i + 2, 'transfer', { amount: '1rune', sender: 'router', recipient: `${i}` }),
  ]).flat()
  const runs = runsOf(events, 'router')
  assert.deepEqual(
    runs.map(({ payments, firstPaid, summary }) => [payments[firstPaid]?.to, summary?.index]),
    runs.map((_, i) => [`${i}`, 3 * i + 1]),
  )
  assert.ok(runs.every(({ payments }) => payments === runs[0]?.payments))
  assert.ok(reads < 10 * events.length, `${reads}`)
})

test('the events of a transaction of a thousand messages are not searched for each of them', () => {
  let reads = 0
  const messages = Array.from({ length: 1_000 }, () => ({ kind: 'other' }) as const)
  const events = messages.map(
    (_, index): ChainEvent => ({
      index,
      type: 'wasm',
      attributes: new Map(),
      get message() {
        reads += 1
        return index
      },
      raw: {},
    }),
  )
  const tx = {
    tx: { index: 0, code: 0, bytes: new Uint8Array(), events: rootCursor([]) },
    events,
    eventsOf: new Map(events.map((event, index) => [index, [event]])),
    messages,
    undecoded: () => [],
  }
  assert.deepEqual(legsOf(tx, 'router').found, [])
  assert.deepEqual(runsIn(tx).found, [])
  assert.ok(reads <= 2 * events.length, `${reads}`)
})
