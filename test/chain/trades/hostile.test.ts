import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { decodeBlock, IncompleteResults } from '../../../src/chain/trades/block.js'
import { tradesOf } from '../../../src/chain/trades/block-trades.js'
import { MalformedDocument, rootCursor } from '../../../src/engine/snapshot/json-cursor.js'
import {
  answerOf,
  DONE,
  ELSE,
  put,
  ROUTER,
  read,
  recordedTx,
  SECOND_EVENT,
  withEvents,
} from './recorded-swap.js'
import { answersOf, blockOf, type EventJson, event, type TxAnswer } from './staged-block.js'

/** The recorded transaction with the events of one type changed. */
const changed = (type: string, change: (event: EventJson) => EventJson | readonly EventJson[]) =>
  withEvents(
    recordedTx.tx_result.events.flatMap((each) => (each.type === type ? change(each) : each)),
  )

const drop = (name: string) => (each: EventJson) => ({
  ...each,
  attributes: each.attributes.filter(({ key }) => key !== name),
})

describe('an event of another contract', () => {
  test('with the type of the router is not a swap of the router', () => {
    const { legs, undecoded } = read(changed(DONE, put('_contract_address', ELSE)))
    assert.deepEqual(legs, [])
    assert.match(undecoded[0]?.reason ?? '', /whose event is not among its events/)
  })
  test('next to the real one changes nothing', () => {
    const forged = event(DONE, {
      _contract_address: ELSE,
      affiliate: '',
      affiliate_fee: '0',
      denom: 'rune',
      platform_fee: '0',
      referral_fee: '0',
      volume: '99999999999',
    })
    const second = event(SECOND_EVENT, {
      _contract_address: ELSE,
      input_amount: '1',
      input_denom: 'rune',
      output_amount: '2',
      output_denom: 'rune',
      recipient: ELSE,
    })
    const { events } = recordedTx.tx_result
    const at = events.findIndex(({ type }) => type === DONE)
    const among = [...events.slice(0, at + 1), forged, second, ...events.slice(at + 1)]
    const facts = ({ legs, undecoded }: ReturnType<typeof read>) => [
      legs.map(({ raw, ...leg }) => leg),
      undecoded,
    ]
    const [legs] = facts(read(withEvents(among)))
    assert.equal(legs?.length, 1)
    // It only shifts the numbers of the events.
    assert.deepEqual(facts(read(withEvents(among))), facts(read(recordedTx)))
  })
  test('with a msg_index of its own still belongs to its own message', () => {
    const foreignEvent = event('wasm-sly', { _contract_address: ELSE, msg_index: '7' }, 0)
    assert.equal(read(withEvents([foreignEvent, ...recordedTx.tx_result.events])).legs.length, 1)
    const early = changed(DONE, (each) => ({
      ...each,
      attributes: [{ key: 'msg_index', value: '7' }, ...each.attributes],
    }))
    assert.equal(read(early).legs.length, 1)
  })
})

test('a call of the router without its events is undecoded, and that of another contract no swap', () => {
  const stripped = recordedTx.tx_result.events.filter(({ type }) => !type.startsWith('wasm'))
  const { legs, undecoded } = read(withEvents(stripped))
  assert.deepEqual(legs, [])
  assert.deepEqual(
    undecoded.map(({ txIndex, eventIndex, reason }) => [txIndex, eventIndex, reason]),
    [[0, -1, 'it calls the router, whose event is not among its events']],
  )
  const block = blockOf([withEvents(stripped)])
  assert.deepEqual(tradesOf(block, ROUTER.replace('yw4x', 'yw4y')), { legs: [], undecoded: [] })
})
test('a failed transaction is not a swap, whatever events it has', () => {
  const failed = { ...recordedTx, tx_result: { ...recordedTx.tx_result, code: 5 } }
  assert.deepEqual(read(failed), { legs: [], undecoded: [] })
})

