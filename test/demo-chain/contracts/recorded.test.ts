import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { ChainFailure } from '../../../src/demo-chain/modules/chain-failure.js'
import type { ChainEvent } from '../../../src/demo-chain/modules/contract.js'
import { decodeSnapshot } from '../../../src/engine/snapshot/decode.js'
import { execute } from '../../support/contract-world.js'
import { type MarketWorld, marketWorld } from '../../support/contracts.js'
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

/** A maker's fee and surplus follow from reserves that the transaction does not show. */
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

/** Not of these contracts: bank messages, orders, and a differently built router. */
const others = /^(mixed_send_and_swap|fin_order_.*|router_prebuilt_affiliate)$/

describe('the events of a recorded transaction', () => {
  for (const [name, tx] of Object.entries(txs)) {
    if (tx.code !== 0 || others.test(name)) continue
    test(`equal those of the demo contracts in order and value: ${name}`, () => {
      for (const [at, events] of replay(name, tx).entries())
        assert.deepEqual(events.map(withoutMargins), eventsOf(tx, at).map(withoutMargins))
    })
  }
})

const PAIR = 'thor1up07dctjqud4fns75cnpejr4frmjtddzsmwgcktlyxd4zekhwecqwnhdl7'
const ROUTER = 'thor1yw4xvtc43me9scqfr2jr2gzvcxd3a9y4eq7gaukreugw2yd2f8tsz3392y'
const USDC = 'eth-usdc-0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'

/** The node's BTC pair and router, with a BOW pool of the pair and one order a side. */
function liveWorld(version: '1.0' | '1.1'): MarketWorld {
  const strategy = {
    xyk: [
      { x: 'btc-btc', y: USDC, step: '0.001', min_quote: '1000', fee: '0.0015' },
      { x: '2557915069', y: '199741164749742', k: '0', shares: '714787335506' },
    ],
  }
  const market = decodeSnapshot(
    {
      format: 'swap.snapshot/1',
      network: 'node',
      chain_id: 'node-1',
      height: 1,
      time: '2026-05-01T00:00:00Z',
      tokens: ['btc-btc', USDC].map((denom) => ({
        denom,
        decimals: 8,
        symbol: denom,
        name: denom,
        chain: 'X',
        kind: 'secured',
      })),
      router: { address: ROUTER, dialect: 'stack', fee_bps: 10 },
      pairs: [
        {
          address: PAIR,
          base: 'btc-btc',
          quote: USDC,
          tick: 6,
          fee_taker: '0.0015',
          fee_maker: '0.00075',
          fin_version: `${version}.0`,
          pools: { base: [{ price: '79000', total: '100000' }], quote: [] },
          makers: [{ address: 'bow', strategy }],
          status: 'open',
        },
      ],
    },
    'live',
  )
  return marketWorld(market, version === '1.0' ? 'bow-1.0' : 'bow')
}

/** An event without its values. */
const shapeOf = ([type, attributes]: RecordedEvent) => [type, attributes.map(([key]) => key)]

describe('the events of a fill of a pair with a BOW pool', () => {
  for (const [name, version] of [
    ['fin_direct_1mm', '1.0'],
    ['fin_direct_v11_bow', '1.1'],
  ] as const)
    test(`equal the recorded ones in ${name}: FIN and BOW ${version}`, () => {
      const world = liveWorld(version)
      const offer = { denom: USDC, amount: 1_000_000_000n }
      const { events } = execute(world, world.start, PAIR, { swap: {} }, [offer])
      assert.deepEqual(
        events.map((event) => shapeOf(asRecorded(event))),
        eventsOf(txs[name]!, 0).map(shapeOf),
      )
    })
})

/** The same text except for the amount that the swap would have paid, which depends on the state. */
function isRecorded(error: unknown, at: number, { log, codespace, code }: RecordedTx): boolean {
  assert.ok(error instanceof ChainFailure)
  const unpaid = (text: string) => text.replace(/return amount [1-9]\d* /, 'return amount N ')
  const text = `failed to execute message; message index: ${at}: ${error.message}`
  assert.deepEqual([unpaid(text), error.codespace, error.code], [unpaid(log), codespace, code])
  return true
}

describe('the error of a recorded failed transaction', () => {
  /** Failures of the bank before a contract is reached, or of the gas. */
  const otherErrors = /insufficient_funds_msg|msg_funds_missing|out_of_gas/
  for (const [name, tx] of Object.entries(txs)) {
    if (tx.code === 0 || otherErrors.test(name)) continue
    test(`has the recorded text: ${name}`, () => {
      const world = liveWorld('1.0')
      let state = world.start
      for (const [at, { sender, contract, message, funds }] of tx.messages.entries()) {
        const coins = funds.map(({ denom, amount }) => ({ denom, amount: BigInt(amount) }))
        const run = () => execute(world, state, contract, JSON.parse(message), coins, sender)
        if (at < tx.messages.length - 1) state = run().state
        else assert.throws(run, (error) => isRecorded(error, at, tx))
      }
    })
  }
})
