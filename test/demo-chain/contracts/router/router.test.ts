import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { divide } from '../../../../src/demo-chain/contracts/router/router-state.js'
import { balanceOf } from '../../../../src/demo-chain/modules/bank.js'
import { ChainFailure } from '../../../../src/demo-chain/modules/chain-failure.js'
import type { Dialect } from '../../../../src/engine/market/market.js'
import { isRefusal } from '../../../../src/engine/market/refusal.js'
import { payoutOf as quotedPayout } from '../../../../src/engine/market/router.js'
import { execute, holdings, smartQuery } from '../../../support/contract-world.js'
import {
  affiliateAddress,
  COLLECTOR,
  marketWorld,
  referralAddress,
} from '../../../support/contracts.js'
import { smallMarket } from '../../../support/small-market.js'

const affiliates = {
  acme: { affiliate_fee_bps: 50, referral_fee_share_bps: 2500 },
  ruji: { affiliate_fee_bps: 30, referral_fee_share_bps: 0 },
}

/** Sells a for b at 2 and b for c at 3, and buys a back at 4. */
const world = (dialect: Dialect, feeBps = 0, balances: Readonly<Record<string, string>> = {}) =>
  marketWorld(
    smallMarket(
      {
        'a/b': {
          base: [{ price: '4', total: '1000000' }],
          quote: [{ price: '2', total: '1000000' }],
        },
        'b/c': { quote: [{ price: '3', total: '9000000' }] },
      },
      { dialect, fee_bps: feeBps, affiliates, balances },
    ),
  )

const stages = {
  forward: [
    { address: 'a/b', denom: 'b' },
    { address: 'b/c', denom: 'c' },
  ],
  stack: [
    { address: 'b/c', denom: 'b' },
    { address: 'a/b', denom: 'a' },
  ],
} as const

const swap = (list: readonly object[], denom: string, amount: number | bigint, more = {}) => ({
  swap: { min_return: { denom, amount: `${amount}` }, stages: list, ...more },
})
const a = (amount: number) => ({ denom: 'a', amount: BigInt(amount) })

const failure = (run: () => unknown): readonly [string, number, string] => {
  try {
    run()
  } catch (error) {
    if (error instanceof ChainFailure) return [error.codespace, error.code, error.message]
    throw error
  }
  return assert.fail('it did not fail')
}
const wasm = (text: string) => ['wasm', 5, `${text}: execute wasm contract failed`]

