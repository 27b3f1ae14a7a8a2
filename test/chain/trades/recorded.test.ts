import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'vitest'
import { decodeBlock } from '../../../src/chain/trades/block.js'
import { tradesOf } from '../../../src/chain/trades/block-trades.js'
import { readBlock } from '../../../src/chain/tx/block-data.js'
import { rootCursor } from '../../../src/engine/snapshot/json-cursor.js'
import { recorded } from '../../demo-chain/node/recorded.js'
import { answersOf, blockOf, gains, type TxAnswer } from './staged-block.js'

/** The router compiled from the public source, and the published one. */
const SOURCE = 'thor1yw4xvtc43me9scqfr2jr2gzvcxd3a9y4eq7gaukreugw2yd2f8tsz3392y'
const PUBLISHED = 'thor1hulx7cgvpfcvg83wk5h96sedqgn72n026w6nl47uht554xhvj9nsdf8xvx'
const COLLECTOR = 'thor1q0wuf60eqv3qj9ym4kpy6sthg7m34zrrs8w3g4'
const PAIRS_COLLECTOR = 'thor19lsctk0e9kke9plu4gm4jm4eupjdd0q87zjs4r'
const REFERRAL = 'thor1w5d0kgzwpakv28zzlq7lfv7e0hndd64msmehnj'
const AFFILIATE = 'thor1m58f36yydjwd2z0ukmwt984wr9gr689hyzlj7r'

const answerOf = (name: string): TxAnswer & { readonly hash: string } =>
  (recorded[name] as { response: { result: TxAnswer & { hash: string } } }).response.result

/** Every recorded transaction that called a router and was executed, with its legs. */
const executed: readonly (readonly [name: string, legs: number])[] = [
  ['tx_router_1hop', 1],
  ['tx_router_2hop', 1],
  ['tx_router_3hop', 1],
  ['tx_router_2leg_1hop_each', 2],
  ['tx_router_2leg_affiliate', 2],
  ['tx_router_cycle', 1],
  ['tx_router_beyond_depth', 1],
  ['tx_router_next_user_collects', 1],
  ['tx_router_other_recipient', 1],
  ['tx_router_spoofed_input_coin', 1],
  ['tx_router_unknown_affiliate', 1],
  ['tx_router_prebuilt_affiliate', 1],
  ['tx_v11_router_1hop', 1],
  ['tx_v11_router_2hop', 1],
  ['tx_v11_router_2leg_affiliate', 2],
]

const routerOf = (name: string) => (name === 'tx_router_prebuilt_affiliate' ? PUBLISHED : SOURCE)

describe('the legs of a recorded transaction are what the bank moved', () => {
  for (const [name, count] of executed)
    test(`in ${name}`, () => {
      const answer = answerOf(name)
      const { legs, undecoded } = tradesOf(blockOf([answer]), routerOf(name))
      assert.deepEqual(undecoded, [])
      assert.deepEqual(
        legs.map(({ msgIndex }) => msgIndex),
        Array.from({ length: count }, (_, at) => at),
      )
      for (const leg of legs) {
        const gain = gains(answer.tx_result.events, leg.msgIndex)
        const { sender, recipient, input, output, fees, hops } = leg
        assert.equal(leg.txHash, answer.hash)
        const isLoop = input.denom === output.denom
        assert.equal(
          gain(sender, input.denom),
          isLoop ? output.amount - input.amount : -input.amount,
        )
        if (!isLoop) assert.equal(gain(recipient, output.denom), output.amount)
        assert.equal(gain(COLLECTOR, output.denom), fees.protocol - fees.referral)
        assert.equal(gain(REFERRAL, output.denom), fees.referral)
        assert.equal(gain(AFFILIATE, output.denom), fees.affiliate)
        for (const denom of new Set(leg.path)) {
          assert.equal(gain(routerOf(name), denom), 0n)
          const payingHops = hops.filter((hop) => hop.output.denom === denom)
          const total = payingHops.reduce((sum, { fee }) => sum + fee, 0n)
          assert.equal(gain(PAIRS_COLLECTOR, denom), total)
        }
        for (const [at, hop] of hops.entries()) {
          assert.equal(hop.input.amount, at === 0 ? input.amount : hops[at - 1]?.output.amount)
          assert.ok(hop.trades > 0)
        }
      }
    })

  test('or empty if it failed', () => {
    const failed = Object.keys(recorded).filter(
      (name) => /^tx_(err|router)/.test(name) && (answerOf(name)?.tx_result?.code ?? 0) !== 0,
    )
    assert.ok(failed.length >= 15)
    for (const name of failed)
      assert.deepEqual(
        tradesOf(blockOf([answerOf(name)]), SOURCE),
        { legs: [], undecoded: [] },
        name,
      )
  })

  test('or empty if it called no router', () => {
    for (const name of ['tx_fin_direct_1mm', 'tx_mixed_send_and_swap', 'tx_fin_order_v11'])
      assert.deepEqual(
        tradesOf(blockOf([answerOf(name)]), SOURCE),
        { legs: [], undecoded: [] },
        name,
      )
  })
})