describe('an inconsistent event of the router is kept as undecoded with its bytes', () => {
  const cases: readonly (readonly [what: string, answer: TxAnswer, reason: RegExp])[] = [
    ['no volume', changed(DONE, drop('volume')), /has no volume/],
    [
      'the volume twice',
      changed(DONE, (each) => ({
        ...each,
        attributes: [{ key: 'volume', value: '1' }, ...each.attributes],
      })),
      /volume more than once/,
    ],
    ['a volume that is not a number', changed(DONE, put('volume', 'much')), /not an amount/],
    ['a volume beyond 128 bits', changed(DONE, put('volume', `${1n << 128n}`)), /not an amount/],
    ['a volume with a sign', changed(DONE, put('volume', '+152606605341')), /not an amount/],
    ['fees above the output', changed(DONE, put('platform_fee', '152606605342')), /exceed/],
    ['another fee than was paid', changed(DONE, put('platform_fee', '1')), /different outputs/],
    ['an empty denom', changed(DONE, put('denom', '')), /is not a denom/],
    ['another output', changed(DONE, put('denom', 'tcy')), /another denom/],
    [
      'an affiliate that was not in the message',
      changed(DONE, put('affiliate', 'x')),
      /another affiliate/,
    ],
    ['no affiliate attribute', changed(DONE, drop('affiliate')), /has no affiliate/],
    [
      'another output in the second event',
      changed(SECOND_EVENT, put('output_amount', '7')),
      /different outputs/,
    ],
    [
      'another recipient in the second event',
      changed(SECOND_EVENT, put('recipient', ELSE)),
      /two recipients/,
    ],
    ['no message', changed(DONE, drop('msg_index')), /belongs to no message/],
    ['an unknown message', changed(DONE, put('msg_index', '4')), /belongs to no message/],
    [
      'no payout',
      withEvents(
        recordedTx.tx_result.events.slice(
          0,
          recordedTx.tx_result.events.findIndex(({ type }) => type === DONE) + 1,
        ),
      ),
      /not paid/,
    ],
    [
      'bytes that are not a transaction',
      withEvents(recordedTx.tx_result.events, Buffer.from('nonsense').toString('base64')),
      /cannot be read/,
    ],
    [
      'hops through other pairs than the message names',
      withEvents(
        recordedTx.tx_result.events.map((each) => ({
          ...each,
          attributes: each.attributes.map((one) =>
            one.value === 'thor1k8re7jwz6rnnwrktnejdwkwnncte7ek7gt29gvnl3sdrg9mtnqksg36d26'
              ? { ...one, value: ROUTER.replace('yw4x', 'yw4y') }
              : one,
          ),
        })),
      ),
      /other pairs/,
    ],
  ]
  for (const [title, answer, reason] of cases)
    test(`with ${title}`, () => {
      const { legs, undecoded } = read(answer)
      assert.deepEqual(legs, [])
      const [undecodedEvent] = undecoded
      assert.equal(undecoded.length, 1)
      assert.match(undecodedEvent?.reason ?? '', reason)
      const raw = answer.tx_result.events[undecodedEvent!.eventIndex]
      assert.deepEqual(JSON.parse(Buffer.from(undecodedEvent!.bytes).toString()), raw)
      assert.equal(raw?.type, DONE)
    })
  test('outside of transactions', () => {
    const { block, results } = answersOf([recordedTx])
    const [done] = recordedTx.tx_result.events.filter(({ type }) => type === DONE)
    const ended = { ...results, finalize_block_events: [event('message', { sender: 'x' }), done] }
    const { legs, undecoded } = tradesOf(decodeBlock(block, rootCursor(ended)), ROUTER)
    assert.equal(legs.length, 1)
    assert.deepEqual(
      undecoded.map(({ txIndex, eventIndex }) => [txIndex, eventIndex]),
      [[-1, 1]],
    )
  })
})