for (const dialect of ['forward', 'stack'] as const)
  describe(`a router that reads ${dialect}`, () => {
    const here = world(dialect, 10)
    const run = (message: unknown, funds = [a(1000)], state = here.start) =>
      execute(here, state, 'router', message, funds)

    test('pays the sender the output of two hops, less its fee', () => {
      const { state } = run(swap(stages[dialect], 'c', 5994))
      assert.deepEqual(holdings(state, 'sender'), { c: '5994' })
      assert.deepEqual(holdings(state, COLLECTOR), { c: '6' })
      assert.deepEqual(holdings(state, 'router'), {})
    })

    test('pays another recipient, and shares its fee with an affiliate whose own fee is on top', () => {
      const more = { recipient: 'other', affiliate_code: 'acme' }
      const { state } = run(swap(stages[dialect], 'c', 1, more))
      assert.deepEqual(holdings(state, 'other'), { c: '5964' })
      assert.deepEqual(holdings(state, COLLECTOR), { c: '5' })
      assert.deepEqual(holdings(state, referralAddress('acme')), { c: '1' })
      assert.deepEqual(holdings(state, affiliateAddress('acme')), { c: '30' })
    })

    test('simulates its payout, whatever denom the first stage names', () => {
      const query = { simulate: { coin: { denom: 'a', amount: '1000' }, stages: stages[dialect] } }
      assert.deepEqual(smartQuery(here, 'router', query), { returned: '5994', fee: '6' })
      const coin = { denom: 'a', amount: '1000' }
      assert.deepEqual(smartQuery(here, 'router', { simulate: { coin, stages: [] } }), {
        returned: '999',
        fee: '1',
      })
      const alteredStages = stages[dialect].map((stage) =>
        stage.denom === 'a' || stage.denom === 'c' ? { ...stage, denom: 'odd' } : stage,
      )
      assert.deepEqual(smartQuery(here, 'router', { simulate: { coin, stages: alteredStages } }), {
        returned: '5994',
        fee: '6',
      })
    })

    test('fails safely when the stages are in the other order', () => {
      const wrong = dialect === 'forward' ? stages.stack : stages.forward
      const [, , text] = failure(() => run(swap(wrong, 'c', 1)))
      assert.match(text, /No balance|invalid denom/)
      const coin = { denom: 'a', amount: '1000' }
      const [space, code, log] = failure(() =>
        smartQuery(here, 'router', { simulate: { coin, stages: wrong } }),
      )
      assert.deepEqual([space, code], ['wasm', 9])
      assert.match(
        log,
        /^Generic error: Querier contract error: Generic error: invalid denom: query wasm contract failed: query wasm contract failed$/,
      )
    })

    test('keeps what a pair returns, for the next swap of that denom', () => {
      const beyond = swap([stages[dialect].find(({ address }) => address === 'a/b')!], 'b', 1)
      const first = run(beyond, [a(600_000)])
      assert.deepEqual(holdings(first.state, 'router'), { a: '100000' })
      const back = execute(
        here,
        first.state,
        'router',
        swap([{ address: 'a/b', denom: dialect === 'forward' ? 'a' : 'b' }], 'a', 1),
        [{ denom: 'b', amount: 2000n }],
        'next',
      )
      // Its whole balance of the output counts as output of the swap.
      assert.equal(balanceOf(back.state, 'next', 'a'), 100_500n - 101n)
    })

    test('pays out its balance to anyone who names a recipient', () => {
      const full = world(dialect, 10, { c: '5000' })
      const sweep = swap([], 'c', 1, { recipient: 'anybody' })
      const { state, events } = execute(full, full.start, 'router', sweep, [])
      assert.deepEqual(holdings(state, 'anybody'), { c: '4995' })
      // At the top level nothing is sorted, and without an input there is no swap event.
      assert.deepEqual(
        events.filter(({ type }) => type.startsWith('wasm')),
        [
          {
            type: 'wasm-liquidy-swap/execute',
            attributes: [
              { key: '_contract_address', value: 'router' },
              { key: 'denom', value: 'c' },
              { key: 'volume', value: '5000' },
              { key: 'platform_fee', value: '5' },
              { key: 'affiliate', value: '' },
              { key: 'referral_fee', value: '0' },
              { key: 'affiliate_fee', value: '0' },
            ],
          },
        ],
      )
      assert.deepEqual(
        failure(() => execute(full, full.start, 'router', swap([], 'c', 1), [])),
        wasm('Invalid: recipient not set'),
      )
    })

    test('refuses with the recorded texts', () => {
      assert.deepEqual(
        failure(() => run(swap(stages[dialect], 'c', 5995))),
        wasm('Invalid return amount 5994 expected 5995'),
      )
      assert.deepEqual(
        failure(() => run(swap(stages[dialect], 'x', 1))),
        wasm('Invalid return amount 0 expected 1'),
      )
      assert.deepEqual(
        failure(() => run(swap(stages[dialect], 'x', 0))),
        ['sdk', 10, ': invalid coins'],
      )
      assert.deepEqual(
        failure(() => run(swap(stages[dialect], 'c', 1), [])),
        wasm(dialect === 'forward' ? 'No funds sent' : 'No balance'),
      )
      assert.deepEqual(
        failure(() => run(swap(stages[dialect], 'c', 1, { recipient: '!0xabc' }))),
        ['sdk', 7, 'invalid to address: decoding bech32 failed: invalid address'],
      )
      assert.deepEqual(
        failure(() => run({ swap: { stages: [] } })),
        wasm(
          'Error parsing into type liquidy_rs::interfaces::swap::ExecuteMsg: missing field `min_return`',
        ),
      )
      const withHighFee = world(dialect, 9_990)
      assert.deepEqual(
        failure(() =>
          execute(
            withHighFee,
            withHighFee.start,
            'router',
            swap(stages[dialect], 'c', 0, { affiliate_code: 'acme' }),
            [a(1000)],
          ),
        ),
        wasm('Cannot Sub with given operands'),
      )
    })

    test('calls a recipient back with the payout, if it has a callback', () => {
      const callback = Buffer.from('hello').toString('base64')
      assert.deepEqual(
        failure(() => run(swap(stages[dialect], 'c', 1, { callback, recipient: 'nobody' }))),
        ['wasm', 22, 'address nobody: no such contract'],
      )
    })
  })

