import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { faucetAddress } from '../../../src/demo-chain/genesis/known-accounts.js'
import { encodeBech32 } from '../../../src/demo-chain/modules/addresses.js'
import { decimal } from '../../../src/engine/math/decimal.js'
import type { ChainPort } from '../../../src/operations/chain-port.js'
import { readQuote } from '../../../src/operations/quote-document.js'
import { route } from '../../../src/operations/route/route.js'
import { simulate } from '../../../src/operations/simulate/simulate.js'
import { closingLast } from '../../support/closing.js'
import { btc, rune, stage } from '../chain/stage.js'

const from = faucetAddress('demo')
const other = encodeBech32('demo', new Uint8Array(20).fill(7))
const { app, port } = await stage({ life: false }, undefined, closingLast)
const context = app()

/** A message that sells an amount for at least another, over the best path. */
async function messageOf(sold: string, bought: string, amount: bigint, least: bigint, to?: string) {
  const input = { denom: sold, amount: '100000000' }
  const { routes } = await route(context, { input, output: { denom: bought }, limit: 1 })
  const { stages } = routes[0]!.tx.swap
  const swap = { stages, min_return: { denom: bought, amount: `${least}` } }
  return {
    funds: { denom: sold, amount: `${amount}` },
    tx: { swap: { ...swap, ...(to !== undefined && { recipient: to }) } },
  }
}
type Message = Awaited<ReturnType<typeof messageOf>>

/** 140,002 gas, which cost 14,001 RUNE atomics. */
const passed: Partial<ChainPort> = {
  trial: async () => ({ kind: 'passed', gasUsed: 100_001n, payments: [] }),
  gasPrice: async () => decimal(10n ** 17n),
}
const FEE = 14_001n

async function dryRun(executions: readonly Message[], own: Partial<ChainPort>) {
  const { market } = await context.openMarket()
  const { network, chainId: chain_id, height } = market
  const document = { network, chain_id, height, steps: [{ executions }] }
  const chain = async () => ({ ...port, ...passed, ...own })
  const { transaction } = await simulate({ ...context, chain }, readQuote(document), { from })
  return transaction!
}

const sale = await messageOf(btc, rune, 1000n, 900n)
const again = await messageOf(btc, rune, 500n, 400n)
const back = await messageOf(rune, btc, 1_000n, 700n)
const paidToOther = await messageOf(btc, rune, 1000n, 900n, other)

describe('a dry run needs', () => {
  const rows: readonly (readonly [string, readonly Message[], readonly [string, bigint][]])[] = [
    [
      'what it sells and the fee',
      [sale],
      [
        [btc, 1000n],
        [rune, FEE],
      ],
    ],
    [
      'what all messages sell',
      [sale, again],
      [
        [btc, 1500n],
        [rune, FEE],
      ],
    ],
    ['the fee beside what is sold of its denom', [back], [[rune, 1_000n + FEE]]],
    [
      'what a loop does not get back',
      [sale, back, again],
      [
        [btc, 1000n],
        [rune, FEE + 100n],
      ],
    ],
    [
      'all of it where others are paid',
      [paidToOther, back],
      [
        [btc, 1000n],
        [rune, FEE + 1_000n],
      ],
    ],
  ]
  for (const [what, messages, needed] of rows)
    test(`${what}, and no atomic less`, async () => {
      const held = needed.map(([denom, amount]) => ({ denom, amount }))
      const { succeeds, short, fee } = await dryRun(messages, { balances: async () => held })
      assert.deepEqual([succeeds, short, fee], [true, [], { denom: rune, amount: `${FEE}` }])
      for (const [i, { denom, amount }] of held.entries()) {
        const less = held.with(i, { denom, amount: amount - 1n })
        const lacking = await dryRun(messages, { balances: async () => less })
        assert.equal(lacking.succeeds, false)
        const [required, available] = [`${amount}`, `${amount - 1n}`]
        assert.deepEqual(lacking.short, [{ denom, required, available }])
      }
    })
})

describe('a dry run that passes', () => {
  test('receives what its recipient is paid of the denom bought, and adds up the minimums', async () => {
    const payments = [
      { to: from, coin: { denom: rune, amount: 7n } },
      { to: from, coin: { denom: rune, amount: 4n } },
      { to: from, coin: { denom: btc, amount: 5n } },
      { to: other, coin: { denom: rune, amount: 3n } },
    ]
    const trial: ChainPort['trial'] = async () => ({ kind: 'passed', gasUsed: 1n, payments })
    const { received, min_return } = await dryRun([sale, again], { trial })
    assert.deepEqual(received, { denom: rune, amount: '11' })
    assert.deepEqual(min_return, { denom: rune, amount: '1300' })
    assert.equal((await dryRun([paidToOther], { trial })).received?.amount, '3')
  })
})

test('a dry run that fails says whether the minimum is not met, if that is known', async () => {
  for (const [why, met] of [
    ['Invalid return amount 5 expected 9', false],
    ['InsufficientReturn expected 9 got 5', false],
    ['attempt to subtract with overflow', null],
  ] as const) {
    const { min_return_met, received, gas_limit, error } = await dryRun([sale], {
      trial: async () => ({ kind: 'failed', why }),
    })
    assert.deepEqual([min_return_met, received, gas_limit, error], [met, null, null, why])
  }
})