describe('the block results of a node', () => {
  const { block, results } = answersOf([recordedTx, recordedTx])
  const decode = (given: typeof block, outcome: object) => decodeBlock(given, rootCursor(outcome))

  test('with fewer results than transactions are incomplete', () => {
    for (const txs_results of [null, [], [recordedTx.tx_result]])
      assert.throws(() => decode(block, { ...results, txs_results }), IncompleteResults)
  })
  test('of two heights are refused', () => {
    assert.throws(() => decode(block, { ...results, height: '34' }), MalformedDocument)
  })
  test('with events in an unknown encoding are refused, not taken for an empty block', () => {
    const altered = recordedTx.tx_result.events.map((each) => ({
      ...each,
      attributes: each.attributes.map(({ key, value }) => ({ key: `~${key}`, value })),
    }))
    const txs_results = [recordedTx.tx_result, { code: 0, events: altered }].map((each) => ({
      ...each,
      events: altered,
    }))
    assert.throws(() => decode(block, { ...results, txs_results }), /attributes can be read/)
  })
  test('with a thing among the events that is none, or no events of an executed contract, are refused', () => {
    const { events } = recordedTx.tx_result
    const given = (...events: readonly unknown[]) => ({
      ...results,
      txs_results: [recordedTx.tx_result, { code: 0, events }],
    })
    decode(block, given(...events))
    for (const lie of [
      given(...events, { type: 5, attributes: [] }),
      given(...events, { type: 'wasm', attributes: 5 }),
      given(...events, { type: 'wasm', attributes: [5] }),
      given(...events, 'wasm'),
      { ...results, finalize_block_events: [{ attributes: [] }] },
      given(),
    ])
      assert.throws(() => decode(block, lie), MalformedDocument)
    const other = answersOf([recordedTx, { ...recordedTx, tx: 'b3RoZXI=' }])
    assert.equal(decode(other.block, given()).txs.length, 2)
  })
  test('without transactions are an empty block', () => {
    const empty = answersOf([])
    const { txs, encoding } = decode(empty.block, { ...empty.results, txs_results: null })
    assert.deepEqual([txs, encoding], [[], 'plain'])
  })
})

describe('the changed events of a block', () => {
  const names = ['tx_router_2leg_affiliate', 'tx_router_3hop', 'tx_router_cycle']
  const texts = fc.constantFrom(
    '',
    '0',
    '-1',
    '1e9',
    '\0',
    '\ud800',
    `${1n << 128n}`,
    ROUTER,
    'x'.repeat(9_000),
  )
  const blockInjection = fc.array(
    fc.record({
      at: fc.nat(400),
      how: fc.constantFrom('drop', 'twice', 'swap', 'value', 'key', 'null'),
      which: fc.nat(8),
      text: texts,
    }),
    { minLength: 1, maxLength: 6 },
  )

  test('are one leg, one undecoded event or a payout without a hop for each event of the router', () => {
    fc.assert(
      fc.property(fc.constantFrom(...names), blockInjection, (name, injections) => {
        const events: EventJson[] = [...answerOf(name).tx_result.events]
        for (const { at, how, which, text } of injections) {
          const i = at % events.length
          const each = events[i]!
          const edit = (change: (one: { key: string; value: string | null }) => object) =>
            ({
              ...each,
              attributes: each.attributes.map((one, n) =>
                n === which % each.attributes.length ? change(one) : one,
              ),
            }) as EventJson
          if (how === 'drop') events.splice(i, 1)
          if (how === 'twice') events.splice(i, 0, each)
          if (how === 'swap') events.splice(i, 2, ...events.slice(i, i + 2).reverse())
          if (how === 'value') events[i] = edit((one) => ({ ...one, value: text }))
          if (how === 'key') events[i] = edit((one) => ({ ...one, key: text }))
          if (how === 'null') events[i] = edit((one) => ({ ...one, value: null }))
        }
        const { legs, undecoded } = tradesOf(
          blockOf([withEvents(events, answerOf(name).tx)]),
          ROUTER,
        )
        const found = [...legs, ...undecoded].map(({ eventIndex }) => eventIndex)
        assert.equal(new Set(found).size, found.length)
        const isCallWithoutEvent = undecoded.length === 1 && undecoded[0]?.eventIndex === -1
        for (const index of found)
          assert.ok(events[index]?.type === DONE || (index === -1 && isCallWithoutEvent))
        for (const { input, output, fees, path, hops } of legs) {
          assert.ok(input.amount >= 0n && output.amount >= 0n && fees.referral <= fees.protocol)
          assert.equal(path.length, hops.length + 1)
        }
      }),
      { numRuns: 300 },
    )
  })
})