describe('the queries of a router', () => {
  const here = world('forward', 10)
  const acme = {
    affiliate_code: 'acme',
    referral_fee_share_bps: 2500,
    affiliate_fee_bps: 50,
    referral_payment_address: 'referral-acme',
    affiliate_payment_address: 'affiliate-acme',
  }

  test.each([
    ['nobody', 'system error: No such contract: nobody'],
    ['a/b', 'contract error: codespace: wasm, code: 29'],
  ])('fail for the stage %s with a querier %s', (address, text) => {
    const simulate = { coin: { denom: 'b', amount: '3999998' }, stages: [{ address, denom: 'a' }] }
    const [, , log] = failure(() => smartQuery(here, 'router', { simulate }))
    assert.equal(log, `Generic error: Querier ${text}: query wasm contract failed`)
  })

  test('return its fees', () => {
    assert.deepEqual(smartQuery(here, 'router', { config: {} }), {
      fee_collector: 'collector',
      fee_bps: 10,
      max_affiliate_fee_bps: 10_000,
    })
  })

  test('return one affiliate, or refuse an unknown code', () => {
    assert.deepEqual(smartQuery(here, 'router', { affiliate: { affiliate_code: 'acme' } }), {
      affiliate: acme,
    })
    assert.deepEqual(
      failure(() => smartQuery(here, 'router', { affiliate: { affiliate_code: 'zzz' } })),
      ['wasm', 9, 'Invalid: zzz: query wasm contract failed'],
    )
  })

  test('list affiliates by code, page by page', () => {
    const codes = (query: object) =>
      (
        smartQuery(here, 'router', { affiliates: query }) as {
          readonly affiliates: readonly (readonly [string, object])[]
        }
      ).affiliates.map(([code]) => code)
    assert.deepEqual(codes({}), ['acme', 'ruji'])
    assert.deepEqual(codes({ limit: 1, start_after: null }), ['acme'])
    assert.deepEqual(codes({ start_after: 'acme' }), ['ruji'])
    assert.deepEqual(codes({ limit: 0 }), [])
  })
})

test('the demo router divides an output as a quote does', () => {
  const bps = fc.integer({ min: 0, max: 10_000 })
  fc.assert(
    fc.property(fc.bigInt(0n, 1n << 80n), bps, bps, bps, (gross, fee, extra, share) => {
      const market = smallMarket({ 'a/b': {} }, { dialect: 'forward', fee_bps: fee })
      const ours = { affiliateFeeBps: BigInt(extra), referralFeeShareBps: BigInt(share) }
      const quoted = quotedPayout(market.router, gross, ours)
      const paid = () =>
        divide(
          { fee_collector: '', fee_bps: fee, max_affiliate_fee_bps: 10_000 },
          {
            affiliate_code: '',
            affiliate_fee_bps: extra,
            referral_fee_share_bps: share,
            referral_payment_address: '',
            affiliate_payment_address: '',
          },
          gross,
        )
      if (isRefusal(quoted) && quoted.refused === 'zero_output') assert.equal(paid().user, 0n)
      else if (isRefusal(quoted)) assert.throws(paid, /Cannot Sub with given operands/)
      else
        assert.deepEqual(paid(), {
          user: quoted.recipient,
          platform: quoted.protocol - quoted.referral,
          referral: quoted.referral,
          affiliate: quoted.affiliate,
        })
    }),
    { numRuns: 200 },
  )
})