describe('the legs of a recorded transaction', () => {
  const legsOf = (name: string) => tradesOf(blockOf([answerOf(name)]), routerOf(name)).legs

  test('have as input the attached coins, whatever the event has', () => {
    const [leg] = legsOf('tx_router_spoofed_input_coin')
    assert.deepEqual(leg?.input, { denom: 'btc-btc', amount: 1_000_000n })
  })
  test('have the recipient that was paid and the sender that signed', () => {
    const [leg] = legsOf('tx_router_other_recipient')
    assert.equal(leg?.sender, 'thor19pr6al9k08nvavcyfzyp2pndxp7rxzlsc97e4e')
    assert.equal(leg?.recipient, 'thor1tpdhfpu37lzkpachuxc94ea94fnux8rpxmll4w')
  })
  test('have the affiliate that was paid its fee', () => {
    for (const name of ['tx_router_2leg_affiliate', 'tx_router_prebuilt_affiliate'])
      for (const leg of legsOf(name)) {
        assert.equal(leg.code, 'ruji')
        assert.equal(leg.affiliatePaid, AFFILIATE)
      }
  })
  test('have no fee of an affiliate that is not registered', () => {
    const [leg] = legsOf('tx_router_unknown_affiliate')
    assert.equal(leg?.code, 'nope')
    assert.equal(leg?.affiliatePaid, undefined)
    assert.equal(leg?.fees.affiliate, 0n)
  })
  test('of a loop begin and end with the same denom', () => {
    const [leg] = legsOf('tx_router_cycle')
    assert.equal(leg?.path.length, 6)
    assert.equal(leg?.path[0], leg?.path.at(-1))
  })
  test('are numbered by the events of the node', () => {
    const answer = answerOf('tx_router_2leg_affiliate')
    for (const leg of legsOf('tx_router_2leg_affiliate'))
      assert.equal(answer.tx_result.events[leg.eventIndex]?.type, 'wasm-liquidy-swap/execute')
  })
})

describe('a recorded block', () => {
  const answer = (name: string) =>
    rootCursor((recorded[name] as { response: { result: unknown } }).response.result)
  const block = decodeBlock(readBlock(answer('rpc_block'), 33), answer('rpc_block_results_swap'))

  test('has its hash, its parent and its time', () => {
    const { chainId, height, time, hash, parentHash } = block
    assert.deepEqual(
      [chainId, height, time],
      ['swap-truth-1', 33, '2026-11-21T09:33:00.117405845Z'],
    )
    assert.equal(hash, '10B1C0D35A3062F26BD9FFC60D58707F659372FF594E37AE5192B3E1A3AC6222')
    assert.equal(parentHash, '97DF96D7820A02E868BC13F54EF239BECF1799FB3D4FEACDD827036E43BE2FB2')
  })
  test('has the legs of its transaction under the hash of its bytes', () => {
    const { legs } = tradesOf(block, SOURCE)
    const [tx] = block.txs
    const hash = createHash('sha256').update(tx!.bytes).digest('hex').toUpperCase()
    assert.deepEqual(
      legs.map(({ txHash, msgIndex }) => [txHash, msgIndex]),
      [
        [hash, 0],
        [hash, 1],
      ],
    )
    assert.equal(hash, answerOf('tx_router_2leg_affiliate').hash)
  })
  test('is the same in the encoding of older nodes', () => {
    const base64 = (text: string) => Buffer.from(text).toString('base64')
    const names = ['tx_router_2leg_affiliate', 'tx_err_no_balance', 'tx_router_1hop']
    const { block: plain, results } = answersOf(names.map(answerOf))
    const older = results.txs_results.map(({ code, events }) => ({
      code,
      events: events.map(({ type, attributes }) => ({
        type,
        attributes: attributes.map(({ key, value }) => ({
          key: base64(key),
          value: value === '' ? null : base64(value ?? ''),
        })),
      })),
    }))
    const spoken = decodeBlock(
      plain,
      rootCursor({
        height: '33',
        txs_results: older,
        begin_block_events: [],
        end_block_events: [],
      }),
    )
    assert.equal(spoken.encoding, 'base64')
    const legsWithoutRaw = (trades: ReturnType<typeof tradesOf>) =>
      trades.legs.map(({ raw, ...leg }) => leg)
    assert.deepEqual(
      legsWithoutRaw(tradesOf(spoken, SOURCE)),
      legsWithoutRaw(tradesOf(blockOf(names.map(answerOf)), SOURCE)),
    )
  })
})
